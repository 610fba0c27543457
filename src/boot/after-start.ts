import type { Clock, Timer } from '../base/clock.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';

/** How long after it the first payment has the process for itself. */
const REST_MS = 1_000;
/** So long is waited for a terminal that does not come. */
const LATEST_MS = 15_000;

export interface AfterStart {
  readonly clock: Clock;
  readonly lifecycle: Lifecycle;
  /** Aborts when it is to begin no more. */
  readonly signal: AbortSignal;
}

/**
 * What no payment needs is begun once the start is over, or after 15 s.
 * @returns says that the start is over
 */
export function afterStart({ clock, lifecycle, signal }: AfterStart, run: () => void): () => void {
  let begun = false;
  const begin = () => {
    begun = true;
    if (!signal.aborted) run();
  };
  let timer: Timer = clock.timer('after the start', LATEST_MS, begin);
  lifecycle.started('after the start', () => timer.stop());
  return () => {
    if (begun || signal.aborted) return;
    timer.stop();
    timer = clock.timer('after the start', REST_MS, begin);
  };
}
