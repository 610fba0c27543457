import type { Clock } from '../../src/base/clock.ts';
import type { Ids } from '../../src/base/ids.ts';
import { systemIds } from '../../src/runtime/system-ids.ts';

/** Chance from a seed (mulberry32): the same seed draws the same for ever. */
export class Random {
  #state: number;

  constructor(seed: number, stream = '') {
    this.#state = seed >>> 0;
    for (const letter of stream)
      this.#state = Math.imul(this.#state ^ letter.charCodeAt(0), 0x9e3779b1) >>> 0;
    this.next();
  }

  /** A number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number, both ends included. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly [T, ...T[]] | readonly T[]): T {
    const item = items[this.int(0, items.length - 1)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  /** Between two times, most often near the shorter one: a shop has many short pauses and a few long ones. */
  time(leastMs: number, mostMs: number): number {
    return Math.round(leastMs * (mostMs / leastMs) ** this.next());
  }
}

/** Identifiers from a seed, in the form of a UUID v7 of the clock's time. */
export function seededIds(random: Random, clock: Pick<Clock, 'now'>): Ids {
  const hex = (digits: number) =>
    Math.floor(random.next() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  return {
    uuid: () => {
      const time = Math.max(0, Math.floor(clock.now())).toString(16).padStart(12, '0').slice(-12);
      return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`;
    },
    nameBased: systemIds.nameBased,
    random: () => random.next(),
  };
}
