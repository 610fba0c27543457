import { ANSWER_LIFE_MS } from '../api/plugins/idempotency.ts';
import type { Clock } from '../base/clock.ts';
import type { ScheduledJob } from '../runtime/cron.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { Integrations } from './integrations.ts';
import type { Money } from './money.ts';
import type { WallClockCheck } from './wall-clock-check.ts';

/** The scheduled jobs. `quiet`: no payment runs, and the disk accepts writes; most jobs wait for it. */
export function scheduledJobs(
  money: Money,
  clockWatch: Pick<WallClockCheck, 'look'>,
  webhooks: Pick<Webhooks, 'tidy'>,
  integrations: Pick<Integrations, 'tick' | 'tidy'>,
  clock: Clock,
  quiet: () => boolean,
): readonly ScheduledJob[] {
  return [
    // The space in the log is checked every second; in a shop with few sales only this job empties the log, at three syncs each time.
    { name: 'checkpoint', when: '37 * * * *', may: quiet, run: () => money.database.checkpoint() },
    { name: 'clock', when: '*/10 * * * *', may: () => true, run: () => void clockWatch.look(), now: true },
    { name: 'elapsed time', when: '*/10 * * * *', may: quiet, run: () => money.elapsed.keep() },
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
