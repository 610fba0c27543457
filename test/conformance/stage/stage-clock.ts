import type { Clock, Timer } from '../../../src/base/clock.ts';
import { Breach } from '../breach.ts';

interface Pending {
  readonly name: string;
  readonly dueAt: number;
  readonly order: number;
  readonly fn: () => void;
}

/** When every scenario begins: a Monday morning, UTC. */
const OPENING = Date.UTC(2026, 0, 5, 9, 0, 0);
/** Longer than any dialogue may take, virtual ms. */
const LONGEST_MS = 1_800_000;

/**
 * A clock that jumps from one timer to the next.
 * Why not the one of `test/support`: thousands of dialogues are played here, and a dialogue that waits for something that can never
 * come (no timer runs) must be seen at once and not after hours of small steps.
 */
export class StageClock implements Clock {
  readonly #timers = new Set<Pending>();
  #elapsed = 0;
  #created = 0;

  now(): number {
    return OPENING + Math.floor(this.#elapsed);
  }

  monotonic(): number {
    return this.#elapsed;
  }

  timer(name: string, ms: number, fn: () => void): Timer {
    const pending = { name, dueAt: this.#elapsed + Math.max(0, ms), order: this.#created++, fn };
    this.#timers.add(pending);
    return { stop: () => void this.#timers.delete(pending) };
  }

  /** Time passes while everything stands still, as in a write to a slow disk; what fell due meanwhile comes late. */
  stall(ms: number): void {
    this.#elapsed += ms;
  }

  /** Lets `ms` pass, with everything that falls due in it. */
  async pass(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    await turn();
    for (let next = this.#soonest(); next && next.dueAt <= end; next = this.#soonest()) {
      this.#fire(next);
      await turn();
    }
    this.#elapsed = Math.max(this.#elapsed, end);
  }

  /**
   * Lets time pass until `promise` has settled; gives its value or throws its reason.
   * @throws Breach when it still waits although no timer runs, or after half an hour.
   */
  async run<T>(what: string, promise: Promise<T>): Promise<T> {
    const end = this.#elapsed + LONGEST_MS;
    let settled = false;
    const note = () => {
      settled = true;
    };
    promise.then(note, note);
    for (;;) {
      await turn();
      if (settled) return promise;
      const next = this.#soonest();
      if (!next) throw new Breach(`${what} hangs: it has not ended, and no timer runs that could end it`);
      if (next.dueAt > end) throw new Breach(`${what} has not ended after ${LONGEST_MS / 1000} s`);
      this.#fire(next);
    }
  }

  #fire(next: Pending): void {
    this.#elapsed = Math.max(this.#elapsed, next.dueAt);
    this.#timers.delete(next);
    next.fn();
  }

  #soonest(): Pending | undefined {
    let first: Pending | undefined;
    for (const timer of this.#timers)
      if (!first || timer.dueAt < first.dueAt || (timer.dueAt === first.dueAt && timer.order < first.order))
        first = timer;
    return first;
  }
}

/** Lets every promise chain that is ready run to its end: all of it is in memory. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The clock as the driver sees it: its timers are counted. */
export class WatchedClock implements Clock {
  readonly #clock: Clock;
  readonly #running = new Map<object, string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Names of the driver's timers that run. */
  get running(): readonly string[] {
    return [...this.#running.values()];
  }

  now(): number {
    return this.#clock.now();
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  timer(name: string, ms: number, fn: () => void): Timer {
    const key = {};
    this.#running.set(key, name);
    const timer = this.#clock.timer(name, ms, () => {
      this.#running.delete(key);
      fn();
    });
    return {
      stop: () => {
        this.#running.delete(key);
        timer.stop();
      },
    };
  }
}
