import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { SignInStore } from '../ports.ts';

/** Wrong tries in a row without a pause. */
const FREE_TRIES = 5;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 3_600_000;

type TryStore = Pick<SignInStore, 'triesOf' | 'keepTries' | 'forgetTries'>;

/**
 * Tries to sign in with a PIN, counted for the person and for the device: neither can stop the rest of the shop.
 *
 * INVARIANTS:
 * - a try counts before it is judged, so that tries at the same moment are as many as tries in a row;
 * - after five wrong ones each doubles the pause: 30 s, 1 min, … at most an hour, also over a restart and a clock that is set.
 */
export class SignInTries {
  readonly #store: TryStore;
  readonly #clock: Clock;

  constructor(store: TryStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Counts a try of each subject. @throws SIGN_IN_PAUSED when one of them must wait; STORAGE_FULL, STORAGE_FAILED */
  take(subjects: readonly string[]): void {
    const now = this.#clock.now();
    const wait = Math.max(...subjects.map((subject) => this.#waitOf(subject, now)));
    if (wait > 0) throw paused(wait);
    for (const subject of subjects) {
      const failures = (this.#store.triesOf(subject)?.failures ?? 0) + 1;
      this.#store.keepTries(subject, { failures, freeAt: now + pauseAfter(failures) });
    }
  }

  /** The try was right. */
  succeeded(subjects: readonly string[]): void {
    for (const subject of subjects) this.#store.forgetTries(subject);
  }

  #waitOf(subject: string, now: number): number {
    const tries = this.#store.triesOf(subject);
    if (!tries) return 0;
    return Math.min(Math.max(tries.freeAt - now, 0), pauseAfter(tries.failures));
  }
}

function pauseAfter(failures: number): number {
  if (failures < FREE_TRIES) return 0;
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures - FREE_TRIES, 20), LONGEST_PAUSE_MS);
}

function paused(ms: number): AppError {
  const seconds = Math.ceil(ms / 1000);
  return new AppError(
    'SIGN_IN_PAUSED',
    `Too many wrong PINs: try again in ${seconds} s, or sign in with a passkey or a code`,
    { context: { headers: { 'retry-after': String(seconds) } } },
  );
}
