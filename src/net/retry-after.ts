/** No peer may stop tilld's requests for longer than this with one header. */
const LONGEST_MS = 3_600_000;

/**
 * The wait that a `Retry-After` header asks for, in ms: whole seconds or an HTTP date, at most an hour.
 * @returns null when there is no such header or its value is unusable.
 * @see RFC 9110, section 10.2.3
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,12}$/.test(text)) return Math.min(Number(text) * 1000, LONGEST_MS);
  if (!/[a-z]/i.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.min(Math.max(at - nowMs, 0), LONGEST_MS);
}
