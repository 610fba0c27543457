import { createHash, randomInt } from 'node:crypto';

export type Environment = 'live' | 'sandbox';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 32;
/** The form of an API key: the environment, then 32 characters of 0–9 A–Z a–z. */
const KEY_FORM = /^rk_(live|sandbox)_[0-9A-Za-z]{32}$/;

/** A new API key: a prefix and 190 bits of randomness. */
export function newKey(environment: Environment): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `rk_${environment}_${secret}`;
}

/** SHA-256 of the key text, in hex. A key has 190 bits of randomness, so a plain hash is enough. */
export function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Whether a text has the form of a key of this environment. */
export function isKeyOf(environment: Environment, text: string): boolean {
  return KEY_FORM.exec(text)?.[1] === environment;
}
