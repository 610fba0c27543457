import { parkedRecord, rowOf, type Work } from './page-work.ts';
import {
  type Counts,
  NO_COUNTS,
  type PageCommit,
  type Parked,
  type RowMark,
  type RowWrite,
} from './ports.ts';
import type { KnownRow } from './record-change.ts';

/** What a page writes, apart from the next place. */
export type Chunks = Pick<PageCommit, 'rows' | 'marks' | 'park' | 'unpark' | 'present' | 'counts'>;

/** Where and when a page is written. */
export interface Facts {
  readonly generation: number;
  readonly sweep: number;
  readonly windowFrom: number | null;
  /** 0: it belongs to no scan. */
  readonly scan: number;
  /** A new generation is built. */
  readonly isFull: boolean;
  /** The whole window came as this page. */
  readonly isWhole: boolean;
  readonly now: number;
}

/** Collects what a page writes. */
export class RunCounters {
  readonly #facts: Facts;
  readonly #parked: ReadonlyMap<string, Parked>;
  readonly #keepsBodies: boolean;
  readonly #rows: RowWrite[] = [];
  readonly #marks: RowMark[] = [];
  readonly #park: Parked[] = [];
  readonly #unpark: string[] = [];
  readonly #present: string[] = [];
  readonly #counts: { -readonly [name in keyof Counts]: Counts[name] } = { ...NO_COUNTS };

  constructor(facts: Facts, parked: ReadonlyMap<string, Parked>, keepsBodies: boolean) {
    this.#facts = facts;
    this.#parked = parked;
    this.#keepsBodies = keepsBodies;
  }

  add(work: Work, refusal: string | undefined): void {
    const { record, mapped, verdict } = work;
    const before = this.#parked.get(record.id);
    const facts = { ...this.#facts, before };
    if (refusal !== undefined) {
      if (work.row) this.#mark({ id: record.id, updatedAt: null }, work.row);
      else this.exists(record.id);
      this.park(parkedRecord(record, { why: 'rejected', reason: refusal, needs: null }, facts));
      return;
    }
    if (mapped?.kind === 'park')
      this.park(parkedRecord(record, { why: mapped.needs === null ? 'bad' : 'mapping', ...mapped }, facts));
    else if (before && (verdict !== 'stale' || this.#facts.scan === 0)) this.#unpark.push(record.id);
    this.#count(work);
    const { write, mark } = rowOf(work, this.#keepsBodies);
    if (!work.row && mapped && mapped.kind !== 'write') this.exists(record.id);
    if (write) this.#rows.push(write);
    if (mark && this.#needsMark(work)) this.#mark(mark, work.row);
  }

  /** The record exists, though it could not be processed: its last good version stays. */
  seen(id: string): void {
    this.#mark({ id, updatedAt: null });
    this.exists(id);
  }

  /** A record of a full resync whose row may be in the old generation alone. */
  exists(id: string): void {
    if (this.#facts.isFull) this.#present.push(id);
  }

  park(parked: Parked): void {
    this.#park.push(parked);
    this.#counts.parked += 1;
  }

  pieces(): Chunks {
    return {
      rows: this.#rows,
      marks: this.#marks,
      park: this.#park,
      unpark: this.#unpark,
      present: this.#present,
      counts: this.#counts,
    };
  }

  #mark(mark: Omit<RowMark, 'isSwept'>, row?: KnownRow): void {
    this.#marks.push({ ...mark, isSwept: row !== undefined && row.sweep >= this.#facts.sweep });
  }

  /** Where a whole window came as one page, no later pass compares scans. */
  #needsMark({ record, row, verdict }: Work): boolean {
    if (!this.#facts.isWhole || !row || verdict !== 'unchanged') return true;
    return row.sweep < this.#facts.sweep || row.updatedAt !== record.updatedAt;
  }

  #count({ verdict, mapped }: Work): void {
    if (verdict === 'ghost') return;
    if (verdict === 'created' || verdict === 'updated') {
      if (mapped?.kind === 'write') this.#counts[verdict] += 1;
      if (mapped?.kind === 'ignore') this.#counts.ignored += 1;
      return;
    }
    if (verdict !== 'deleted') this.#counts[verdict] += 1;
  }
}
