import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { replayTrace, type TraceResult } from './replay-trace.ts';
import { nameOfTrace, type Step } from './trace.ts';
import { makeTrace } from './trace-maker.ts';

/** What the command asks of one worker: these seeds, each a trace, one after the other. */
export const Order = z.object({
  seeds: z.array(z.int().nonnegative()),
  folder: z.string(),
  /** Ms from now; what is left of the seeds then is not replayed. */
  limitMs: z.number(),
});
export type Order = z.infer<typeof Order>;

/** What a worker says of each seed. */
export interface Report {
  readonly seed: number;
  /** Its steps, to tell one trace from another. */
  readonly name: string;
  readonly result: TraceResult;
}

/** Makes the next trace while one is replayed. */
async function work({ seeds, folder, limitMs }: Order): Promise<void> {
  const endsAt = performance.now() + limitMs;
  let next: Promise<readonly Step[]> | undefined =
    seeds[0] === undefined ? undefined : makeTrace(seeds[0], folder);
  for (const [index, seed] of seeds.entries()) {
    if (performance.now() > endsAt) break;
    const steps = (await next) ?? [];
    const following = seeds[index + 1];
    next = following === undefined ? undefined : makeTrace(following, folder);
    const state = join(folder, String(seed));
    const result = await replayTrace(steps, state, seed);
    rmSync(state, { recursive: true, force: true });
    process.send?.({ seed, name: nameOfTrace(steps), result } satisfies Report);
  }
  await next;
  process.disconnect();
}

process.on('message', (order) => {
  work(Order.parse(order)).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  });
});
