import { higher, type Place } from './place.ts';

/**
 * How far a stream was read: the highest `(updatedAt, id)` that a complete window held, inclusive.
 * By the rows' own clock, not by the header of an answer: the two may differ by minutes.
 */
export interface Cursor extends Place {
  /**
   * Marks of the newest rows at the boundary, by id and version, at most {@link MOST_MARKS}: they come again with the next window and are
   * known without a look at the rows. When more rows share the boundary, the others are told by the hashes of their rows: the window is
   * read anyway, the state does not grow.
   */
  readonly boundary: readonly string[];
}

export const MOST_MARKS = 16;
const MARK = 16;
/** Rows written by several machines of a source may carry clocks that differ by this much. */
const CLOCK_SLACK_MS = 5 * 60_000;

/** A record at the boundary, as the cursor remembers it. */
export function markOf(digest: string): string {
  return digest.slice(0, MARK);
}

/** The cursor after a complete window; it never goes back. */
export function advanced(
  cursor: Cursor | null,
  top: Place | null,
  boundary: readonly string[],
): Cursor | null {
  const place = higher(cursor, top);
  return place && { at: place.at, id: place.id, boundary: boundary.slice(0, MOST_MARKS) };
}

/** Where the next window begins: at the cursor, inclusive, and as far below it as rows are known to come late. */
export function lowerBound(cursor: Cursor, overlapMs: number): number {
  return cursor.at - overlapMs - CLOCK_SLACK_MS;
}
