import { schedule } from 'node-cron';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';

/** A small scheduled job. */
export interface Chore {
  readonly name: string;
  /** Cron expression, local time. */
  readonly when: string;
  /** False: not now; the next scheduled time tries again. */
  readonly may: () => boolean;
  readonly run: () => void;
  /** Runs at the start, too. */
  readonly now?: boolean;
}

/** Runs the jobs on their schedules; a failing job is logged and tried again at its next time. */
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
