import type { Clock, Timer } from '../base/clock.ts';
import { hasCode, messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import { type BackfillProgress, IdBackfill } from '../store/backfill/id-backfill.ts';
import type { Money } from './money.ts';

/** A step takes some milliseconds of a desktop's processor and writes 0.8 MiB where every id changes: a million payments take three hours. */
const STEP = { rows: 100, everyMs: 1_000 } as const;
/** So long after a full disk the backfill tries again. */
const FULL_MS = 600_000;

export interface BackfillIdsDeps {
  readonly money: Pick<Money, 'database'>;
  /** No payment runs, and the disk accepts writes. */
  readonly quiet: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
}

/** How many payments of an older release have their ids in the form of this release; null: all. */
export interface IdBackfilling {
  readonly progress: BackfillProgress | null;
}

/**
 * Converts the ids of payments of an older release to the canonical form, step by step, while no payment runs. On a full disk it waits; any other
 * failure of a step stops the backfill until the next start, and nothing else: the guards keep searching the older forms.
 */
export function backfillIds({ money, quiet, clock, log, lifecycle }: BackfillIdsDeps): IdBackfilling {
  const backfill = new IdBackfill(money.database);
  if (backfill.progress === null) return backfill;
  const next: { timer?: Timer } = {};
  const later = (ms: number) => {
    next.timer = clock.timer('id backfill', ms, step);
  };
  const step = () => {
    try {
      if (quiet()) backfill.step(STEP.rows);
      if (backfill.progress !== null) return later(STEP.everyMs);
      log.info({}, 'ids of older payments are in one form, the upgrade is finished');
    } catch (error) {
      if (hasCode(error, 'STORAGE_FULL')) return later(FULL_MS);
      log.error({ error: messageOf(error) }, 'the upgrade of older payments stops until the next start');
    }
  };
  log.info(
    { ...backfill.progress },
    'ids of older payments are brought into one form while no customer pays',
  );
  later(STEP.everyMs);
  lifecycle.started('id backfill', () => next.timer?.stop());
  return backfill;
}
