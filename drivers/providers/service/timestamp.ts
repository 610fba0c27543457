import { z } from '../../../src/driver-kit/provider.ts';

/** An ISO 8601 date-time with Z or an offset; one without either is UTC, as the rest of the service's are. */
const timestamp = z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ local: true })]);

/**
 * Ms since the epoch of a timestamp of the service; undefined: it is none.
 * Why zod and not `Date.parse`: that takes "1" for a date.
 */
export function instantIn(value: unknown): number | undefined {
  const parsed = timestamp.safeParse(value);
  if (!parsed.success) return undefined;
  const zoned = /(?:Z|[+-]\d{2}:\d{2})$/.test(parsed.data) ? parsed.data : `${parsed.data}Z`;
  return z.coerce.date().parse(zoned).getTime();
}
