/** Epoch milliseconds UTC as ISO 8601. */
export function instant(at: number): string {
  return new Date(at).toISOString();
}

export function instantOrNull(at: number | null): string | null {
  return at === null ? null : instant(at);
}
