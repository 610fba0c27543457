import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Key } from '../controllable-terminal.ts';

/** Most keys that may be pressed in advance. */
const MAX_WAITING = 16;

/**
 * The keys of a virtual terminal; each stands for an action of the customer.
 * Why: a test presses a key before the payment starts, staff press one while it runs, and the demo presses none.
 *
 * INVARIANTS:
 * - keys are taken in the order they were pressed, each once;
 * - the autopilot presses only while a dialogue waits for a key and none was pressed.
 */
export class Keypad {
  readonly #clock: Clock;
  #autopilot: Key | 'off';
  readonly #autopilotMs: number;
  readonly #waiting: Key[] = [];
  #take: ((key: Key) => void) | undefined;

  constructor(clock: Clock, autopilot: Key | 'off', autopilotMs: number) {
    this.#clock = clock;
    this.#autopilot = autopilot;
    this.#autopilotMs = autopilotMs;
  }

  get autopilot(): Key | 'off' {
    return this.#autopilot;
  }

  /** Switching it off takes effect at once; switching it on, from the next wait on. */
  set autopilot(key: Key | 'off') {
    this.#autopilot = key;
  }

  /** @throws SANDBOX_KEYPAD_FULL when 16 keys are waiting. */
  press(key: Key): void {
    if (this.#take) {
      this.#take(key);
      return;
    }
    if (this.#waiting.length >= MAX_WAITING) {
      throw new AppError('SANDBOX_KEYPAD_FULL', `${MAX_WAITING} keys wait already; start a payment first`);
    }
    this.#waiting.push(key);
  }

  /**
   * The next key: one that was pressed or, after its time, the autopilot's (unless `alone`).
   * @throws the signal's reason when it aborts first.
   */
  next(signal: AbortSignal, alone = false): Promise<Key> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const waiting = this.#waiting.shift();
    if (waiting) return Promise.resolve(waiting);
    return new Promise((resolve, reject) => {
      const autopilot = alone ? undefined : this.#startAutopilot();
      const release = () => {
        autopilot?.stop();
        this.#take = undefined;
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = () => {
        release();
        reject(signal.reason);
      };
      this.#take = (key) => {
        release();
        resolve(key);
      };
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #startAutopilot() {
    if (this.#autopilot === 'off') return undefined;
    return this.#clock.timer('sandbox autopilot', this.#autopilotMs, () => {
      if (this.#autopilot !== 'off') this.#take?.(this.#autopilot);
    });
  }
}
