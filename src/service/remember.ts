const MOST_REMEMBERED = 5_000;

/** Adds an id; removes the oldest ones beyond the limit. */
export function remember(set: Set<string>, id: string): void {
  set.add(id);
  for (const oldest of set) {
    if (set.size <= MOST_REMEMBERED) break;
    set.delete(oldest);
  }
}
