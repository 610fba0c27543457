import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './figure.ts';
import type { QueueOptions, QueueRun } from './queue-worker.ts';

const WORKER = join(import.meta.dirname, 'queue-worker.ts');
const ROUNDS = 3;
/** These must run. */
const OWN = ['bare', 'store', 'disk'];
const LIMIT_TIMES = 300;
/** Who takes longer is ended, and named. */
const LONGEST_RUN_MS = 30_000;

/** Who takes part. */
export interface Entrant {
  readonly name: string;
  readonly options: QueueOptions;
  readonly program?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** What came of some rounds; NaN for who does not do what was asked for. */
export interface Raced {
  /** Writes and syncs of one frame per second. */
  readonly limit: number;
  rateOf(name: string): number;
  cpuUsOf(name: string): number;
  /** The median of the ratios of both, round by round. */
  against(name: string, other: string): number;
}

/** Everybody runs once in each round, behind a look at the disk: a shared machine has its moods. */
export async function besideEachOther(
  entrants: readonly Entrant[],
  env: NodeJS.ProcessEnv = {},
  limitTimes = LIMIT_TIMES,
): Promise<Raced> {
  const limits: number[] = [];
  const runs = new Map<string, (QueueRun | null)[]>(entrants.map(({ name }) => [name, []]));
  const limit: Entrant = {
    name: 'limit',
    env,
    options: { what: 'limit', who: 'disk', jobs: limitTimes, spare: 10 },
  };
  let able = entrants;
  for (let round = 0; round < ROUNDS; round += 1) {
    limits.push((await runOf(limit))?.rate ?? Number.NaN);
    for (const entrant of able) runs.get(entrant.name)?.push(await runOf(entrant));
    // Who cannot do it now cannot do it in the next round.
    able = able.filter(({ name }) => !runs.get(name)?.includes(null));
  }
  const of = (name: string, what: keyof QueueRun) =>
    (runs.get(name) ?? []).map((run) => run?.[what] ?? Number.NaN);
  return {
    limit: median(limits),
    rateOf: (name) => median(of(name, 'rate')),
    cpuUsOf: (name) => median(of(name, 'cpuUs')),
    against: (name, other) => {
      const others = of(other, 'rate');
      return median(of(name, 'rate').map((rate, round) => rate / (others[round] ?? Number.NaN)));
    },
  };
}

/** Null where a queue does not do that. */
async function runOf({
  name,
  options,
  program = process.execPath,
  env = {},
}: Entrant): Promise<QueueRun | null> {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-bench-queue-'));
  try {
    const worker = spawn(program, [WORKER, join(folder, 'queue.db'), JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LONGEST_RUN_MS,
      killSignal: 'SIGKILL',
      env: { ...process.env, ...env },
    });
    let printed = '';
    worker.stdout.setEncoding('utf8').on('data', (piece: string) => {
      printed += piece;
    });
    let output = '';
    worker.stderr.setEncoding('utf8').on('data', (piece: string) => {
      output += piece;
    });
    const [code, signal] = await once(worker, 'close');
    const why = `ended with ${code ?? signal}: ${reasonIn(output)}`;
    if (code !== 0 && OWN.includes(options.who)) throw new Error(`${name}: ${why}`);
    if (code !== 0) process.stderr.write(`not compared: ${name}, ${options.what}: ${why}\n`);
    // Some talk on the same line.
    const figures = printed.split('\n').find((line) => line.startsWith('{"rate"'));
    if (figures !== undefined) return JSON.parse(figures);
    if (code === 0) process.stderr.write(`not compared: ${name}, ${options.what}: offers no call for it\n`);
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The line that names the error, of all that a program says when it ends. */
function reasonIn(output: string): string {
  const lines = output.trim().split('\n');
  return lines.find((line) => /^\s*(?:\w*Error|error)\b/.test(line))?.trim() ?? lines.at(-1) ?? '';
}
