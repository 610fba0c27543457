/** A place in the order `(updatedAt, id)` of a list. */
export interface Place {
  readonly at: number;
  readonly id: string;
}

/** Stored characters of an id; the rows hold the whole id. */
const MOST_ID = 32;

/** The place of a row, its id cut to the size limit of the state. */
export function placeOf(at: number, id: string): Place {
  return { at, id: id.slice(0, MOST_ID) };
}

/** The higher of two places. */
export function higher(one: Place | null, other: Place | null): Place | null {
  if (one === null || other === null) return one ?? other;
  return isBefore(one, other) ? other : one;
}

function isBefore(one: Place, other: Place): boolean {
  return one.at < other.at || (one.at === other.at && one.id < other.id);
}
