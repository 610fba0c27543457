import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type CutPlan, cutPower, type Losses } from './power-cuts.ts';
import { recordLife, Settings } from './recorded-life.ts';

/** One queue to be recorded and cut, as a process of its own is told. */
export const Order = z.object({
  recorder: z.string(),
  root: z.string(),
  file: z.string(),
  program: z.string(),
  find: z.string(),
  jobs: z.int(),
  plan: z.object({ seed: z.int(), moments: z.int(), disks: z.int() }),
});
export interface Order {
  readonly recorder: string;
  /** A folder, in memory if there is one; what is made below it is gone afterwards. */
  readonly root: string;
  readonly file: string;
  readonly program: string;
  readonly find: string;
  readonly jobs: number;
  readonly plan: CutPlan;
}

export interface Contest extends Losses {
  readonly as_shipped: Settings;
  /** Syncs of the file system per job, counted in the recording: what the durability costs. */
  readonly syncs_per_job: number;
}

/** What a worker answers: the losses, or why the queue could not run. */
export const Answer = z.union([
  z.object({
    contest: z.object({
      as_shipped: Settings,
      syncs_per_job: z.number(),
      acknowledged: z.int(),
      images: z.int(),
      images_with_loss: z.int(),
      images_unreadable: z.int(),
      lost_worst: z.int(),
      lost_median: z.int(),
      lost_at_the_end: z.int(),
    }),
  }),
  z.object({ error: z.string() }),
]);
export type Answer = { readonly contest: Contest } | { readonly error: string };

/**
 * Records one queue and cuts its power.
 * @throws Error when the queue does not work here.
 */
export async function contest({ recorder, root, plan, find, ...workload }: Order): Promise<Contest> {
  const folder = mkdtempSync(join(root, 'queue-'));
  try {
    const life = await recordLife(recorder, workload, folder);
    const first = life.events.findIndex(({ type }) => type === 'ack');
    const syncs = life.events.slice(first).filter(({ type }) => type === 'sync').length;
    const losses = cutPower(life, find, plan, join(folder, 'after'));
    return {
      as_shipped: life.settings,
      ...losses,
      syncs_per_job: Math.round((100 * syncs) / losses.acknowledged) / 100,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
