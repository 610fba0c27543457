import type { Clock, Timer } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import { logBreak, type Money } from './money.ts';

/** So many rows a second take about one per cent of a processor, and three hours for a journal of ten years. */
const STEP = { rows: 500, everyMs: 1_000 } as const;

export interface VerifyJournalDeps {
  readonly money: Pick<Money, 'journalWatch'>;
  /** No payment runs, and the disk accepts writes. */
  readonly quiet: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
}

/** Checks in small steps the rows of a long journal that the start has left unchecked. */
export function verifyJournal({ money, quiet, clock, log, lifecycle }: VerifyJournalDeps): void {
  const { journalWatch } = money;
  const next: { timer?: Timer } = {};
  const later = () => {
    if (!journalWatch.isDone) next.timer = clock.timer('journal walk', STEP.everyMs, step);
  };
  const step = () => {
    try {
      if (quiet()) journalWatch.step(STEP.rows);
      if (journalWatch.isDone) logBreak(journalWatch.found, log);
      later();
    } catch (error) {
      log.error({ error: messageOf(error) }, 'the journal could not be read any further');
    }
  };
  later();
  lifecycle.started('journal walk', () => next.timer?.stop());
}
