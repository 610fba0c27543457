import type { Clock, Timer } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Attempt } from '../attempt/attempt.ts';

/** The longest delay of one timer; no request waits that long. */
const LONGEST_MS = 3_600_000;
/** After a disk error. */
const TRY_AGAIN_MS = 1000;

/**
 * The waiting requests of a terminal, and their deadlines.
 * Why by the monotonic clock as well: a wall clock that is set back must make no request younger. Why a timer each: a request behind a long
 * payment must end on time, not when the terminal is free again.
 */
export class WaitingDeadlines {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #onTimeOver: (id: string) => void;
  #closed = false;
  readonly #waiting = new Map<string, { readonly enteredAt: number; readonly timer: Timer }>();

  constructor(clock: Clock, log: Log, onTimeOver: (id: string) => void) {
    this.#clock = clock;
    this.#log = log;
    this.#onTimeOver = onTimeOver;
  }

  /** Starts the deadline; a second call changes nothing, and neither does a call after `close`. */
  enter(attempt: Attempt): void {
    if (this.#closed || this.#waiting.has(attempt.id)) return;
    const ms = Math.min(Math.max(0, attempt.expiresAt - this.#clock.now()), LONGEST_MS);
    this.#waiting.set(attempt.id, { enteredAt: this.#clock.monotonic(), timer: this.#timer(attempt.id, ms) });
  }

  leave(id: string): void {
    this.#waiting.get(id)?.timer.stop();
    this.#waiting.delete(id);
  }

  /** The rest of a request's time, in ms, by the clock that gives less. */
  msLeft(attempt: Attempt): number {
    const entered = this.#waiting.get(attempt.id);
    const waited = entered ? this.#clock.monotonic() - entered.enteredAt : 0;
    const span = attempt.expiresAt - attempt.createdAt;
    return Math.min(attempt.expiresAt - this.#clock.now(), span - waited);
  }

  close(): void {
    this.#closed = true;
    for (const id of [...this.#waiting.keys()]) this.leave(id);
  }

  /** An end that cannot be stored is tried again: it must not end the process while a customer may be paying. */
  #timer(id: string, ms: number): Timer {
    return this.#clock.timer('queue-wait', ms, () => {
      try {
        this.#onTimeOver(id);
      } catch (error) {
        this.#log.error({ attempt: id, error: messageOf(error) }, 'end of a wait could not be stored');
        const entered = this.#waiting.get(id);
        if (entered) this.#waiting.set(id, { ...entered, timer: this.#timer(id, TRY_AGAIN_MS) });
      }
    });
  }
}
