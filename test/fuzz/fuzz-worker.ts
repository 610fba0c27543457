import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { type Finding, fire } from './fire.ts';
import { LastCase } from './last-case.ts';
import type { Target } from './target.ts';

/** Inputs of one target before it is the next one's turn. */
const SALVO = 400;
/** Rounds after which the heap should have found its size. */
const WARM_ROUNDS = 3;
/** What the heap may grow beyond that. */
const MOST_GROWTH_BYTES = 64 * 1024 * 1024;

const Task = z.object({
  targets: z.string(),
  names: z.array(z.string()),
  seed: z.int(),
  forMs: z.number(),
  memory: z.instanceof(SharedArrayBuffer),
});

/** What the worker reports: how many inputs were tried, and what was found. */
export type Word =
  | { readonly kind: 'fired'; readonly target: string; readonly executions: number }
  | { readonly kind: 'found'; readonly finding: Finding }
  | { readonly kind: 'heap'; readonly bytes: number };

const task = Task.parse(workerData);
const say = (word: Word): void => parentPort?.postMessage(word);

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** The heap of this thread after everything that can be given up is. */
function heapBytes(): number {
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}

async function main(): Promise<void> {
  const last = new LastCase(task.memory);
  const loaded: { readonly targets: readonly Target[] } = await import(task.targets);
  const known = loaded.targets;
  let left = known.filter((target) => task.names.includes(target.name));
  const until = performance.now() + task.forMs;
  // Every target has its turn once, however slow the machine is.
  const isOver = (round: number) => round > 0 && performance.now() >= until;
  let warmHeap = 0;
  for (let round = 0; left.length > 0 && !isOver(round); round += 1) {
    for (const target of left) {
      if (isOver(round)) break;
      const index = known.indexOf(target);
      const aim = { seed: task.seed + round, runs: SALVO };
      const { executions, finding } = await fire(target, {
        ...aim,
        onCase: (bytes) => last.note(index, bytes),
      });
      say({ kind: 'fired', target: target.name, executions });
      if (!finding) continue;
      say({ kind: 'found', finding });
      left = left.filter((other) => other !== target);
    }
    const heap = heapBytes();
    if (round < WARM_ROUNDS) warmHeap = Math.max(warmHeap, heap);
    else if (heap > warmHeap + MOST_GROWTH_BYTES) {
      say({ kind: 'found', finding: grown(heap - warmHeap) });
      return;
    }
    say({ kind: 'heap', bytes: heap });
  }
}

function grown(bytes: number): Finding {
  const message = `the heap grew by ${Math.round(bytes / 1024 / 1024)} MB while nothing should be kept`;
  return { target: 'all', message, seed: task.seed, path: '', bytes: new Uint8Array() };
}

await main();
