import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';

/** Growth of a wait: `firstMs`, doubling, at most `mostMs`. */
export interface Growth {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** A wait that grows with every failure, with jitter between half and all of its step, so that shops do not retry at the same time. */
export function backOff(failures: number, growth: Growth, ids: Ids): number {
  const step = Math.min(growth.firstMs * 2 ** Math.min(Math.max(failures - 1, 0), 30), growth.mostMs);
  return Math.ceil(step * (0.5 + ids.random() / 2));
}

/** Waits of single rows: a row that fails delays only itself. Kept in memory: a restart tries at once. */
export class RowHolds {
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #growth: Growth;
  readonly #holds = new Map<string, { readonly until: number; readonly failures: number }>();

  constructor(clock: Clock, ids: Ids, growth: Growth) {
    this.#clock = clock;
    this.#ids = ids;
    this.#growth = growth;
  }

  /** Ms that the row has still to wait; 0 when it may go. */
  waitMs(rowId: string): number {
    return Math.max(0, (this.#holds.get(rowId)?.until ?? 0) - this.#clock.monotonic());
  }

  /** Number of rows that wait. */
  get active(): number {
    const now = this.#clock.monotonic();
    return [...this.#holds.values()].filter((hold) => hold.until > now).length;
  }

  /** Holds the row after a failure, at least for `leastMs`. */
  hold(rowId: string, leastMs: number | null): void {
    const failures = (this.#holds.get(rowId)?.failures ?? 0) + 1;
    const ms = Math.max(backOff(failures, this.#growth, this.#ids), leastMs ?? 0);
    this.#holds.set(rowId, { until: this.#clock.monotonic() + ms, failures });
  }

  forget(rowId: string): void {
    this.#holds.delete(rowId);
  }

  clear(): void {
    this.#holds.clear();
  }
}
