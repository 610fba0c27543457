import {
  type Counts,
  NO_COUNTS,
  type PageCommit,
  type Parked,
  type RowMark,
  type RowWrite,
} from '../ports.ts';
import { type KeptBody, leavesNoTrace, parkedRecord, rowOf, type Work } from './page-work.ts';
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
  /** The first scan of the run: a record that was seen since then is not counted again. */
  readonly begunScan: number;
  readonly run: number;
  /** False: records that leave no trace were counted in an earlier pass. */
  readonly isFirstPass: boolean;
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
  readonly #keeps: KeptBody;
  readonly #rows: RowWrite[] = [];
  readonly #marks: RowMark[] = [];
  readonly #park: Parked[] = [];
  readonly #unpark: string[] = [];
  readonly #present: string[] = [];
  readonly #counts: { -readonly [name in keyof Counts]: Counts[name] } = { ...NO_COUNTS };

  constructor(facts: Facts, parked: ReadonlyMap<string, Parked>, keeps: KeptBody) {
    this.#facts = facts;
    this.#parked = parked;
    this.#keeps = keeps;
  }

  add(work: Work, refusal: string | undefined): void {
    const { record, mapped, verdict } = work;
    const before = this.#parked.get(record.id);
    const facts = { ...this.#facts, before };
    const isRepeat = this.#isRepeat(work.row, before, work);
    if (!isRepeat) this.#counts.read += 1;
    if (refusal !== undefined) {
      if (work.row) this.#mark({ id: record.id, updatedAt: null }, work.row);
      else this.exists(record.id);
      this.park(parkedRecord(record, { why: 'rejected', reason: refusal, needs: null }, facts));
      return;
    }
    if (mapped?.kind === 'park')
      this.park(parkedRecord(record, { why: mapped.needs === null ? 'bad' : 'mapping', ...mapped }, facts));
    else if (before && (verdict !== 'stale' || this.#facts.scan === 0)) this.#unpark.push(record.id);
    this.#count(work, isRepeat);
    const { write, mark } = rowOf(work, this.#keeps);
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

  bad(parked: Parked): void {
    if (!this.#isRepeat(undefined, this.#parked.get(parked.key))) this.#counts.read += 1;
    this.park(parked);
  }

  park(parked: Parked): void {
    this.#park.push(parked);
    if (!this.#isRepeat(undefined, this.#parked.get(parked.key))) this.#counts.parked += 1;
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

  /** A list is read in several passes, and windows overlap. */
  #isRepeat(row: KnownRow | undefined, before: Parked | undefined, work?: Work): boolean {
    if (work && leavesNoTrace(work)) return !this.#facts.isFirstPass;
    if (before?.run === this.#facts.run) return true;
    return Math.max(row?.scan ?? 0, before?.scan ?? 0) >= this.#facts.begunScan && this.#facts.scan > 0;
  }

  #count({ verdict, mapped }: Work, isRepeat: boolean): void {
    if (verdict === 'ghost') return;
    if (verdict === 'created' || verdict === 'updated') {
      if (mapped?.kind === 'write') this.#counts[verdict] += 1;
      if (mapped?.kind === 'ignore' && !isRepeat) this.#counts.ignored += 1;
      return;
    }
    if (verdict !== 'deleted' && !isRepeat) this.#counts[verdict] += 1;
  }
}
