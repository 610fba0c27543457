import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../base/errors.ts';

/** How far a webhook's own time may be from tilld's, either way. */
const TOLERANCE_MS = 300_000;
const FORM = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/i;

/**
 * Verifies that a webhook comes from the service: `t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`, the key being the whole secret.
 * Why the time is checked after the signature: an unsigned request learns nothing of tilld's clock.
 * @param secrets the valid ones: two during a rotation
 * @param now epoch ms, by the best clock there is
 * @returns the body as text
 * @throws HOOK_SIGNATURE_MISSING, HOOK_SIGNATURE_INVALID, HOOK_TIMESTAMP_INVALID
 * @see service-interface.md, "Signature"
 */
export function requireSigned(
  header: string | undefined,
  body: Uint8Array,
  secrets: readonly string[],
  now: number,
): string {
  const [, seconds, shown] = FORM.exec(header?.trim() ?? '') ?? [];
  if (seconds === undefined || shown === undefined)
    throw new AppError(
      'HOOK_SIGNATURE_MISSING',
      'Sign it in X-Service-Signature, as t=<unix seconds>,v1=<hex>',
    );
  const text = textOf(body);
  if (text === null || !isSigned(`${seconds}.${text}`, shown, secrets))
    throw new AppError('HOOK_SIGNATURE_INVALID', 'The signature does not fit this body');
  if (Math.abs(now - Number(seconds) * 1000) > TOLERANCE_MS)
    throw new AppError('HOOK_TIMESTAMP_INVALID', 'It was signed more than 5 minutes ago, or will be');
  return text;
}

/** Checks every secret, also after one that fits. */
function isSigned(signed: string, shown: string, secrets: readonly string[]): boolean {
  const given = Buffer.from(shown.toLowerCase(), 'hex');
  const fits = secrets.map((secret) =>
    timingSafeEqual(given, createHmac('sha256', secret).update(signed).digest()),
  );
  return fits.includes(true);
}

/** The text as it was signed, a byte order mark included; null when it is no UTF-8. */
function textOf(body: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return null;
  }
}
