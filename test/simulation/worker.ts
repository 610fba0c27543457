import { join } from 'node:path';
import { z } from 'zod';
import { runHistory, SCENARIOS } from './history.ts';

/** What the crew asks of one worker: one history. */
const Order = z.object({ seed: z.int().positive(), scenario: z.string(), root: z.string() });
export type Order = z.infer<typeof Order>;

async function play({ seed, scenario, root }: Order): Promise<void> {
  const shape = SCENARIOS[scenario];
  if (!shape) throw new Error(`no scenario is called ${scenario}`);
  const { result } = await runHistory(shape, { seed, folder: join(root, String(seed)), trace: false });
  process.send?.(result);
}

// Ends with the crew's foreman, however that ended; what a history throws ends the worker, and the foreman names its seed.
process.on('disconnect', () => process.exit(1));
process.on('message', (order) => void play(Order.parse(order)));
