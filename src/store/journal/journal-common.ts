import type { Readable } from '../read-only-database.ts';
import { chainEnd, chainStart, hashAt } from './journal-chain.ts';

/**
 * How many rows of one journal are not in another. Rows are chained, so two journals are equal up to one row and differ from there on.
 * Archived rows count as common where the first rows behind them are.
 * @throws JOURNAL_UNREADABLE
 */
export function rowsNotIn(one: Readable, other: Readable): number {
  const { count } = chainEnd(one);
  const last = Math.min(count, chainEnd(other).count);
  let first = Math.max(chainStart(one).count, chainStart(other).count);
  if (first > last || !isCommon(one, other, first)) return count;
  let end = last;
  while (first < end) {
    const middle = Math.ceil((first + end) / 2);
    if (isCommon(one, other, middle)) first = middle;
    else end = middle - 1;
  }
  return count - first;
}

/** Before the first row every journal is equal. */
function isCommon(one: Readable, other: Readable, seq: number): boolean {
  return seq === 0 || hashAt(one, seq) === hashAt(other, seq);
}
