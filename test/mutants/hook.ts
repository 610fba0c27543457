import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Plant, planted } from './plant.ts';

/**
 * A preload (`node --import …/hook.ts`, best through NODE_OPTIONS, which workers and child processes inherit): plants the bug
 * of `TILLD_MUTANT` (JSON, see `Plant`) while its module is loaded. Types are stripped afterwards, as of any other source.
 * A place that is missing or ambiguous, or a result that does not parse, is an error of that import; a file that no process of
 * the run has loaded ends the first process with 3.
 */
const MUTANT = 'TILLD_MUTANT';
/** A file that appears once the module was loaded; a process that has none in its environment is the first. */
const SIGN = 'TILLD_MUTANT_SIGN';
const NEVER_LOADED = 3;
const ROOT = new URL('../../', import.meta.url);

const text = process.env[MUTANT];
if (text !== undefined) {
  const plant = JSON.parse(text) as Plant;
  const target = new URL(plant.file, ROOT).href;
  const sign = process.env[SIGN] ?? watchedSign(plant.name, plant.file);
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      if (url !== target) return loaded;
      writeFileSync(sign, plant.name);
      return { ...loaded, source: planted(sourceText(loaded.source), plant) };
    },
  });
}

/** Makes the place for the sign, and looks for it when this process ends. */
function watchedSign(name: string, file: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-mutant-'));
  const sign = join(folder, 'planted');
  process.env[SIGN] = sign;
  process.on('exit', () => {
    const wasLoaded = existsSync(sign);
    rmSync(folder, { recursive: true, force: true });
    if (wasLoaded) return;
    process.stderr.write(`mutant ${name}: ${file} was never loaded\n`);
    process.exitCode = NEVER_LOADED;
  });
  return sign;
}

function sourceText(source: unknown): string {
  if (typeof source === 'string') return source;
  if (source instanceof Uint8Array) return new TextDecoder().decode(source);
  throw new Error('a module without a source cannot be mutated');
}
