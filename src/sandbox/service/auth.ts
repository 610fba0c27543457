import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Refusal, refuse } from './errors.ts';
import type { SandboxKey } from './settings.ts';

const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="sandbox"' };

/**
 * Finds the key of a request: `x-api-key`, the older `x-service-key`, or `Authorization: Bearer`, in this order.
 * @throws Refusal 401 `authentication_failed`, `invalid_api_key`, `expired_api_key` or `api_key_revoked`.
 */
export function authenticate(
  headers: IncomingHttpHeaders,
  keys: readonly SandboxKey[],
  now: number,
): SandboxKey {
  const presented = credentialIn(headers);
  if (presented === undefined) throw unauthenticated('authentication_failed', 'No API key was sent.');
  const known = keys.find((candidate) => sameSecret(candidate.key, presented));
  if (!known) throw unauthenticated('invalid_api_key', 'The API key is not known.');
  if (known.revoked) throw unauthenticated('api_key_revoked', 'The API key was revoked.');
  if (known.expiresAt !== undefined && known.expiresAt <= now) {
    throw unauthenticated('expired_api_key', 'The API key has expired.');
  }
  return known;
}

/**
 * Holds a key to its scopes; the answer names what is required, never what the key has.
 * @throws Refusal 403 `insufficient_permissions` with `details.required`.
 */
export function requireScope(key: SandboxKey, scope: string): void {
  if (key.scopes.includes(scope)) return;
  throw refuse(403, 'insufficient_permissions', 'The API key lacks a required scope.', {
    type: 'authorization_error',
    details: { required: [scope] },
  });
}

function credentialIn(headers: IncomingHttpHeaders): string | undefined {
  for (const name of ['x-api-key', 'x-service-key']) {
    const value = headers[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

function sameSecret(known: string, presented: string): boolean {
  return timingSafeEqual(sha256(known), sha256(presented));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function unauthenticated(code: string, message: string): Refusal {
  return refuse(401, code, message, { type: 'authentication_error', headers: CHALLENGE });
}
