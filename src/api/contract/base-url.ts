import { isLoopback } from '../../base/loopback.ts';

const LONGEST_URL = 2048;

/** The reason why an address cannot be a provider's base URL; null: it can. */
export function baseUrlObjection(text: string): string | null {
  if (text.length > LONGEST_URL) return `must be at most ${LONGEST_URL} characters`;
  const url = /^[^\s\p{C}]+$/u.test(text) ? URL.parse(text) : null;
  if (url === null) return 'must be an address like https://api.provider.example';
  if (url.username !== '' || url.password !== '') return 'must hold no user and no password';
  if (url.protocol === 'https:') return null;
  if (url.protocol === 'http:' && isLoopback(url.hostname)) return null;
  return 'must be https; plain http is let pass to this machine only (127.0.0.1, localhost, [::1])';
}
