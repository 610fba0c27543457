import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readTrace, type Step } from './trace.ts';

const run = promisify(execFile);
const MODEL = join(import.meta.dirname, '..', 'payments.pml');
/** Steps of SPIN, most of which change nothing; behind it a run has spent its faults and its sales. */
const LONGEST = 400;
const MAX_OUTPUT = 4 * 1024 * 1024;

/** Bounds of the model for a random run; each without the service. */
export const RUNS = {
  counter: {
    ASKS: 3,
    CRASHES: 2,
    LINKS: 1,
    EXCHANGES: 2,
    CLOSES: 1,
    JUMPS: 1,
    WRONGS: 1,
    OFFS: 1,
  },
  dialogue: { ASKS: 3, CRASHES: 2, LINKS: 2, CLOSES: 2, WRONGS: 1 },
  restore: { ASKS: 3, CRASHES: 2, LINKS: 1, EXCHANGES: 1, CLOSES: 1, RESTORES: 1 },
} as const satisfies Readonly<Record<string, Readonly<Record<string, number>>>>;
export type RunName = keyof typeof RUNS;

/** Which attempts belong to the first sale: all below this number. */
export const ASKS = 3;

const NAMES = Object.keys(RUNS) as RunName[];

/** Seeds take the configurations in turn. */
export function runOf(seed: number): RunName {
  return NAMES[seed % NAMES.length] ?? 'counter';
}

/**
 * One random run of the model; the same seed gives the same run.
 * @param folder one at a time may use it: SPIN writes what it read there under a name of its own
 * @throws Error where SPIN is missing or does not take the model */
export async function makeTrace(seed: number, folder: string): Promise<readonly Step[]> {
  const macros = Object.entries(RUNS[runOf(seed)]).map(([name, value]) => `-D${name}=${value}`);
  const { stdout } = await run(
    'spin',
    ['-B', `-n${seed}`, `-u${LONGEST}`, '-T', '-DTRACE', ...macros, MODEL],
    {
      cwd: folder,
      maxBuffer: MAX_OUTPUT,
    },
  );
  return readTrace(stdout);
}
