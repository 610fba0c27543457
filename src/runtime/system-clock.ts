import type { Clock } from '../base/clock.ts';

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  timer: (_name, ms, fn) => {
    const handle = setTimeout(fn, ms);
    return { stop: () => clearTimeout(handle) };
  },
};
