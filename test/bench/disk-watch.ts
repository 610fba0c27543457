import { setTimeout as wait } from 'node:timers/promises';
import { diskLimit } from './disk-limit.ts';

/** Between two looks; what it writes must not be the load. */
const REST_MS = 100;

/** What a sync of this disk takes while others use it: one frame at a time until it is asked, then all times in ms. */
async function main(): Promise<void> {
  const times: number[] = [];
  process.once('message', () => process.send?.(times, () => process.exit(0)));
  for (;;) {
    times.push(...diskLimit(1));
    await wait(REST_MS);
  }
}

process.on('disconnect', () => process.exit(0));
await main();
