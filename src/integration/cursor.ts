import { higher, type ListPosition } from './list-position.ts';

/**
 * How far a stream was read: the highest `(updatedAt, id)` that a complete window held, inclusive.
 * It uses the rows' own clock, not the header of an answer: the two may differ by minutes.
 */
export interface Cursor extends ListPosition {
  /**
   * Marks of the newest rows at the boundary, by id and version, at most {@link MOST_MARKS}: these rows come again with the next window and are known
   * without a read of their stored rows. When more rows share the boundary, the hashes of their rows identify the others: the window is read anyway,
   * the state does not grow.
   */
  readonly boundary: readonly string[];
}

export const MOST_MARKS = 16;
const MARK = 16;
/** Several machines of a source write rows, and their clocks may differ by this much. */
const CLOCK_SLACK_MS = 5 * 60_000;

/** The mark of a record at the boundary. */
export function markOf(digest: string): string {
  return digest.slice(0, MARK);
}

/** The cursor after a complete window; it never moves back. */
export function advanced(
  cursor: Cursor | null,
  top: ListPosition | null,
  boundary: readonly string[],
): Cursor | null {
  const place = higher(cursor, top);
  return place && { at: place.at, id: place.id, boundary: boundary.slice(0, MOST_MARKS) };
}

/** The start of the next window: the cursor, inclusive, minus the known lateness of rows. */
export function lowerBound(cursor: Cursor, overlapMs: number): number {
  return cursor.at - overlapMs - CLOCK_SLACK_MS;
}
