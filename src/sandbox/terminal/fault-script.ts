import { AppError } from '../../base/errors.ts';
import type { Fault, FaultKind, FaultPoint } from '../controllable-terminal.ts';

/** A fault that applies now. */
export interface Strike {
  readonly do: FaultKind;
  readonly ms: number;
}

const DEFAULT_MS = 1000;
const MAX_FAULTS = 64;

/**
 * Which fault applies at which point. At each visit of a point the oldest fault for it applies once,
 * for `times` visits; then the next one follows.
 */
export class FaultScript {
  readonly #faults: { readonly fault: Fault; left: number }[] = [];

  constructor(faults: readonly Fault[]) {
    for (const fault of faults) this.add(fault);
  }

  /** @throws SANDBOX_FAULT_INVALID for a number that is not a whole number in range, or when 64 faults are pending. */
  add(fault: Fault): void {
    const { ms = DEFAULT_MS, times = 1 } = fault;
    const wrong = !inRange(ms, 0, 86_400_000) || !inRange(times, 1, 1_000_000);
    if (wrong || this.#faults.length >= MAX_FAULTS) {
      const why = wrong ? '`ms` is 0 to 86400000 and `times` 1 to 1000000' : `at most ${MAX_FAULTS} may wait`;
      throw new AppError('SANDBOX_FAULT_INVALID', `this fault cannot be taken: ${why}`);
    }
    this.#faults.push({ fault, left: times });
  }

  forget(): void {
    this.#faults.length = 0;
  }

  /** Pending faults, oldest first. */
  get waiting(): readonly Required<Fault>[] {
    return this.#faults.map(({ fault, left }) => ({
      when: fault.when,
      do: fault.do,
      ms: fault.ms ?? DEFAULT_MS,
      times: left,
    }));
  }

  /** The fault of this visit, if any. */
  take(point: FaultPoint): Strike | undefined {
    const index = this.#faults.findIndex(({ fault }) => fault.when === point);
    const entry = this.#faults[index];
    if (!entry) return undefined;
    entry.left -= 1;
    if (entry.left === 0) this.#faults.splice(index, 1);
    return { do: entry.fault.do, ms: entry.fault.ms ?? DEFAULT_MS };
  }
}

function inRange(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most;
}
