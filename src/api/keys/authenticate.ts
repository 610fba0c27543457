import { timingSafeEqual } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import type { ApiKeyRecord, ApiKeyStore } from '../ports.ts';
import { addressAllowed } from './address.ts';
import { type Environment, hashOfKey, isKeyOf } from './secret.ts';

/** A received credential, without its text. */
export interface ShownCredential {
  /** SHA-256, hex. */
  readonly hash: string;
  /** It has the form of a key, and its prefix is that of this agent's environment. */
  readonly isOurs: boolean;
  readonly environment: Environment;
}

/**
 * The credential of a request: `x-api-key`, `x-service-key` or `Authorization: Bearer`. A header that was sent twice arrives as one, its
 * values separated by commas.
 * @throws CREDENTIAL_MISSING when there is none, or several that differ.
 */
export function credentialOf(header: (name: string) => string | undefined): string {
  const values = (name: string) => (header(name) ?? '').split(',').map((value) => value.trim());
  const bearers = values('authorization').map((value) => /^Bearer +(\S+)$/i.exec(value)?.[1] ?? '');
  const all = [...values('x-api-key'), ...values('x-service-key'), ...bearers];
  const [credential, ...others] = new Set(all.filter((value) => value !== ''));
  if (credential === undefined || others.length > 0) {
    throw new AppError('CREDENTIAL_MISSING', 'Send one API key, as x-api-key or as Authorization: Bearer');
  }
  return credential;
}

/** Every credential is hashed, so that a text that cannot be a key costs as much time as one that can. */
export function shownCredential(credential: string, environment: Environment): ShownCredential {
  return { hash: hashOfKey(credential), isOurs: isKeyOf(environment, credential), environment };
}

/**
 * The key of a credential, if it may be used now and from this address. Checks run in this order: unknown, revoked, expired, address; a
 * caller at a wrong address learns nothing of scopes.
 * @throws CREDENTIAL_UNKNOWN, CREDENTIAL_REVOKED, CREDENTIAL_EXPIRED, ADDRESS_NOT_ALLOWED; all but the first with `context.keyId`
 */
export function authenticate(
  store: ApiKeyStore,
  shown: ShownCredential,
  address: string,
  now: number,
): ApiKeyRecord {
  const found = store.byHash(shown.hash);
  if (!found || !shown.isOurs || !sameHash(shown.hash, found.secret.hash)) throw unknown(shown.environment);
  const { record, secret } = found;
  const refuse = (code: string, words: string) =>
    new AppError(code, words, { context: { keyId: record.id } });
  if (record.revokedAt !== null) throw refuse('CREDENTIAL_REVOKED', 'This API key was revoked');
  if (record.expiresAt !== null && record.expiresAt <= now)
    throw refuse('CREDENTIAL_EXPIRED', 'This API key has expired');
  if (secret.endsAt !== null && secret.endsAt <= now)
    throw refuse(
      'CREDENTIAL_EXPIRED',
      'This API key was rolled, and the time for both is over: use the newer',
    );
  if (!addressAllowed(record.allow, address))
    throw refuse('ADDRESS_NOT_ALLOWED', 'This API key may not be used from this address');
  return record;
}

/** The same error for a text that is no key, an unknown key, and a key of the other environment. */
function unknown(environment: Environment): AppError {
  return new AppError(
    'CREDENTIAL_UNKNOWN',
    `This API key is not known here: the keys of this agent begin with rk_${environment}_`,
  );
}

function sameHash(ours: string, stored: string): boolean {
  const a = Buffer.from(ours, 'hex');
  const b = Buffer.from(stored, 'hex');
  return a.length === b.length && timingSafeEqual(a, b);
}
