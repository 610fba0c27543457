import type { Clock } from '../../base/clock.ts';

const EVERY_MS = 60_000;
const MAX_SUBJECTS = 512;

interface Occurrence {
  at: number;
  since: number;
}

/**
 * Throttles each subject to once a minute, so that repeated events fill neither the log nor the disk.
 *
 * INVARIANT: at most 512 subjects are remembered; removing the oldest only makes it due again.
 */
export class Throttled {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #subjects = new Map<string, Occurrence>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** @returns how often it was called since it was last due, this call included; null: it is not due */
  due(subject: string): number | null {
    const now = this.#clock.monotonic();
    const last = this.#subjects.get(subject);
    if (last && now - last.at < EVERY_MS) {
      last.since += 1;
      return null;
    }
    this.#subjects.delete(subject);
    this.#subjects.set(subject, { at: now, since: 0 });
    const oldest = this.#subjects.keys().next();
    if (this.#subjects.size > MAX_SUBJECTS && !oldest.done) this.#subjects.delete(oldest.value);
    return (last?.since ?? 0) + 1;
  }
}
