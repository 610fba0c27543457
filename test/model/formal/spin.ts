import { execFile } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PanResult, readPanOutput } from './pan-output.ts';

const run = promisify(execFile);

const MODEL = 'payments.pml';
/** Two searches at a time stay below 4 GB. */
const MEMORY_MB = 1900;
/** The deepest path of any configuration is below 200 steps. */
const DEPTH = 100_000;
const MAX_OUTPUT = 16 * 1024 * 1024;
const BUILD_MS = 300_000;

/** One search: macros of the model, and the LTL formula. */
export interface Search {
  readonly macros: Readonly<Record<string, number>>;
  readonly formula: string;
  /** Liveness needs the search for acceptance cycles under weak fairness. */
  readonly live: boolean;
  /** For a long search; a short one ends sooner than the compiler has optimised it. */
  readonly optimised: boolean;
}

/** A program that the searches need, and how it is installed; null when all are there. */
export async function missingProgram(): Promise<string | null> {
  for (const [program, flag, package_] of [
    ['spin', '-V', 'spin'],
    ['cc', '--version', 'gcc and libc6-dev'],
  ] as const) {
    const isThere = await run(program, [flag]).then(
      () => true,
      () => false,
    );
    if (!isThere)
      return `There is no program "${program}". Install the Debian package ${package_} and run again.`;
  }
  return null;
}

/**
 * Generates, compiles and runs one verifier in `folder`.
 * @throws Error when the model does not compile; a search that ends early is a result, not an error.
 */
export async function search(
  { macros, formula, live, optimised }: Search,
  folder: string,
  limitMs: number,
): Promise<PanResult> {
  await mkdir(folder, { recursive: true });
  await copyFile(join(import.meta.dirname, MODEL), join(folder, MODEL));
  const build = { cwd: folder, timeout: BUILD_MS, maxBuffer: MAX_OUTPUT };
  await run('spin', ['-a', ...macrosOf(macros, live), MODEL], build);
  const mode = live ? ['-DNFAIR=3'] : ['-DSAFETY'];
  const level = optimised ? '-O2' : '-O0';
  await run('cc', [level, '-w', '-DCOLLAPSE', `-DMEMLIM=${MEMORY_MB}`, ...mode, '-o', 'pan', 'pan.c'], build);
  const fairness = live ? ['-a', '-f'] : [];
  const { stdout } = await run('./pan', ['-N', formula, ...fairness, `-m${DEPTH}`, '-n'], {
    cwd: folder,
    timeout: limitMs,
    maxBuffer: MAX_OUTPUT,
  }).catch(outputOf);
  return readPanOutput(stdout);
}

function macrosOf(macros: Search['macros'], live: boolean): readonly string[] {
  return [...Object.entries(macros), ...(live ? [['LIVE', 1] as const] : [])].map(
    ([name, value]) => `-D${name}=${value}`,
  );
}

/** A verifier that was stopped or that ran out of memory leaves what it printed so far. */
function outputOf(error: unknown): { readonly stdout: string } {
  const stdout: unknown = Reflect.get(Object(error), 'stdout');
  return { stdout: typeof stdout === 'string' ? stdout : '' };
}
