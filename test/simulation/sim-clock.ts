import type { Clock, Timer } from '../../src/base/clock.ts';

interface Entry {
  readonly dueAt: number;
  readonly order: number;
  readonly fn: () => void;
  stopped: boolean;
}

/** When every history begins: a Monday morning, UTC. */
const OPENING = Date.UTC(2026, 0, 5, 9, 0, 0);

/**
 * The time of one history. Timers fire in order of their due time, then of their creation; between two of them every promise
 * that is ready runs to its end. Nothing in a history waits for anything real.
 */
export class SimClock {
  readonly #heap: Entry[] = [];
  #elapsed = 0;
  #created = 0;

  /** Milliseconds since the history began. */
  get elapsed(): number {
    return this.#elapsed;
  }

  /** True time: epoch ms. */
  get now(): number {
    return OPENING + this.#elapsed;
  }

  at(ms: number, fn: () => void): Timer {
    const entry = { dueAt: this.#elapsed + Math.max(0, ms), order: this.#created++, fn, stopped: false };
    this.#push(entry);
    return {
      stop: () => {
        entry.stopped = true;
      },
    };
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.at(ms, resolve);
    });
  }

  /** Time passes while everything stands still, as in a sync of the disk that takes long; what fell due meanwhile comes late. */
  stall(ms: number): void {
    this.#elapsed += ms;
  }

  /** Something fell due while everything stood still, and has not come yet. */
  get isBehind(): boolean {
    const next = this.#heap[0];
    return next !== undefined && next.dueAt < this.#elapsed;
  }

  /** Lets `ms` pass. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    await settle();
    for (let next = this.#heap[0]; next && next.dueAt <= end; next = this.#heap[0]) {
      this.#pop();
      if (next.stopped) continue;
      this.#elapsed = Math.max(this.#elapsed, next.dueAt);
      next.fn();
      await settle();
    }
    this.#elapsed = Math.max(this.#elapsed, end);
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (!above || isBefore(above, entry)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      const [left, right] = [heap[child], heap[child + 1]];
      if (!left) break;
      if (right && isBefore(right, left)) child += 1;
      const smaller = heap[child];
      if (!smaller || isBefore(last, smaller)) break;
      heap[at] = smaller;
      at = child;
    }
    heap[at] = last;
  }
}

/** A wall clock that can be wrong: a machine's, a terminal's, the service's. */
export class Wall {
  skewMs: number;

  constructor(skewMs = 0) {
    this.skewMs = skewMs;
  }
}

/** Time as one part of the world sees it; when that part dies its timers never fire. */
export class PartClock implements Clock {
  readonly #time: SimClock;
  readonly #wall: Wall;
  #dead = false;

  constructor(time: SimClock, wall: Wall) {
    this.#time = time;
    this.#wall = wall;
  }

  now(): number {
    return Math.round(this.#time.now + this.#wall.skewMs);
  }

  monotonic(): number {
    return this.#time.elapsed;
  }

  timer(_name: string, ms: number, fn: () => void): Timer {
    if (this.#dead) return { stop: () => undefined };
    return this.#time.at(ms, () => {
      if (!this.#dead) fn();
    });
  }

  die(): void {
    this.#dead = true;
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.order < b.order);
}

/** Every promise chain in a history is made of microtasks: one turn of the event loop runs them all. */
function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
