/** A place in the order `(updatedAt, id)` of a list. */
export interface Place {
  readonly at: number;
  readonly id: string;
}

/** Characters of an id that are kept; the rows know the whole of it. */
const MOST_ID = 32;

/** The place of a row, its id cut to what the state has room for. */
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
