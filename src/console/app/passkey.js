/** @import { Api } from './api.js' */

/** Browsers make and use passkeys at names, not at bare addresses, and only where a page is secure. */
export function canUsePasskeys() {
  const isName = /[a-z]/i.test(location.hostname) && !location.hostname.includes(':');
  return isSecureContext && isName && typeof PublicKeyCredential?.parseRequestOptionsFromJSON === 'function';
}

/**
 * Where these pages have a name, for browsers to make passkeys: on this machine `localhost`, elsewhere that of the shop's network; null: nowhere.
 * @param {Pick<Location, 'protocol' | 'hostname' | 'port'>} page
 * @param {string | null} shopUrl
 */
export function addressWithName({ protocol, hostname, port }, shopUrl) {
  const isHere = /^(127\.|\[::1\]$)/.test(hostname);
  return isHere ? `${protocol}//localhost:${port}` : shopUrl;
}

/**
 * Asks the browser for a passkey of this site; the person chooses it there.
 * @param {Api} api
 * @returns {Promise<object>} the body of a sign-in
 */
export async function passkeyAnswer(api) {
  const { data } = await api.post('/v2/sign-in-challenges', {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(data);
  return { passkey: jsonOf(await navigator.credentials.get({ publicKey })) };
}

/**
 * Makes a passkey for the person who is signed in.
 * @param {Api} api
 */
export async function addPasskey(api) {
  const { data } = await api.post('/v2/passkey-challenges', {});
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(data);
  await api.post('/v2/passkeys', jsonOf(await navigator.credentials.create({ publicKey })));
}

/** @param {Credential | null} credential */
function jsonOf(credential) {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('no passkey', 'NotAllowedError');
  return credential.toJSON();
}

/**
 * Whether the person closed the browser's own dialog, or let it run out.
 * @param {unknown} error
 */
export function isGivenUp(error) {
  return error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name);
}
