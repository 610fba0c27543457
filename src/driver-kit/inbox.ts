import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { invariant } from '../base/invariant.ts';

/** How long to wait for the next item, and the timer's name in traces. */
export interface TimeLimit {
  readonly name: string;
  readonly ms: number;
}

/**
 * A queue with at most one waiter: the reader of a link adds items, a dialogue takes them.
 * Why: frames come at any time; a dialogue needs them one by one, with a deadline.
 *
 * INVARIANTS:
 * - an item is returned once, in the order it came;
 * - after `fail` the earlier items are still returned, then every wait rejects with that error;
 * - at most `limit` items wait; one more fails the inbox.
 */
export class Inbox<T> {
  readonly #clock: Clock;
  readonly #limit: number;
  #items: T[] = [];
  #waiter: { give(item: T): void; reject(error: AppError): void } | undefined;
  #failure: AppError | undefined;

  constructor(clock: Clock, limit = 256) {
    this.#clock = clock;
    this.#limit = limit;
  }

  get length(): number {
    return this.#items.length;
  }

  offer(item: T): void {
    if (this.#failure) return;
    if (this.#waiter) this.#waiter.give(item);
    else if (this.#items.length < this.#limit) this.#items.push(item);
    else
      this.fail(
        new AppError('TERMINAL_GARBLED', `more than ${this.#limit} frames came unasked`, { retry: 'safe' }),
      );
  }

  fail(error: AppError): void {
    if (this.#failure) return;
    this.#failure = error;
    this.#waiter?.reject(error);
  }

  /** Drops the unsolicited items; returns how many. */
  drain(): number {
    const dropped = this.#items.length;
    this.#items = [];
    return dropped;
  }

  /**
   * The next item.
   * @throws TERMINAL_NO_ANSWER after `timeLimit`, the failure of the inbox, or the signal's reason.
   */
  next(timeLimit: TimeLimit, signal: AbortSignal): Promise<T> {
    const ready = this.#items.shift();
    if (ready !== undefined) return Promise.resolve(ready);
    if (this.#failure) return Promise.reject(this.#failure);
    if (signal.aborted) return Promise.reject(reasonOf(signal));
    invariant(!this.#waiter, 'two dialogues wait on one link');
    return this.#wait(timeLimit, signal);
  }

  #wait(timeLimit: TimeLimit, signal: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const release = () => {
        this.#waiter = undefined;
        timer.stop();
        signal.removeEventListener('abort', onAbort);
      };
      const refuse = (error: AppError) => {
        release();
        reject(error);
      };
      const onAbort = () => refuse(reasonOf(signal));
      const timer = this.#clock.timer(timeLimit.name, timeLimit.ms, () => refuse(silence(timeLimit)));
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiter = {
        give: (item) => {
          release();
          resolve(item);
        },
        reject: refuse,
      };
    });
  }
}

/** Why a signal was aborted, as an AppError. */
export function reasonOf(signal: AbortSignal): AppError {
  if (signal.reason instanceof AppError) return signal.reason;
  return new AppError('TERMINAL_STOPPED', 'the conversation with the terminal was stopped', {
    retry: 'after_recovery',
    cause: signal.reason,
  });
}

/** Nothing came within a time limit. */
export function silence(timeLimit: TimeLimit): AppError {
  return new AppError('TERMINAL_NO_ANSWER', `the terminal did not answer within ${seconds(timeLimit.ms)} s`, {
    retry: 'safe',
    context: { wait: timeLimit.name, ms: timeLimit.ms },
  });
}

/** To a tenth: what is left of a time limit has many digits, which may look like a card number. */
function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
