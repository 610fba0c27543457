import type { Clock, Timer } from '../../src/base/clock.ts';
import type { SimClock } from '../simulation/sim-clock.ts';

/** A computer of the shop: its wall clock may be set, and it may sleep; its monotonic clock does not count its sleep. */
export class Machine {
  /** How often it was started. */
  starts = 1;
  /** What the wall clock is wrong by, ms. */
  skewMs = 0;
  /** As a copy of its disk finds it elsewhere. */
  readonly identity: string;
  /** A folder that no copy of a state folder carries. */
  readonly outside: string;
  readonly time: SimClock;
  readonly #woken: (() => void)[] = [];
  #sleptMs = 0;
  #asleepSince: number | null = null;

  constructor(identity: string, outside: string, time: SimClock) {
    this.identity = identity;
    this.outside = outside;
    this.time = time;
  }

  get isAsleep(): boolean {
    return this.#asleepSince !== null;
  }

  monotonic(): number {
    return (this.#asleepSince ?? this.time.elapsed) - this.#sleptMs;
  }

  sleep(): void {
    this.#asleepSince ??= this.time.elapsed;
  }

  wake(): void {
    if (this.#asleepSince === null) return;
    this.#sleptMs += this.time.elapsed - this.#asleepSince;
    this.#asleepSince = null;
    for (const go of this.#woken.splice(0)) go();
  }

  /** Calls `go` once it is awake: at once, or later. */
  whenAwake(go: () => void): void {
    if (this.isAsleep) this.#woken.push(go);
    else go();
  }
}

/** The clock of one life of a process on a machine: when the process dies its timers never fire. */
export class ProcessClock implements Clock {
  readonly #machine: Machine;
  #dead = false;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  now(): number {
    return Math.round(this.#machine.time.now + this.#machine.skewMs);
  }

  monotonic(): number {
    return this.#machine.monotonic();
  }

  timer(_name: string, ms: number, fn: () => void): Timer {
    const due = this.monotonic() + Math.max(0, ms);
    const state = { stopped: false };
    const look = () =>
      this.#machine.whenAwake(() => {
        if (this.#dead || state.stopped) return;
        const left = due - this.monotonic();
        if (left > 0) this.#machine.time.at(left, look);
        else fn();
      });
    if (!this.#dead) this.#machine.time.at(ms, look);
    return {
      stop: () => {
        state.stopped = true;
      },
    };
  }

  die(): void {
    this.#dead = true;
  }
}
