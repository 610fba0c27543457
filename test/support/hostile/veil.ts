import type { SyncWindow } from '../../../src/integration/connector.ts';
import type { Random } from '../../simulation/random.ts';
import type { Table, TrueRow } from './table.ts';

const DAY = 86_400_000;
/** Rows that are older than the source's first moment by so much were read before anything is hidden. */
const OLD_MS = 600_000;
const LONG_MS = 20 * DAY;
const LOOKBACK_MS = 30 * DAY;
/** A source that hides less than a run may delete, twice in a row, cannot be told from one that has deleted it. */
const LEAST_HIDDEN = 0.1;

/**
 * A key that has lost a permission: rows are not shown any more, whatever is asked for, and no error tells of it; a list of everything ends early,
 * too. It hides more than 5 % of what there is, or nothing.
 */
export class Veil {
  readonly #table: Table;
  readonly #random: Random;
  readonly #now: () => number;
  readonly #bornAt: number;
  #until = 0;
  #share = 1;
  #hidden: ReadonlySet<string> = new Set();

  constructor(table: Table, random: Random, now: () => number) {
    this.#table = table;
    this.#random = random;
    this.#now = now;
    this.#bornAt = now();
  }

  drop(until: number, share: number): void {
    const old = [...this.#table.rows().values()].filter((row) => this.#isOld(row));
    this.#until = until;
    this.#share = share;
    this.#hidden = new Set(old.filter(() => !this.#random.chance(share)).map(({ id }) => id));
  }

  partOf(rows: readonly TrueRow[], { from, to }: SyncWindow): readonly TrueRow[] {
    if (this.#now() >= this.#until || !this.#hidesEnough()) return rows;
    const shown = rows.filter((row) => !this.#isHidden(row));
    const isLong = from === null || to - from > LONG_MS;
    return isLong ? shown.slice(0, Math.floor(rows.length * this.#share)) : shown;
  }

  #isOld({ updatedAt }: TrueRow): boolean {
    return updatedAt < this.#bornAt - OLD_MS;
  }

  /** What changes is seen again. */
  #isHidden(row: TrueRow): boolean {
    return this.#isOld(row) && this.#hidden.has(row.id);
  }

  #hidesEnough(): boolean {
    const all = [...this.#table.rows().values()].filter(({ deleted }) => !deleted);
    const recent = all.filter(({ updatedAt }) => updatedAt >= this.#bornAt - LOOKBACK_MS);
    return [all, recent].every(
      (rows) => rows.filter((row) => this.#isHidden(row)).length > rows.length * LEAST_HIDDEN,
    );
  }
}
