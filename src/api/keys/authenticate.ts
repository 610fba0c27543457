import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { AppError } from '../../base/errors.ts';
import type { ApiKeyRecord, ApiKeyStore } from '../ports.ts';

/** What an API key looks like: the environment, then 32 characters of 0–9 A–Z a–z. */
export const KEY_FORM = /^rk_(live|sandbox)_[0-9A-Za-z]{32}$/;

/** SHA-256 of the key text, in hex. A key has 190 bits of randomness, so that a plain hash is enough. */
export function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/**
 * The credential of a request: `x-api-key`, `x-service-key` or `Authorization: Bearer`.
 * @throws CREDENTIAL_MISSING when there is none, or several that differ.
 */
export function credentialOf(header: (name: string) => string | undefined): string {
  const bearer = /^Bearer +([^\s]+)$/i.exec(header('authorization') ?? '')?.[1];
  const presented = [header('x-api-key'), header('x-service-key'), bearer].filter(
    (value) => value !== undefined,
  );
  const [credential] = presented;
  if (credential === undefined || credential === '' || presented.some((other) => other !== credential)) {
    throw new AppError('CREDENTIAL_MISSING', 'Send one API key, as x-api-key or as Authorization: Bearer');
  }
  return credential;
}

/** The hash to look a credential up by; undefined when it cannot be a key at all. */
export function hashOfCredential(credential: string): string | undefined {
  return KEY_FORM.test(credential) ? hashOfKey(credential) : undefined;
}

/**
 * The key behind a hash, if it may be used now and from this address.
 * @throws CREDENTIAL_UNKNOWN, CREDENTIAL_REVOKED, CREDENTIAL_EXPIRED, ADDRESS_NOT_ALLOWED
 */
export function authenticate(
  store: ApiKeyStore,
  hash: string | undefined,
  address: string,
  now: number,
): ApiKeyRecord {
  const record = hash === undefined ? null : store.byHash(hash);
  if (hash === undefined || record === null || !sameHash(hash, record.hash)) {
    throw new AppError('CREDENTIAL_UNKNOWN', 'This API key is not known here');
  }
  if (record.revokedAt !== null) throw new AppError('CREDENTIAL_REVOKED', 'This API key was revoked');
  if (record.expiresAt !== null && record.expiresAt <= now) {
    throw new AppError('CREDENTIAL_EXPIRED', 'This API key has expired');
  }
  if (!addressAllowed(record.allow, address)) {
    throw new AppError('ADDRESS_NOT_ALLOWED', 'This API key may not be used from this address');
  }
  return record;
}

function sameHash(ours: string, stored: string): boolean {
  const a = Buffer.from(ours, 'hex');
  const b = Buffer.from(stored, 'hex');
  return a.length === b.length && timingSafeEqual(a, b);
}

function addressAllowed(allow: readonly string[], address: string): boolean {
  if (allow.length === 0) return true;
  const plain = plainAddress(address);
  if (!isIPv4(plain) && !isIPv6(plain)) return false;
  const list = new BlockList();
  for (const range of allow) addRange(list, range);
  return list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
}

/** An address without an IPv4-in-IPv6 prefix and without a zone. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
}

function addRange(list: BlockList, range: string): void {
  const [network = '', bits] = range.split('/');
  const family = isIPv4(network) ? 'ipv4' : 'ipv6';
  if (bits === undefined) list.addAddress(network, family);
  else list.addSubnet(network, Number(bits), family);
}
