import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIBRARY, OURS, QUEUES } from '../crash/compare/contestants.ts';
import { installPeers, missing, programOf } from '../crash/compare/install.ts';
import { syncLimit } from './disk-limit.ts';
import { type Against, figuresOf, median, type Print, type Wish } from './figure.ts';
import type { QueueWish } from './queue-worker.ts';

const WORKER = join(import.meta.dirname, 'queue-worker.ts');
const RUNS = 3;
const LIMIT_TIMES = 100;
const CALLERS = [1, 10, 100];

/**
 * What it costs to keep a job and to take it out again, in processes of their own: against one write and one sync, against the same
 * statements run bare, and against the queues that others ship, as shipped and with FULL.
 */
export async function queue({ times }: Wish, print: Print): Promise<void> {
  const figure = figuresOf('queue', print);
  for (const what of ['enqueue', 'claim-complete'] as const) {
    const bare = await rateOf({ what, who: 'bare', jobs: times });
    figure(`${what}, the same statements bare`, bare.rate, '1/s', bare.limit);
    const ours = await rateOf({ what, who: 'store', jobs: times });
    figure(`${what}, tilld's outbox`, ours.rate, '1/s', ours.limit);
    figure(`${what}, tilld's outbox`, ours.rate, '1/s', {
      name: 'the same statements bare',
      value: bare.rate,
    });
  }
  for (const callers of CALLERS) {
    const { rate, limit } = await rateOf({ what: 'group', who: 'store', jobs: times, callers });
    figure(`group commit, ${callers} callers`, rate, '1/s', limit);
  }
  const why = await installPeers((line) => void process.stderr.write(`${line}\n`));
  if (why !== null) process.stderr.write(`${why}\n`);
  for (const contestant of [OURS, ...LIBRARY.slice(0, 1), ...QUEUES]) {
    if (missing(contestant) !== null) continue;
    for (const full of [false, true]) {
      const { name: peer, file, runtime } = contestant;
      const { rate, limit } = await rateOf(
        { what: 'peer', who: file, jobs: times, full },
        programOf(runtime),
      );
      const how = full ? 'with FULL' : 'as shipped';
      if (Number.isFinite(rate)) figure(`enqueue, ${peer}, ${how}`, rate, '1/s', limit);
    }
  }
}

/** The medians of some runs, with the limit of the disk right before each: a shared disk has its moods. */
async function rateOf(
  wish: QueueWish,
  program = process.execPath,
): Promise<{ readonly rate: number; readonly limit: Against }> {
  const rates: number[] = [];
  const limits: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    limits.push(1_000 / syncLimit(LIMIT_TIMES));
    rates.push(await runOf(wish, program));
  }
  return { rate: median(rates), limit: { name: 'write + fdatasync of one frame', value: median(limits) } };
}

/** Jobs per second; NaN where a queue does not let its connection be told what to do. */
async function runOf(wish: QueueWish, program: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-bench-queue-'));
  try {
    const worker = spawn(program, [WORKER, join(folder, 'queue.db'), JSON.stringify(wish)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let told = '';
    worker.stdout.setEncoding('utf8').on('data', (piece: string) => {
      told += piece;
    });
    const [code] = await once(worker, 'close');
    if (code !== 0) throw new Error(`${wish.what} ${wish.who}: ended with ${code}`);
    return told.trim() === '' ? Number.NaN : Number(told.trim().split('\n').at(-1));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
