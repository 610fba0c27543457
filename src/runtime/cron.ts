import { schedule } from 'node-cron';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';

/** A small scheduled job. */
export interface ScheduledJob {
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
export function startCron(jobs: readonly ScheduledJob[], log: Log): { stop(): Promise<void> } {
  const run = (job: ScheduledJob) => {
    if (!job.may()) return;
    try {
      job.run();
    } catch (error) {
      log.error({ job: job.name, error: messageOf(error) }, 'job failed');
    }
  };
  for (const job of jobs) if (job.now) run(job);
  const tasks = jobs.map((job) => schedule(job.when, () => run(job), { name: job.name, noOverlap: true }));
  return {
    stop: async () => {
      await Promise.all(tasks.map((task) => task.destroy()));
    },
  };
}
