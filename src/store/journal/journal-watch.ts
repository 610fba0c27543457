import type { Readable } from '../read-only-database.ts';
import {
  CHAIN_START,
  type ChainCheck,
  type ChainEnd,
  type ChainWalk,
  chainEnd,
  chainStart,
  checkChain,
  hashAt,
  isOfJournal,
  verdictOf,
  walkFrom,
  walkOn,
} from './journal-chain.ts';

/** A journal up to this length is checked completely before anything else; of a longer one the newest rows are. */
const ROWS_AT_START = 2_000;

/**
 * The check of the journal's chain at a start.
 * Why: the time until the first sale must not grow from year to year. So the end of a long journal is checked at once, with every anchor; the rows
 * before it are checked in small steps while no payment runs.
 *
 * INVARIANTS:
 * - a row that does not fit at the end, or at any anchor, is found before the first payment;
 * - every row is checked within hours of each start, with the same result as one complete check.
 */
export class JournalWatch {
  readonly #database: Readable;
  readonly #anchors: readonly ChainEnd[];
  readonly #end: ChainEnd;
  #walk: ChainWalk | null = null;
  #found: ChainCheck;

  /** @throws the open database's error when its pages cannot be read */
  constructor(database: Readable, anchors: readonly ChainEnd[], rowsAtStart = ROWS_AT_START) {
    this.#database = database;
    this.#anchors = anchors;
    this.#end = chainEnd(database);
    this.#found = this.#atStart(rowsAtStart);
  }

  /** The result so far. */
  get found(): ChainCheck {
    return this.#found;
  }

  /** Every row was checked. */
  get isDone(): boolean {
    return this.#walk === null;
  }

  /** Checks the next rows; `rows` at most. @throws the open database's error when its pages cannot be read */
  step(rows: number): void {
    const walk = this.#walk;
    if (walk === null) return;
    const broken = walkOn(walk, Math.min(rows, this.#end.count - walk.seq));
    if (broken === null && walk.seq < this.#end.count) return;
    this.#walk = null;
    this.#found = verdictOf(walk, broken, this.#anchors);
  }

  #atStart(rows: number): ChainCheck {
    const { count } = this.#end;
    const start = chainStart(this.#database);
    if (count - start.count <= rows || !this.#fitsAtItsEnd(count - rows, rows))
      return checkChain(this.#database, this.#anchors);
    this.#walk = walkFrom(this.#database, start, this.#anchors);
    return { kind: 'whole', ...this.#end };
  }

  #fitsAtItsEnd(from: number, rows: number): boolean {
    const hash = hashAt(this.#database, from);
    if (hash === null) return false;
    const walk = walkFrom(this.#database, { count: from, hash }, []);
    if (walkOn(walk, rows) !== null || walk.seq !== this.#end.count) return false;
    return this.#anchors.every((anchor) =>
      anchor.count === 0 ? anchor.hash === CHAIN_START : isOfJournal(this.#database, anchor),
    );
  }
}
