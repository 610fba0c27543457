import type { IncomingHttpHeaders } from 'node:http';
import { isAllowedFrom } from './address-list.ts';
import type { ApiKeyRecord } from './api-key-records.ts';
import type { ApiKeys } from './api-keys.ts';
import { type Refusal, refuse } from './errors.ts';

const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="sandbox"' };

/**
 * Finds the key of a request in `x-api-key`, the older `x-service-key` or `Authorization: Bearer`.
 * Several different keys are no usable credential, because the owner of the request is ambiguous.
 * @throws Refusal 401 `authentication_failed`, `invalid_api_key`, `expired_api_key` or `api_key_revoked`; 403 `ip_not_allowed`.
 */
export function authenticate(
  headers: IncomingHttpHeaders,
  address: string | undefined,
  keys: ApiKeys,
): ApiKeyRecord {
  const [presented, ...others] = new Set(credentialsIn(headers));
  if (presented === undefined) throw unauthenticated('authentication_failed', 'No API key was sent.');
  if (others.length > 0) throw unauthenticated('authentication_failed', 'API keys that differ were sent.');
  const known = keys.find(presented);
  if (!known) throw unauthenticated('invalid_api_key', wordsFor(presented));
  const state = keys.stateOf(known);
  if (state === 'revoked') throw unauthenticated('api_key_revoked', 'The API key was revoked.');
  if (state === 'expired') throw unauthenticated('expired_api_key', 'The API key has expired.');
  if (isAllowedFrom(known.allow, address)) return known;
  throw refuse(403, 'ip_not_allowed', 'The API key may not be used from this address.', {
    type: 'authorization_error',
  });
}

/**
 * Requires a scope of the key; the response names the required scope, never those that the key has.
 * @throws Refusal 403 `insufficient_permissions` with `details.required`.
 */
export function requireScope(key: ApiKeyRecord, scope: string): void {
  if (key.scopes.includes(scope)) return;
  throw refuse(403, 'insufficient_permissions', 'The API key lacks a required scope.', {
    type: 'authorization_error',
    details: { required: [scope] },
  });
}

/** Empty headers and other schemes are no credentials; a bearer token that is not a single word is malformed. */
function credentialsIn(headers: IncomingHttpHeaders): readonly string[] {
  const bearer = /^Bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1];
  return [headers['x-api-key'], headers['x-service-key'], bearer]
    .map((value) => (typeof value === 'string' ? value.trim() : ''))
    .filter((value) => value !== '');
}

function wordsFor(presented: string): string {
  if (!presented.startsWith('rk_live_')) return 'The API key is malformed or not known.';
  return 'A live key is of no use here: this is a sandbox.';
}

function unauthenticated(code: string, message: string): Refusal {
  return refuse(401, code, message, { type: 'authentication_error', headers: CHALLENGE });
}
