import type { Clock, Timer } from '../../src/base/clock.ts';

interface PendingTimer {
  readonly name: string;
  readonly dueAt: number;
  readonly order: number;
  readonly fn: () => void;
}

/**
 * A clock that stands still until the test moves it.
 * Timers fire in order of their due time, then of their creation; between two of them every promise chain that is
 * ready runs to its end, so that a dialogue can answer before the next timer is looked at.
 */
export class VirtualClock implements Clock {
  readonly #timers = new Set<PendingTimer>();
  #wall: number;
  #elapsed = 0;
  #created = 0;

  /** `startsAt`: the wall clock at the beginning, epoch ms. */
  constructor(startsAt = Date.UTC(2026, 0, 5, 9, 0, 0)) {
    this.#wall = startsAt;
  }

  now(): number {
    return Math.floor(this.#wall);
  }

  monotonic(): number {
    return this.#elapsed;
  }

  timer(name: string, ms: number, fn: () => void): Timer {
    const pending = { name, dueAt: this.#elapsed + Math.max(0, ms), order: this.#created++, fn };
    this.#timers.add(pending);
    return { stop: () => void this.#timers.delete(pending) };
  }

  /** Names of the timers that run, soonest first. */
  get pending(): readonly string[] {
    return this.#sorted().map((timer) => timer.name);
  }

  /** Lets `ms` pass: fires what falls due on the way and lets everything settle after each timer. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    await this.settle();
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#moveTo(Math.max(this.#elapsed, next.dueAt));
      this.#timers.delete(next);
      next.fn();
      await this.settle();
    }
    this.#moveTo(end);
  }

  /** Lets no time pass, only what is ready run: promises, then the event loop, a few turns. */
  async settle(turns = 4): Promise<void> {
    for (let turn = 0; turn < turns; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /** Sets the wall clock alone, as NTP or a person does; timers are not moved. */
  jumpWallClock(ms: number): void {
    this.#wall += ms;
  }

  /** Time passes while the process stands still: what falls due meanwhile comes late, with the next `advance`. */
  standStill(ms: number): void {
    this.#moveTo(this.#elapsed + ms);
  }

  /** Advances in small steps until `promise` settles or `limitMs` have passed; gives its value. */
  async runUntil<T>(promise: Promise<T>, limitMs = 600_000, stepMs = 50): Promise<T> {
    let settled = false;
    const watched = promise.finally(() => {
      settled = true;
    });
    watched.catch(() => undefined);
    for (let passed = 0; passed <= limitMs; passed += stepMs) {
      await this.settle();
      if (settled) return watched;
      await this.advance(stepMs);
    }
    throw new Error(
      `still waiting after ${limitMs} ms of virtual time; timers: ${this.pending.join(', ') || 'none'}`,
    );
  }

  #next(end: number): PendingTimer | undefined {
    const first = this.#sorted()[0];
    return first && first.dueAt <= end ? first : undefined;
  }

  #sorted(): PendingTimer[] {
    return [...this.#timers].sort((a, b) => a.dueAt - b.dueAt || a.order - b.order);
  }

  #moveTo(elapsed: number): void {
    this.#wall += elapsed - this.#elapsed;
    this.#elapsed = elapsed;
  }
}
