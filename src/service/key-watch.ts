import type { Clock, Timer } from '../base/clock.ts';

/** How often a refused key is compared with the credential. */
const LOOK_MS = 2_000;

/**
 * Notices a rotation of the service's key: at every use, and every two seconds while the key is refused and no request reads it.
 * Why: after a 401 reports stop for minutes, and a new key must not wait for that.
 */
export class KeyWatch {
  readonly #clock: Clock;
  readonly #read: () => string | null;
  readonly #changed: () => void;
  #known: string | null | undefined;
  #timer: Timer | null = null;

  /** `changed` is called when `read` gives another key. */
  constructor(clock: Clock, read: () => string | null, changed: () => void) {
    this.#clock = clock;
    this.#read = read;
    this.#changed = changed;
  }

  /** The key in use now; null when there is none that may be sent. */
  readonly current = (): string | null => {
    const key = this.#read();
    const isNew = this.#known !== undefined && key !== null && key !== this.#known;
    this.#known = key;
    if (isNew) this.#changed();
    return key;
  };

  /** `refused`: whether the key is known to be refused, or missing. */
  refused(refused: boolean): void {
    if (!refused) this.stop();
    else if (!this.#timer) this.#look();
  }

  /** No check after this; idempotent. */
  stop(): void {
    this.#timer?.stop();
    this.#timer = null;
  }

  #look(): void {
    this.#timer = this.#clock.timer('key watch', LOOK_MS, () => {
      this.#look();
      this.current();
    });
  }
}
