import { ANSWER_LIFE_MS } from '../api/plugins/idempotency.ts';
import type { Clock } from '../base/clock.ts';
import type { ScheduledJob } from '../runtime/cron.ts';
import type { ConnectionLog } from '../terminal/connection-log.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { Integrations } from './integrations.ts';
import type { Money } from './money.ts';
import type { WallClockCheck } from './wall-clock-check.ts';

export interface ScheduledJobsDeps {
  readonly money: Money;
  readonly connections: Pick<ConnectionLog, 'keep'>;
  readonly clockWatch: Pick<WallClockCheck, 'look'>;
  readonly webhooks: Pick<Webhooks, 'tidy'>;
  readonly integrations: Pick<Integrations, 'tick' | 'tidy'>;
  readonly clock: Clock;
  /** No payment runs, and the disk accepts writes; most jobs wait for it. */
  readonly quiet: () => boolean;
}

/** The scheduled jobs. */
export function scheduledJobs({
  money,
  connections,
  clockWatch,
  webhooks,
  integrations,
  clock,
  quiet,
}: ScheduledJobsDeps): readonly ScheduledJob[] {
  return [
    // The space in the log is checked every second; in a shop with few sales only this job empties the log, at three syncs each time.
    { name: 'checkpoint', when: '37 * * * *', may: quiet, run: () => money.database.checkpoint() },
    { name: 'clock', when: '*/10 * * * *', may: () => true, run: () => void clockWatch.look(), now: true },
    { name: 'elapsed time', when: '*/10 * * * *', may: quiet, run: () => money.elapsed.keep() },
    { name: 'connections of terminals', when: '*/10 * * * *', may: quiet, run: () => connections.keep() },
    { name: 'journal anchor', when: '7 * * * *', may: quiet, run: () => money.anchorJournal(), now: true },
    {
      name: 'old answers',
      when: '*/10 * * * *',
      may: quiet,
      run: () => void money.answers.forgetBefore(clock.now() - ANSWER_LIFE_MS),
    },
    { name: 'syncs that are due', when: '*/5 * * * * *', may: () => true, run: () => integrations.tick() },
    { name: 'old runs', when: '*/5 * * * *', may: quiet, run: () => integrations.tidy() },
    { name: 'old webhooks', when: '*/5 * * * *', may: quiet, run: () => void webhooks.tidy() },
  ];
}
