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
  /** The source's clock at the start of the first complete window that began after this place was seen; absent: there was none. */
  readonly stillSince?: number;
  /** Rows below it were read often enough, and are too many to be read for ever: the least start of a window. Absent: none. */
  readonly floor?: number;
}

/** A complete window of changes. Clocks are the source's. */
export interface ReadWindow {
  /** The earliest and the latest time at which it may have begun. */
  readonly readTo: number;
  readonly begunBy: number;
  readonly rows: number;
  readonly overlapMs: number;
}

/** A window that shows more rows than this again and again is narrowed. */
const MOST_AGAIN = 1_000;
export const MOST_MARKS = 16;
const MARK = 16;
/** Several machines of a source write rows, and their clocks may differ by this much. */
const CLOCK_SLACK_MS = 5 * 60_000;

/** The mark of a record at the boundary. */
export function markOf(digest: string): string {
  return digest.slice(0, MARK);
}

/** The cursor after a complete window; it never moves back. `window` null: of a sweep or a full resync. */
export function advanced(
  cursor: Cursor | null,
  top: ListPosition | null,
  boundary: readonly string[],
  window: ReadWindow | null,
): Cursor | null {
  const place = higher(cursor, top);
  if (place === null) return null;
  const { at, id } = place;
  const isStill = cursor !== null && cursor.at === at;
  const stillSince = isStill ? (cursor.stillSince ?? window?.begunBy) : undefined;
  const kept = {
    at,
    id,
    boundary: boundary.slice(0, MOST_MARKS),
    ...(stillSince === undefined ? {} : { stillSince }),
  };
  const floor = floorOf(kept, cursor?.floor, window);
  return floor === undefined ? kept : { ...kept, floor };
}

/**
 * Where many rows share the boundary (ten thousand that were changed in one statement), the cursor stays at them until the next change, and each window
 * would show them all again. The rows' clock was at the cursor when it was seen, and has gone on since: a row that is stamped earlier than that clock
 * minus the overlap was there when the last window was read. So the next window may begin there. It does so only where reading again is dear, for a
 * row that comes later than any before is seen by the wider window alone.
 */
function floorOf(
  { at, stillSince }: Omit<Cursor, 'boundary'>,
  before: number | undefined,
  window: ReadWindow | null,
): number | undefined {
  if (window === null || window.rows <= MOST_AGAIN || stillSince === undefined) return before;
  const quietMs = Math.max(0, window.readTo - stillSince);
  return Math.max(before ?? Number.NEGATIVE_INFINITY, at + quietMs - window.overlapMs - CLOCK_SLACK_MS);
}

/** The start of the next window: the cursor, inclusive, minus the known lateness of rows. */
export function lowerBound({ at, floor }: Pick<Cursor, 'at' | 'floor'>, overlapMs: number): number {
  return Math.max(at - overlapMs - CLOCK_SLACK_MS, floor ?? Number.NEGATIVE_INFINITY);
}
