import { z } from '../../../src/driver-kit/provider.ts';

/** An ISO 8601 date-time with Z or an offset; one without either is UTC, as the rest of the service's are. */
const timestamp = z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ local: true })]);
/** Made once: making a schema takes longer than reading a hundred timestamps. */
const instant = z.coerce.date();

/**
 * Ms since the epoch of a timestamp of the service; undefined: it is none.
 * Why zod and not `Date.parse`: that takes "1" for a date.
 */
export function instantIn(value: unknown): number | undefined {
  const parsed = timestamp.safeParse(value);
  if (!parsed.success) return undefined;
  const zoned = /(?:Z|[+-]\d{2}:\d{2})$/.test(parsed.data) ? parsed.data : `${parsed.data}Z`;
  return instant.parse(zoned).getTime();
}
