import { z } from 'zod';
import type { JsonObject } from '../../integration/connector.ts';

/** Whether an entitlement gives access at `now`: active, begun and not expired, and not taken away by the service. What cannot be read gives none. */
export function hasAccess({ status, granted_at, expires_at, has_access }: JsonObject, now: number): boolean {
  if (status !== 'active' || has_access === false) return false;
  const begins = instantOf(granted_at, Number.NEGATIVE_INFINITY);
  const ends = instantOf(expires_at, Number.POSITIVE_INFINITY);
  return begins <= now && now < ends;
}

/** NaN for a text that is no timestamp: every comparison with it fails. */
function instantOf(value: unknown, absent: number): number {
  if (value === undefined || value === null) return absent;
  const parsed = z.iso.datetime({ offset: true, local: true }).safeParse(value);
  if (!parsed.success) return Number.NaN;
  return Date.parse(/(?:Z|[+-]\d{2}:\d{2})$/.test(parsed.data) ? parsed.data : `${parsed.data}Z`);
}
