import { randomInt, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { RateLimiter } from '../plugins/rate-limiter.ts';

const DIGITS = 8;
const LIFE_MS = 300_000;
/** Wrong attempts that a code survives; then its user requests another code. */
const MAX_WRONG = 20;
const MAX_CODES = 8;
/** For each address: a device of the network that guesses keeps no one else from signing in. Right and wrong attempts cost the same. */
const TRIES = { perMinute: 12, burst: 6 } as const;

interface Code<T> {
  readonly text: string;
  readonly opens: T;
  /** On the monotonic clock. */
  readonly endsAt: number;
  wrong: number;
}

/**
 * Codes of eight digits that are good once: to sign in, or to pair a browser. Kept in memory: a restart removes them, and no file ever holds one.
 *
 * INVARIANTS:
 * - a code is used once at most, within five minutes;
 * - eight are valid at a time, the oldest goes first;
 * - a code survives at most 20 wrong attempts, so that guessing has a chance of 1 in 5 million for each of them.
 */
export class OneTimeCodes<T> {
  readonly #clock: Clock;
  readonly #tries: RateLimiter;
  readonly #another: string;
  #codes: Code<T>[] = [];

  /** @param another the command that makes another code */
  constructor(clock: Clock, another: string) {
    this.#another = another;
    this.#clock = clock;
    this.#tries = new RateLimiter(TRIES, clock);
  }

  /** `expiresAt`: epoch ms. */
  make(opens: T): { readonly code: string; readonly expiresAt: number } {
    const text = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
    const endsAt = this.#clock.monotonic() + LIFE_MS;
    this.#codes = [...this.#living().slice(-(MAX_CODES - 1)), { text, opens, endsAt, wrong: 0 }];
    return { code: text, expiresAt: this.#clock.now() + LIFE_MS };
  }

  /**
   * Uses a code up. @param from the address that shows it
   * @throws RATE_LIMITED; SIGN_IN_REFUSED: the same error for a wrong, a used and an expired code
   */
  use(text: string, from: string): T {
    this.#tries.take(from);
    const living = this.#living();
    const found = living.find((code) => isSame(code.text, text));
    if (found) {
      this.#codes = living.filter((code) => code !== found);
      return found.opens;
    }
    for (const code of living) code.wrong += 1;
    throw new AppError(
      'SIGN_IN_REFUSED',
      `This code opens nothing: it is wrong, used or over 5 minutes old. Make another one with ${this.#another}`,
    );
  }

  #living(): Code<T>[] {
    const now = this.#clock.monotonic();
    return this.#codes.filter(({ endsAt, wrong }) => now < endsAt && wrong < MAX_WRONG);
  }
}

function isSame(ours: string, given: string): boolean {
  const [a, b] = [Buffer.from(ours), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
