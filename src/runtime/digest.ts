import { hash } from 'node:crypto';

const DIGITS = 32;

/** The first 128 bits of SHA-256 of a text as UTF-8: 32 lower-case hex digits. */
export function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, DIGITS);
}
