/** Name of the header that carries {@link signatureOf}. */
export const SIGNATURE_HEADER = 'X-Service-Signature';

/** HMAC-SHA256 of `text` under `secret`, both as UTF-8, as 64 lower-case hex digits. */
export type Hmac = (secret: string, text: string) => string;

/**
 * `t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`; the key is the whole secret, `whsec_` included.
 * @param now epoch ms
 * @see service-interface.md, "Signature"
 */
export function signatureOf(hmac: Hmac, secret: string, body: string, now: number): string {
  const seconds = Math.floor(now / 1000);
  return `t=${seconds},v1=${hmac(secret, `${seconds}.${body}`)}`;
}
