import { z } from '../../../src/driver-kit/provider.ts';

/** An ISO 8601 date-time with Z or an offset; without either it is UTC, as the service's other times. */
const timestamp = z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ local: true })]);
/** Created once: creating a schema takes longer than reading a hundred timestamps. */
const instant = z.coerce.date();

/**
 * A timestamp of the service in ms since the epoch; undefined: not a timestamp.
 * Why zod and not `Date.parse`: `Date.parse` reads "1" as a date.
 */
export function instantIn(value: unknown): number | undefined {
  const parsed = timestamp.safeParse(value);
  if (!parsed.success) return undefined;
  const zoned = /(?:Z|[+-]\d{2}:\d{2})$/.test(parsed.data) ? parsed.data : `${parsed.data}Z`;
  return instant.parse(zoned).getTime();
}
