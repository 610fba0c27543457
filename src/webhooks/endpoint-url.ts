import { isLoopback } from '../base/loopback.ts';

/** Most characters in the address of an endpoint. */
export const LONGEST_URL = 2048;

/**
 * Why an address may not receive events, in words; null: it may. An event contains amounts and card schemes, so it crosses a network only
 * under TLS; plain HTTP never leaves this machine. Checked when an endpoint is registered and again before each attempt.
 */
export function urlObjection(text: string): string | null {
  if (text.length > LONGEST_URL) return `must be at most ${LONGEST_URL} characters`;
  const url = /^[^\s\p{C}]+$/u.test(text) ? URL.parse(text) : null;
  if (url === null) return 'must be an address like https://shop.example/hooks';
  if (url.username !== '' || url.password !== '') return 'must hold no user and no password';
  if (url.protocol === 'https:') return null;
  if (url.protocol === 'http:' && isLoopback(url.hostname)) return null;
  return 'must be https; plain http is let pass to this machine only (127.0.0.1, localhost, [::1])';
}

/** Why an address may not receive events here, as far as it shows without asking a name server; null: it may. */
export function reachObjection(text: string, mayReach: (address: string) => boolean): string | null {
  const host = new URL(text).hostname.replace(/^\[(.*)\]$/, '$1');
  const address = host === 'localhost' ? '127.0.0.1' : host;
  const isAddress = /^[\d.]+$|:/.test(address);
  if (!isAddress || mayReach(address)) return null;
  return `must be of the internet: ${host} may receive events once the configuration's webhooks.allow_private names it`;
}
