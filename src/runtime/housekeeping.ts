import { schedule } from 'node-cron';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';

/** A small job that runs when nobody pays. */
export interface Chore {
  readonly name: string;
  /** Cron expression, local time. */
  readonly when: string;
  /** False: not now; the next turn tries again. */
  readonly may: () => boolean;
  readonly run: () => void;
  /** Also at the start. */
  readonly now?: boolean;
}

/** Runs the chores on their schedules; a failing one is logged and tried at its next turn. */
export function startHousekeeping(chores: readonly Chore[], log: Log): { stop(): Promise<void> } {
  const run = (chore: Chore) => {
    if (!chore.may()) return;
    try {
      chore.run();
    } catch (error) {
      log.error({ chore: chore.name, error: messageOf(error) }, 'chore failed');
    }
  };
  for (const chore of chores) if (chore.now) run(chore);
  const tasks = chores.map((chore) =>
    schedule(chore.when, () => run(chore), { name: chore.name, noOverlap: true }),
  );
  return {
    stop: async () => {
      await Promise.all(tasks.map((task) => task.destroy()));
    },
  };
}
