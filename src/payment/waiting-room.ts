import type { Clock, Timer } from '../base/clock.ts';
import type { Attempt } from './attempt.ts';

/** The longest delay that a timer takes; nobody waits that long. */
const LONGEST_MS = 3_600_000;

/**
 * Who waits in front of a terminal, and until when.
 * Why a clock of its own: a wall clock that is set back must make no request younger, and one that waits behind a long
 * payment must be told when its time is over, not when the terminal is free again.
 */
export class WaitingRoom {
  readonly #clock: Clock;
  readonly #onTimeOver: (id: string) => void;
  readonly #guests = new Map<string, { readonly enteredAt: number; readonly timer: Timer }>();

  constructor(clock: Clock, onTimeOver: (id: string) => void) {
    this.#clock = clock;
    this.#onTimeOver = onTimeOver;
  }

  /** Begins to count; a second time changes nothing. */
  enter(attempt: Attempt): void {
    if (this.#guests.has(attempt.id)) return;
    const ms = Math.min(Math.max(0, attempt.expiresAt - this.#clock.now()), LONGEST_MS);
    const timer = this.#clock.timer('lane-wait', ms, () => this.#onTimeOver(attempt.id));
    this.#guests.set(attempt.id, { enteredAt: this.#clock.monotonic(), timer });
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
    for (const id of [...this.#guests.keys()]) this.leave(id);
  }
}
