import { mkdirSync, rmSync } from 'node:fs';
import { z } from 'zod';
import { playSeed } from './simulate-shop.ts';

const Order = z.object({ seed: z.int().positive(), folder: z.string() });

async function play({ seed, folder }: z.infer<typeof Order>): Promise<void> {
  mkdirSync(folder, { recursive: true });
  try {
    process.send?.(await playSeed(seed, folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.on('disconnect', () => process.exit(0));
process.on('message', (order) => void play(Order.parse(order)));
