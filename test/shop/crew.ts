import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { SeedResult } from './simulate-shop.ts';

/** A week takes some seconds; one that takes longer than this runs in circles. Real time, ms. */
const LONGEST_WEEK_MS = 180_000;

/** Plays the seeds in several processes; the results stand in the order of the seeds. @throws Error that names the seed of a worker that dies */
export async function crewOf({
  from,
  count,
  folder,
  workers = availableParallelism(),
}: {
  readonly from: number;
  readonly count: number;
  readonly folder: string;
  readonly workers?: number;
}): Promise<readonly SeedResult[]> {
  const results: SeedResult[] = [];
  let next = from;
  const take = () => (next < from + count ? next++ : null);
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const worker = fork(new URL('./worker.ts', import.meta.url), { stdio: ['ignore', 2, 2, 'ipc'] });
      let seed = take();
      let limit: NodeJS.Timeout | undefined;
      const died = (how: string) => {
        clearTimeout(limit);
        worker.kill('SIGKILL');
        reject(new Error(`a worker died in seed ${seed}: ${how}`));
      };
      const go = () => {
        clearTimeout(limit);
        if (seed === null) {
          worker.removeAllListeners('exit');
          worker.disconnect();
          return resolve();
        }
        limit = setTimeout(died, LONGEST_WEEK_MS, 'it took too long');
        worker.send({ seed, folder: join(folder, String(seed)) });
      };
      worker.once('exit', (code, signal) => died(signal ?? `exit code ${code}`));
      worker.on('message', (result: SeedResult) => {
        results.push(result);
        seed = take();
        go();
      });
      go();
    });
  await Promise.all(Array.from({ length: Math.min(workers, count) }, work));
  return results.toSorted((one, other) => one.seed - other.seed);
}
