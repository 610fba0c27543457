import type { Clock, Timer } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { StateName } from '../attempt/state-machine.ts';

/**
 * The longest time of a dialogue in one phase, in ms, whatever the driver does: a driver that hangs must not hold its queue for ever. Longer
 * than any protocol's own time limits, which end a dialogue first.
 */
export const PHASE_MS = { dispatched: 60_000, accepted: 900_000, approved: 240_000 } as const;
/** How long a driver has for its end after the abort. */
export const GIVE_UP_MS = 5000;

/** Watches the phases of one money dialogue and aborts it when one takes too long. */
export class PhaseWatch {
  readonly #clock: Clock;
  readonly #givingUp = new AbortController();
  #phase: keyof typeof PHASE_MS = 'dispatched';
  #timer: Timer;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#timer = this.#arm();
  }

  /** Aborts when a phase has taken too long. */
  get signal(): AbortSignal {
    return this.#givingUp.signal;
  }

  /** The attempt is in this state now. */
  entered(state: StateName): void {
    const phase = phaseOf(state);
    if (phase === null || phase === this.#phase) return;
    this.#timer.stop();
    this.#phase = phase;
    this.#timer = this.#arm();
  }

  over(): void {
    this.#timer.stop();
  }

  #arm(): Timer {
    const phase = this.#phase;
    return this.#clock.timer(`phase ${phase}`, PHASE_MS[phase], () =>
      this.#givingUp.abort(
        new AppError('PHASE_TIMEOUT', `the terminal did not come further than "${phase}" in time`, {
          retry: 'after_recovery',
          moneyMoved: 'unknown',
        }),
      ),
    );
  }
}

function phaseOf(state: StateName): keyof typeof PHASE_MS | null {
  switch (state) {
    case 'dispatched':
    case 'approved':
      return state;
    case 'accepted':
    case 'cancelling':
      return 'accepted';
    default:
      return null;
  }
}
