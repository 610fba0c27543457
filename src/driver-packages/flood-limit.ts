import type { Clock } from '../base/clock.ts';

/** What a package may send in a burst, and in each second afterwards. A payment needs some fifty messages, a full journal one megabyte. */
const BURST = { messages: 8000, bytes: 8_388_608 };
const PER_SECOND = { messages: 2000, bytes: 1_048_576 };

/** A token bucket for the messages of one process. */
export class FloodLimit {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #left = { ...BURST };
  #at: number;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#at = clock.monotonic();
  }

  /** Whether one more message of this size is within the limit. */
  takes(bytes: number): boolean {
    const now = this.#clock.monotonic();
    const seconds = (now - this.#at) / 1000;
    this.#at = now;
    this.#left = {
      messages: Math.min(BURST.messages, this.#left.messages + seconds * PER_SECOND.messages) - 1,
      bytes: Math.min(BURST.bytes, this.#left.bytes + seconds * PER_SECOND.bytes) - bytes,
    };
    return this.#left.messages >= 0 && this.#left.bytes >= 0;
  }
}
