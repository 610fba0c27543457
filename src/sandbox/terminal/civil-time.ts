/** A terminal's clock as digits; it has no zone. It runs on UTC, so that a replay prints the same. */
export interface CivilTime {
  /** `YYYYMMDD`. */
  readonly date: string;
  /** `HHMMSS`. */
  readonly time: string;
}

/** Splits epoch milliseconds into the digits of a date and a time, UTC. */
export function civilTime(epochMs: number): CivilTime {
  const text = new Date(epochMs).toISOString();
  return { date: text.slice(0, 10).replaceAll('-', ''), time: text.slice(11, 19).replaceAll(':', '') };
}

/** The instant in UTC, ISO 8601. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
