import type { Clock, Timer } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import { type Money, tellOfBreak } from './money.ts';

/** So many rows a second take about one per cent of a processor, and a journal of ten years three hours. */
const STEP = { rows: 500, everyMs: 1_000 } as const;

export interface WalkPorts {
  readonly money: Pick<Money, 'journalWatch'>;
  /** Nobody pays, and the disk does what it is told. */
  readonly quiet: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
}

/** Checks in small steps what the start has left unchecked of a long journal. */
export function walkJournal({ money, quiet, clock, log, lifecycle }: WalkPorts): void {
  const { journalWatch } = money;
  const next: { timer?: Timer } = {};
  const later = () => {
    if (!journalWatch.isDone) next.timer = clock.timer('journal walk', STEP.everyMs, step);
  };
  const step = () => {
    try {
      if (quiet()) journalWatch.step(STEP.rows);
      if (journalWatch.isDone) tellOfBreak(journalWatch.found, log);
      later();
    } catch (error) {
      log.error({ error: messageOf(error) }, 'the journal could not be read any further');
    }
  };
  later();
  lifecycle.started('journal walk', () => next.timer?.stop());
}
