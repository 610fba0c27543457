import type { Attempt } from '../../src/payment/attempt.ts';
import { isFinal } from '../../src/payment/machine.ts';

/** Both sides may need this long, once they are back. */
const WITHIN_MS = 60_000;

interface Doubt {
  readonly deviceId: string;
  /** Since when agent, line and terminal are well and the terminal is idle, without a break; null: they are not. */
  wellSince: number | null;
  /** They were well for long enough and nobody knew yet. */
  late: boolean;
}

/**
 * How long the agent took to settle what was in doubt, counted from the moment when both sides were back and idle.
 * A doubt counts when it was settled, or when both sides were well for a minute in a row.
 */
export class Doubts {
  counted = 0;
  resolvedInTime = 0;
  readonly #open = new Map<string, Doubt>();
  readonly #isWell: (deviceId: string) => boolean;
  readonly #now: () => number;

  constructor(isWell: (deviceId: string) => boolean, now: () => number) {
    this.#isWell = isWell;
    this.#now = now;
  }

  changed(attempt: Attempt, before: Attempt | undefined): void {
    if (attempt.state.name === 'in_doubt' && !this.#open.has(attempt.id)) {
      const wellSince = this.#isWell(attempt.deviceId) ? this.#now() : null;
      this.#open.set(attempt.id, { deviceId: attempt.deviceId, wellSince, late: false });
    }
    if (isFinal(attempt.state) && before?.state.name === 'in_doubt') this.#settled(attempt);
  }

  /** Something of the world has changed. */
  look(): void {
    for (const doubt of this.#open.values()) {
      const isWell = this.#isWell(doubt.deviceId);
      this.#noteLate(doubt);
      if (!isWell) doubt.wellSince = null;
      else doubt.wellSince ??= this.#now();
    }
  }

  #settled(attempt: Attempt): void {
    const doubt = this.#open.get(attempt.id);
    this.#open.delete(attempt.id);
    if (!doubt) return;
    this.#noteLate(doubt);
    if (doubt.late || attempt.evidence?.kind === 'person') return;
    this.counted += 1;
    this.resolvedInTime += 1;
  }

  #noteLate(doubt: Doubt): void {
    if (doubt.late || doubt.wellSince === null || this.#now() - doubt.wellSince <= WITHIN_MS) return;
    doubt.late = true;
    this.counted += 1;
  }
}
