import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { QueueFile } from '../crash/compare/queue.ts';

/** What one run of a queue is. */
export interface QueueWish {
  readonly what: 'enqueue' | 'claim-complete' | 'group' | 'peer';
  /** `bare`, `store`, or the file of a queue. */
  readonly who: string;
  readonly jobs: number;
  /** Who asks in one turn of the event loop. */
  readonly callers?: number;
  /** Say FULL to its connection. */
  readonly full?: boolean;
}

const WARM_UP = 50;

/** `queue-worker.ts DATABASE WISH`: prints how many jobs per second; nothing where its durability cannot be set. */
async function main(path: string, wish: QueueWish): Promise<void> {
  if (wish.what === 'peer') return peer(path, wish);
  const { ourQueue } = await import('./queue-ours.ts');
  const work = ourQueue(path, wish);
  for (let no = 0; no < WARM_UP; no += 1) work(no);
  told(wish.jobs, () => {
    for (let no = 0; no < wish.jobs; no += 1) work(WARM_UP + no);
  });
}

async function peer(path: string, { who, jobs, full }: QueueWish): Promise<void> {
  const { open } = (await import(pathToFileURL(who).href)) as QueueFile;
  const queue = await open(path);
  if (full === true) {
    if (!queue.pragma) return process.exit(0);
    await (queue.pragma as (text: string) => unknown)('synchronous = FULL');
  }
  const job = (n: number) => ({
    n,
    amountMinor: 1234,
    currency: 'EUR',
    reference: `order ${n}`,
    kind: 'result',
  });
  for (let no = 0; no < WARM_UP; no += 1) await queue.enqueue(job(no));
  const from = performance.now();
  for (let no = 0; no < jobs; no += 1) await queue.enqueue(job(WARM_UP + no));
  writeSync(1, `${(jobs / (performance.now() - from)) * 1_000}\n`);
  process.exit(0);
}

function told(jobs: number, work: () => void): void {
  const from = performance.now();
  work();
  writeSync(1, `${(jobs / (performance.now() - from)) * 1_000}\n`);
}

const [path = '', wish = ''] = process.argv.slice(2);
await main(path, JSON.parse(wish));
