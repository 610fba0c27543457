/** A place in the order `(updatedAt, id)` of a list. */
export interface ListPosition {
  readonly at: number;
  readonly id: string;
}

/** Stored characters of an id; the rows hold the whole id. */
const MOST_ID = 32;

/** The place of a row, its id cut to the size limit of the state. */
export function positionOf(at: number, id: string): ListPosition {
  return { at, id: id.slice(0, MOST_ID) };
}

/** The higher of two places. */
export function higher(one: ListPosition | null, other: ListPosition | null): ListPosition | null {
  if (one === null || other === null) return one ?? other;
  return isBefore(one, other) ? other : one;
}

function isBefore(one: ListPosition, other: ListPosition): boolean {
  return one.at < other.at || (one.at === other.at && one.id < other.id);
}
