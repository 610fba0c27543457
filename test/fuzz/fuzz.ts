import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCampaign } from './campaign.ts';
import { type Finding, fire, fireOne } from './fire.ts';
import type { Target } from './target.ts';
import { targets } from './targets.ts';

const USAGE = `fuzz --minutes N [--target NAME]… [--seed S] [--workers N]
fuzz --target NAME --hex HEX|@FILE        one input
fuzz --target NAME --seed S --path P      one counterexample of a seed`;
const LIST = new URL('./targets.ts', import.meta.url).href;
/** A longer input is printed as its beginning and kept in a file. */
const LONGEST_HEX = 4000;

interface FuzzOptions {
  readonly minutes: number;
  readonly chosen: readonly Target[];
  readonly seed: number;
  readonly workers: number;
  readonly path: string | undefined;
  readonly hex: string | undefined;
}

/** Fires at the parsers; 1 when a promise was broken, 2 for a wrong call. The last line is JSON. */
async function main(): Promise<number> {
  const options = optionsOf();
  if (!options) {
    process.stderr.write(
      `${USAGE}\n${targets.map(({ name, promise }) => `  ${name}: ${promise}\n`).join('')}`,
    );
    return 2;
  }
  if (options.hex !== undefined || options.path !== undefined) return replay(options);
  const startedAt = performance.now();
  const report = await runCampaign({
    targets: LIST,
    allNames: targets.map(({ name }) => name),
    names: options.chosen.map(({ name }) => name),
    seed: options.seed,
    forMs: options.minutes * 60_000,
    workers: options.workers,
    onFinding: say,
  });
  const minutes = Math.round((performance.now() - startedAt) / 600) / 100;
  conclude(minutes, report.executions, report.findings.length);
  return report.findings.length === 0 ? 0 : 1;
}

async function replay({ chosen, hex, path, seed }: FuzzOptions): Promise<number> {
  const [target] = chosen;
  if (!target) return 2;
  const { finding, executions } =
    hex === undefined
      ? await fire(target, { seed, runs: 1, path: path ?? '' })
      : { finding: await fireOne(target, new Uint8Array(Buffer.from(hex, 'hex'))), executions: 1 };
  if (finding) say(finding);
  conclude(0, new Map([[target.name, executions]]), finding ? 1 : 0);
  return finding ? 1 : 0;
}

function conclude(minutes: number, executions: ReadonlyMap<string, number>, findings: number): void {
  const all = [...executions.values()].reduce((sum, count) => sum + count, 0);
  const summary = { minutes, executions: all, targets: Object.fromEntries(executions), findings };
  process.stdout.write(`${JSON.stringify(summary)}\n`);
}

function say({ target, message, seed, path, bytes }: Finding): void {
  const hex = Buffer.from(bytes).toString('hex').toUpperCase();
  const isLong = hex.length > LONGEST_HEX;
  const shown = isLong ? `${hex.slice(0, 200)}… (${bytes.length} bytes)` : hex;
  const input = isLong ? `@${kept(target, seed, hex)}` : hex;
  process.stderr.write(
    `${target}: ${message}\n  seed ${seed}, path ${path || '–'}\n  ${shown || '(no bytes)'}\n` +
      `  replay: npm run fuzz -- --target ${target} --hex ${input}\n`,
  );
}

/** Where an input lies that is too long for a command line. */
function kept(target: string, seed: number, hex: string): string {
  const file = join(tmpdir(), `tilld-fuzz-${target}-${seed}.hex`);
  writeFileSync(file, `${hex}\n`);
  return file;
}

function optionsOf(): FuzzOptions | null {
  const values = typed();
  if (!values) return null;
  const names = values.target ?? targets.map(({ name }) => name);
  const chosen = targets.filter(({ name }) => names.includes(name));
  const { path } = values;
  const hex = values.hex?.startsWith('@') ? readFileSync(values.hex.slice(1), 'utf8').trim() : values.hex;
  const one = hex !== undefined || path !== undefined;
  const [minutes = 0, seed = 0, workers = 0] = [values.minutes, values.seed, values.workers].map(Number);
  const numbersFit =
    minutes > 0 && Number.isSafeInteger(seed) && Number.isSafeInteger(workers) && workers > 0;
  const namesFit = chosen.length === names.length && (!one || chosen.length === 1);
  if (!numbersFit || !namesFit || !/^([0-9a-f]{2})*$/i.test(hex ?? '')) return null;
  return { minutes, chosen, seed, workers, path, hex };
}

function typed() {
  try {
    const options = {
      minutes: { type: 'string', default: '1' },
      target: { type: 'string', multiple: true },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
      workers: { type: 'string', default: String(availableParallelism()) },
      path: { type: 'string' },
      hex: { type: 'string' },
    } as const;
    return parseArgs({ options }).values;
  } catch {
    return null;
  }
}

process.exitCode = await main();
