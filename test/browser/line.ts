import { readFileSync, writeFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import type { World } from '../support/daemon.ts';
import { ServiceLine } from '../support/service-line.ts';

/** Puts a line that can be cut between a world's daemon and its service; before the daemon is started. */
export async function lineOf(world: World): Promise<ServiceLine> {
  const line = await ServiceLine.to(world.service.url);
  onTestFinished(() => line.stop());
  writeFileSync(world.config, readFileSync(world.config, 'utf8').replaceAll(world.service.url, line.url));
  return line;
}
