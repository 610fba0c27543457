import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { QueueFile } from '../crash/compare/queue.ts';

/** What one run of a queue is. */
export interface QueueOptions {
  /**
   * `limit`: what the disk can do at best. `group`: all callers of a turn in one transaction. `turn`: each in a transaction of its own, and
   * one sync for all of them.
   */
  readonly what: 'limit' | 'enqueue' | 'claim-complete' | 'group' | 'turn';
  /** `bare`, `store`, or the file of a queue. */
  readonly who: string;
  readonly jobs: number;
  /** Done before the clock runs. */
  readonly spare: number;
  /** Who asks in one turn of the event loop. */
  readonly callers?: number;
  /** Say FULL to its connection. */
  readonly full?: boolean;
}

/** What a run came to. */
export interface QueueRun {
  /** Jobs per second. */
  readonly rate: number;
  /** Processor time for each, in µs. */
  readonly cpuUs: number;
}

/** A queue that is slow does as many as it can: a second has shown how fast it is. */
const LONGEST_MS = { before: 2_000, measured: 3_000 } as const;

/** `queue-worker.ts DATABASE OPTIONS`: prints its {@link QueueRun}; nothing where a queue does not let its durability be set, or be asked for that. */
async function main(path: string, options: QueueOptions): Promise<void> {
  const work = await workOf(path, options);
  const { jobs, spare } = options;
  if (!work) return process.exit(0);
  const before = await repeated(work, 0, spare, LONGEST_MS.before);
  const [from, cpuFrom] = [performance.now(), process.cpuUsage()];
  const done = await repeated(work, before, jobs, LONGEST_MS.measured);
  const [ms, cpu] = [performance.now() - from, process.cpuUsage(cpuFrom)];
  const run: QueueRun = { rate: (done / ms) * 1_000, cpuUs: (cpu.user + cpu.system) / done };
  writeSync(1, `${JSON.stringify(run)}\n`);
  process.exit(0);
}

type AnyWork = (no: number) => unknown;

/** How often it was done. */
async function repeated(work: AnyWork, first: number, times: number, longestMs: number): Promise<number> {
  const end = performance.now() + longestMs;
  let done = 0;
  while (done < times && performance.now() < end) {
    const waits = work(first + done);
    if (waits instanceof Promise) await waits;
    done += 1;
  }
  return done;
}

async function workOf(path: string, options: QueueOptions): Promise<AnyWork | null> {
  if (options.what === 'limit') return (await import('./disk-limit.ts')).oneFrame(`${path}-frames`).write;
  if (options.who === 'bare' || options.who === 'store')
    return (await import('./queue-ours.ts')).ourQueue(path, options);
  return peer(path, options);
}

async function peer(path: string, { what, who, jobs, spare, full }: QueueOptions): Promise<AnyWork | null> {
  const { open } = (await import(pathToFileURL(who).href)) as QueueFile;
  const queue = await open(path);
  if (full === true) {
    if (!queue.pragma) return null;
    await queue.pragma('synchronous = FULL');
  }
  const enqueue = async (n: number) =>
    void (await queue.enqueue({
      n,
      amountMinor: 1234,
      currency: 'EUR',
      reference: `order ${n}`,
      kind: 'result',
    }));
  if (what === 'enqueue') return enqueue;
  const take = queue.take;
  if (!take) return null;
  await repeated(enqueue, 0, jobs + spare, Number.POSITIVE_INFINITY);
  return () => take();
}

const [path = '', options = ''] = process.argv.slice(2);
await main(path, JSON.parse(options));
