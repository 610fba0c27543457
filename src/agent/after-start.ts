import type { Clock, Timer } from '../base/clock.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';

/** So long after the start the first payment does not share the process with other work. */
const REST_MS = 1_000;
/** Longest wait for a terminal that does not connect. */
const LATEST_MS = 15_000;

export interface AfterStart {
  readonly clock: Clock;
  readonly lifecycle: Lifecycle;
  /** Aborts when the work must not start any more. */
  readonly signal: AbortSignal;
}

/**
 * Starts the work that no payment needs once the start is over, or after 15 s.
 * @returns the call that reports that the start is over
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
