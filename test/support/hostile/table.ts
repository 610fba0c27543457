import type { SyncWindow } from '../../../src/integration/connector.ts';
import type { Random } from '../../simulation/random.ts';
import type { Shape } from './shape.ts';

/** A row as others can see it. */
export interface TrueRow {
  readonly id: string;
  readonly version: number;
  readonly updatedAt: number;
  readonly deleted: boolean;
  /** The source does not say when it changed. */
  readonly isTimeless: boolean;
  /** Its content cannot be read until it changes again. */
  readonly broken: boolean;
}

interface Pending {
  readonly visibleAt: number;
  /** Null: the row is gone without a trace. */
  readonly row: TrueRow | null;
  readonly id: string;
}

const DAY = 86_400_000;

/**
 * The rows of a source. A change is stamped when its transaction begins and seen when it commits, which may be minutes later;
 * until then the old version is seen.
 */
export class Table {
  readonly #shape: Shape;
  readonly #random: Random;
  readonly #now: () => number;
  readonly #rows = new Map<string, TrueRow>();
  readonly #rank = new Map<string, number>();
  #pending: Pending[] = [];
  #made = 0;
  #edition = 0;
  #listed: { readonly key: string; readonly rows: readonly TrueRow[] } | null = null;

  /** `now`: true time. */
  constructor(shape: Shape, random: Random, now: () => number) {
    this.#shape = shape;
    this.#random = random;
    this.#now = now;
    const tie = now() - random.int(1, 3_600_000);
    for (let index = 0; index < shape.rows; index += 1)
      this.#show(this.#newRow(shape.isTied ? tie : now() - random.int(0, 60 * DAY)));
  }

  /** Everything that is seen now. */
  rows(): ReadonlyMap<string, TrueRow> {
    this.#settle();
    return this.#rows;
  }

  /** Whether a row is there: neither gone nor marked as deleted. */
  exists(id: string): boolean {
    const row = this.rows().get(id);
    return row !== undefined && !row.deleted;
  }

  /** The rows of a window, in the order of this source. */
  list(window: SyncWindow): readonly TrueRow[] {
    this.#settle();
    const key = `${this.#edition} ${window.from} ${window.to}`;
    if (this.#listed?.key === key) return this.#listed.rows;
    const { hasCursor, ignoresTo } = this.#shape;
    const isAsked = ({ updatedAt, isTimeless }: TrueRow) =>
      !hasCursor ||
      window.from === null ||
      (!isTimeless && updatedAt >= window.from && (ignoresTo || updatedAt <= window.to));
    const rows = [...this.#rows.values()].filter(isAsked).sort((a, b) => this.#compare(a, b));
    this.#listed = { key, rows };
    return rows;
  }

  create(lateMs: number): void {
    this.#write(this.#newRow(this.#stamp()), lateMs);
  }

  /** A row that is there gets another version. */
  change(lateMs: number, broken = false): void {
    const row = this.#one();
    if (row) this.#write({ ...row, version: row.version + 1, updatedAt: this.#stamp(), broken }, lateMs);
  }

  remove(lateMs: number): void {
    const row = this.#one();
    if (!row) return;
    const marked = { ...row, version: row.version + 1, updatedAt: this.#stamp(), deleted: true };
    if (this.#shape.deletes === 'tombstones') this.#write(marked, lateMs);
    else this.#pending.push({ id: row.id, row: null, visibleAt: this.#now() + lateMs });
  }

  /** What could not be read is put right. */
  repair(): void {
    for (const row of [...this.rows().values()].filter(({ broken }) => broken))
      this.#show({ ...row, version: row.version + 1, updatedAt: this.#stamp(), broken: false });
  }

  #stamp(): number {
    return Math.round(this.#now() + this.#shape.rowSkewMs);
  }

  #newRow(updatedAt: number): TrueRow {
    this.#made += 1;
    const id = `r${this.#made}`;
    this.#rank.set(id, this.#random.next());
    const isTimeless = this.#shape.timeless > 0 && this.#random.chance(this.#shape.timeless);
    return { id, version: 1, updatedAt, deleted: false, isTimeless, broken: false };
  }

  /** One that no transaction has locked. */
  #one(): TrueRow | undefined {
    const locked = new Set(this.#pending.map(({ id }) => id));
    const free = [...this.rows().values()].filter(({ id, deleted }) => !deleted && !locked.has(id));
    return free.length === 0 ? undefined : this.#random.pick(free);
  }

  #write(row: TrueRow, lateMs: number): void {
    if (lateMs <= 0) this.#show(row);
    else this.#pending.push({ id: row.id, row, visibleAt: this.#now() + lateMs });
  }

  #show(row: TrueRow): void {
    this.#rows.set(row.id, row);
    this.#edition += 1;
  }

  #settle(): void {
    const now = this.#now();
    const due = this.#pending
      .filter(({ visibleAt }) => visibleAt <= now)
      .sort((a, b) => a.visibleAt - b.visibleAt);
    if (due.length === 0) return;
    this.#pending = this.#pending.filter(({ visibleAt }) => visibleAt > now);
    for (const { id, row } of due) {
      if (row) this.#rows.set(id, row);
      else this.#rows.delete(id);
    }
    this.#edition += 1;
  }

  #compare(a: TrueRow, b: TrueRow): number {
    if (this.#shape.order === 'none') return (this.#rank.get(a.id) ?? 0) - (this.#rank.get(b.id) ?? 0);
    const step = a.updatedAt - b.updatedAt || (a.id < b.id ? -1 : 1);
    return this.#shape.order === 'ascending' ? step : -step;
  }

  /** Where a row stands in the order of this source, whether or not it is there. */
  isAfter(row: TrueRow, place: TrueRow): boolean {
    return this.#compare(row, place) > 0;
  }
}
