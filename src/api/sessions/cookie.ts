import type { SessionTokens } from './sessions.ts';

/** The header that carries a page's half. */
export const PROOF_HEADER = 'x-tilld-page';
const SECRET_FORM = /^[\w-]{32}$/;

type Header = (name: string) => string | undefined;

/**
 * The tokens of a request of a page; undefined: the request does not claim to be one.
 * A missing cookie gives an empty half, which opens nothing.
 */
export function shownTokens(header: Header): SessionTokens | undefined {
  const proof = header(PROOF_HEADER);
  if (proof === undefined) return undefined;
  const wanted = cookieName(header('host') ?? '');
  const pairs = (header('cookie') ?? '').split(';').map((pair) => pair.trim().split('='));
  const values = pairs.filter(([name]) => name === wanted).map(([, value = '']) => value);
  const [cookie = ''] = values;
  const isWhole = values.length === 1 && SECRET_FORM.test(cookie) && SECRET_FORM.test(proof);
  return isWhole ? { cookie, proof } : { cookie: '', proof: '' };
}

/** `Set-Cookie` for a session of this length; 0 ends it. Strict and host-only: no other site's page makes a browser send it. */
export function setCookie(value: string, lifeMs: number, scheme: string, host: string): string {
  const secure = scheme === 'https' ? '; Secure' : '';
  return `${cookieName(host)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${Math.floor(lifeMs / 1000)}${secure}`;
}

/** How long browsers keep a cookie at most. */
const DEVICE_LIFE_S = 400 * 86_400;

/** The secret of a paired device; empty: it shows none. */
export function shownDeviceSecret(header: Header): string {
  const wanted = deviceCookieName(header('host') ?? '');
  const pairs = (header('cookie') ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([name]) => name === wanted)?.[1] ?? '';
}

/** `Set-Cookie` for the secret of a paired device. */
export function setDeviceCookie(secret: string, scheme: string, host: string): string {
  const secure = scheme === 'https' ? '; Secure' : '';
  return `${deviceCookieName(host)}=${secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${DEVICE_LIFE_S}${secure}`;
}

function deviceCookieName(host: string): string {
  return cookieName(host).replace('tilld-', 'tilld-device-');
}

/** Cookies ignore ports: two agents on one machine would otherwise sign out each other's users. */
function cookieName(host: string): string {
  return `tilld-${/:(\d{1,5})$/.exec(host)?.[1] ?? 'std'}`;
}
