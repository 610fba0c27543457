import type { Clock, Timer } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Attempt } from '../attempt/attempt.ts';

/** The longest delay that a timer takes; nobody waits that long. */
const LONGEST_MS = 3_600_000;
/** After a disk error. */
const TRY_AGAIN_MS = 1000;

/**
 * Who waits in front of a terminal, and until when.
 * Why a clock of its own: a wall clock that is set back must make no request younger, and one that waits behind a long
 * payment must be told when its time is over, not when the terminal is free again.
 */
export class WaitingDeadlines {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #onTimeOver: (id: string) => void;
  #closed = false;
  readonly #guests = new Map<string, { readonly enteredAt: number; readonly timer: Timer }>();

  constructor(clock: Clock, log: Log, onTimeOver: (id: string) => void) {
    this.#clock = clock;
    this.#log = log;
    this.#onTimeOver = onTimeOver;
  }

  /** Begins to count; a second time changes nothing, and neither does anything once it is closed. */
  enter(attempt: Attempt): void {
    if (this.#closed || this.#guests.has(attempt.id)) return;
    const ms = Math.min(Math.max(0, attempt.expiresAt - this.#clock.now()), LONGEST_MS);
    this.#guests.set(attempt.id, { enteredAt: this.#clock.monotonic(), timer: this.#timer(attempt.id, ms) });
  }

  leave(id: string): void {
    this.#guests.get(id)?.timer.stop();
    this.#guests.delete(id);
  }

  /** What is left of a request's time, in ms, by whichever clock says less. */
  msLeft(attempt: Attempt): number {
    const guest = this.#guests.get(attempt.id);
    const waited = guest ? this.#clock.monotonic() - guest.enteredAt : 0;
    const span = attempt.expiresAt - attempt.createdAt;
    return Math.min(attempt.expiresAt - this.#clock.now(), span - waited);
  }

  close(): void {
    this.#closed = true;
    for (const id of [...this.#guests.keys()]) this.leave(id);
  }

  /** A disk that refuses the end of a wait must not end the process, and somebody may be paying: it is tried again. */
  #timer(id: string, ms: number): Timer {
    return this.#clock.timer('lane-wait', ms, () => {
      try {
        this.#onTimeOver(id);
      } catch (error) {
        this.#log.error({ attempt: id, error: messageOf(error) }, 'end of a wait could not be stored');
        const guest = this.#guests.get(id);
        if (guest) this.#guests.set(id, { ...guest, timer: this.#timer(id, TRY_AGAIN_MS) });
      }
    });
  }
}
