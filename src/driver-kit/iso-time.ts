/** An instant in UTC as ISO 8601: `2026-01-05T09:00:00.000Z`. @param epochMs as a `Clock` gives it */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
