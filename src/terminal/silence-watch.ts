import type { Clock, Timer } from '../base/clock.ts';

/** A terminal that was quick so far counts as silent after this time. */
const SILENT_MS = 750;
/** A slow terminal counts as silent after this time at the latest. */
const LONGEST_MS = 3000;
/** The wait is counted in steps of this length. */
const STEP_MS = 250;

/**
 * Notices that a request is unanswered for longer than this terminal usually needs, long before the protocol times out.
 * Why: a driver waits up to 15 s for an answer, and staff should know within two, the pause between two heartbeats included.
 * It only notifies; the request goes on, and a late answer counts.
 * A step counts its own length however late it ends: while tilld itself stands still (a slow disk, a busy processor) an answer that came is
 * not read, and that says nothing about the terminal.
 */
export class SilenceWatch {
  readonly #clock: Clock;
  /** Average answer time, ms; the newest counts a quarter, so that one slow answer changes little. */
  #usualMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs `ask`; calls `onSilence` at most once, while there is no answer. */
  async during<T>(ask: () => Promise<T>, onSilence: () => void): Promise<T> {
    const asked = this.#clock.monotonic();
    const silence = this.#wait(Math.min(LONGEST_MS, Math.max(SILENT_MS, 2 * this.#usualMs)), onSilence);
    try {
      const answer = await ask();
      this.#usualMs += (this.#clock.monotonic() - asked - this.#usualMs) / 4;
      return answer;
    } finally {
      silence.stop();
    }
  }

  #wait(ms: number, onEnd: () => void): Timer {
    const step = (left: number): Timer =>
      this.#clock.timer('terminal-silent', Math.min(STEP_MS, left), () => {
        if (left <= STEP_MS) onEnd();
        else timer = step(left - STEP_MS);
      });
    let timer = step(ms);
    return { stop: () => timer.stop() };
  }
}
