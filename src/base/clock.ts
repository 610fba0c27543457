import { abortWith } from './signals.ts';

/** A timer that can be stopped; stopping a fired one does nothing. */
export interface Timer {
  stop(): void;
}

/**
 * Time as a port, so that a simulated month takes seconds.
 * Deadlines use `monotonic`; schedules and records use `now`.
 */
export interface Clock {
  /** Wall clock: epoch milliseconds UTC. It may jump in either direction. */
  now(): number;
  /** Milliseconds since an arbitrary start; never goes back. */
  monotonic(): number;
  /** Calls `fn` once after `ms`; `name` appears in traces of the simulation. */
  timer(name: string, ms: number, fn: () => void): Timer;
}

/**
 * Waits `ms`.
 * @throws the signal's reason when it is aborted first.
 */
export function sleep(clock: Clock, ms: number, signal: AbortSignal, name = 'sleep'): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = () => {
      timer.stop();
      reject(signal.reason);
    };
    const timer = clock.timer(name, ms, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/**
 * Runs a task under a time limit: its signal aborts with `reason` after `ms`, or with the parent's reason.
 * The task must react to the signal; nothing else stops it.
 */
export async function withDeadline<T>(
  clock: Clock,
  ms: number,
  reason: () => Error,
  parent: AbortSignal | undefined,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timer = clock.timer('deadline', ms, () => controller.abort(reason()));
  const forget = abortWith(controller, parent ? [parent] : []);
  try {
    return await task(controller.signal);
  } finally {
    forget();
    timer.stop();
  }
}
