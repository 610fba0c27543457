import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Plant } from './plant.ts';

/** Which seeds to play, and how. */
export interface Seeds {
  readonly from: number;
  readonly count: number;
  /** Processes that share the seeds. */
  readonly workers: number;
  /** A named day, or `sync`; the simulation's own default when missing. */
  readonly scenario?: string;
}

/** What the judge said first. */
export interface Finding {
  readonly seed: number;
  readonly crime: string;
  readonly sentence: string;
}

export type Verdict =
  | { readonly kind: 'found'; readonly finding: Finding }
  | { readonly kind: 'clean' }
  /** The run itself came to nothing: no verdict about the mutant. */
  | { readonly kind: 'broken'; readonly why: string };

const HOOK = import.meta.resolve('./hook.ts');
const SIMULATE = fileURLToPath(import.meta.resolve('../simulation/simulate.ts'));
const SIMULATE_SYNC = fileURLToPath(import.meta.resolve('../simulation/sync/simulate-sync.ts'));
/** The scenario that is no day of a shop. */
export const SYNC = 'sync';
/** A mutant may loop for ever; a seed takes about a second. Who is asked to stop may end its workers first. */
const LIMIT_MS = { start: 120_000, perSeed: 15_000, stop: 5000 };

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Plays the seeds with a bug in the product, or without one. A crash of the run is never a finding. */
export async function playSeeds(plant: Plant | null, seeds: Seeds): Promise<Verdict> {
  const { from, count, workers, scenario } = seeds;
  const args = ['--seeds', `${count}`, '--from', `${from}`, '--workers', `${workers}`];
  const program = programOf(scenario);
  return verdictOf(await run([...program, ...args], plant, LIMIT_MS.start + count * LIMIT_MS.perSeed));
}

/** One seed with its whole trace on standard output; gives the exit code. */
export async function printSeed(plant: Plant, seed: number, scenario?: string): Promise<number> {
  const args = [...programOf(scenario), '--seed', `${seed}`, '--trace'];
  const { code } = await run(args, plant, LIMIT_MS.start, 'inherit');
  return code ?? 1;
}

function programOf(scenario: string | undefined): readonly string[] {
  if (scenario === SYNC) return [SIMULATE_SYNC];
  return scenario === undefined ? [SIMULATE] : [SIMULATE, '--scenario', scenario];
}

/** The environment in which Node plants the bug, in workers and child processes too. */
export function environmentOf(plant: Plant): NodeJS.ProcessEnv {
  const options = process.env['NODE_OPTIONS'] ?? '';
  return {
    ...process.env,
    NODE_OPTIONS: `${options} --import=${HOOK}`.trim(),
    TILLD_MUTANT: JSON.stringify(plant),
  };
}

/** A rule was broken only if the run says so itself: exit 1 and seeds in its last line. */
export function verdictOf({ code, stdout, stderr }: Ended): Verdict {
  const failures = failuresIn(stdout);
  if (code === 0 && failures?.length === 0) return { kind: 'clean' };
  if (code !== 1 || !failures || failures.length === 0)
    return { kind: 'broken', why: `exit ${code}: ${lastWords(stderr)}` };
  const seed = Math.min(...failures);
  const output = new RegExp(`^seed ${seed} at [\\d.]+ s: (\\w+): (.*)$`, 'm').exec(stderr);
  const [, crime = 'broken_rules', sentence = 'the run names no sentence'] = output ?? [];
  return { kind: 'found', finding: { seed, crime, sentence } };
}

function run(
  args: readonly string[],
  plant: Plant | null,
  timeout: number,
  stdio?: 'inherit',
): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    env: plant === null ? process.env : environmentOf(plant),
    stdio: ['ignore', stdio ?? 'pipe', stdio ?? 'pipe'],
  });
  const limit = setTimeout(() => child.kill('SIGTERM'), timeout);
  const lastLimit = setTimeout(() => child.kill('SIGKILL'), timeout + LIMIT_MS.stop);
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
    stdout += piece;
  });
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    stderr += piece;
  });
  return new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  }).finally(() => {
    clearTimeout(limit);
    clearTimeout(lastLimit);
  });
}

/** `failures` of the last line; null when that is no such document. */
function failuresIn(stdout: string): readonly number[] | null {
  try {
    const total: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    const failures: unknown = Reflect.get(Object(total), 'failures');
    return Array.isArray(failures) ? failures.filter((seed) => Number.isSafeInteger(seed)) : null;
  } catch {
    return null;
  }
}

function lastWords(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !/^\s+at |^Node\.js /.test(line));
  const error = lines.find((line) => /error|mutant /i.test(line)) ?? lines.at(-1) ?? 'without a word';
  return error.trim().slice(0, 200);
}
