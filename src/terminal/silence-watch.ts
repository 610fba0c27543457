import type { Clock } from '../base/clock.ts';

/** A terminal that was quick so far is called silent after this. */
const SILENT_MS = 750;
/** A slow one not later than this. */
const LONGEST_MS = 3000;

/**
 * Tells that a question is unanswered for longer than this terminal needs, long before the protocol gives up on it.
 * Why: a driver waits up to 15 s on a line without an answer, and the counter should know within two, the pause between two beats included.
 * It only tells; the question goes on, and an answer that comes after all counts.
 */
export class SilenceWatch {
  readonly #clock: Clock;
  /** What an answer takes on the average, ms, the newest counting a quarter: one slow answer is no habit. */
  #usualMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Asks; calls `onSilence` at most once, while there is no answer. */
  async during<T>(ask: () => Promise<T>, onSilence: () => void): Promise<T> {
    const asked = this.#clock.monotonic();
    const patience = Math.min(LONGEST_MS, Math.max(SILENT_MS, 2 * this.#usualMs));
    const timer = this.#clock.timer('terminal-silent', patience, onSilence);
    try {
      const answer = await ask();
      this.#usualMs += (this.#clock.monotonic() - asked - this.#usualMs) / 4;
      return answer;
    } finally {
      timer.stop();
    }
  }
}
