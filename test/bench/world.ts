import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { WorldOptions, WorldPlaces } from './world-process.ts';

const WORLD = fileURLToPath(new URL('world-process.ts', import.meta.url));

/** Starts the service and a terminal in another process; it ends when `disconnect` is called on it. */
export async function startWorld(
  options: WorldOptions,
): Promise<{ readonly world: ChildProcess; readonly places: WorldPlaces }> {
  const world = fork(WORLD, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  world.send(options);
  const [places] = (await once(world, 'message')) as [WorldPlaces];
  return { world, places };
}
