import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { base64Of } from '../../integration/provider-webhooks.ts';
import type {
  HmacSignature,
  SignatureForm,
  TokenSignature,
  WebhookRefusal,
  WebhookSignature,
} from '../../integration/webhook-scheme.ts';

/** A webhook as it came. */
export interface ReceivedWebhook {
  /** The value of a header that came once; null: it did not come, or more than once. */
  readonly header: (name: string) => string | null;
  readonly body: Uint8Array;
}

/** Signatures of one webhook that are tried: a rotation at the provider sends two or three. */
const MOST_SIGNATURES = 8;
const MOST_VALUE = 4_096;
const PARTS = /(\{body\}|\{timestamp\}|\{id\})/;

/**
 * Verifies a webhook over the bytes that came. Every signature is compared with every secret in constant time; the time is checked after the
 * signature, so that who cannot sign learns nothing of tilld's clock.
 * @param secrets the valid ones: two during a rotation
 * @param now epoch ms
 * @returns why it is refused; null: it is genuine
 */
export function refusalOf(
  signature: WebhookSignature,
  webhook: ReceivedWebhook,
  secrets: readonly string[],
  now: number,
): WebhookRefusal | null {
  const value = webhook.header(signature.header)?.trim() ?? '';
  if (value === '' || value.length > MOST_VALUE) return 'unsigned';
  return signature.type === 'token'
    ? refusalOfToken(signature, value, secrets)
    : refusalOfHmac(signature, webhook, { value, secrets, now });
}

/** Digests are compared, so that neither the length nor the beginning of a secret shows in the time it takes. */
function refusalOfToken(
  { prefix }: TokenSignature,
  value: string,
  secrets: readonly string[],
): WebhookRefusal | null {
  const shown = digestOf(value);
  const fits = secrets.map((secret) => timingSafeEqual(shown, digestOf(prefix + secret)));
  return fits.includes(true) ? null : 'wrong_signature';
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

interface Shown {
  readonly value: string;
  readonly secrets: readonly string[];
  readonly now: number;
}

function refusalOfHmac(
  signature: HmacSignature,
  { header, body }: ReceivedWebhook,
  { value, secrets, now }: Shown,
): WebhookRefusal | null {
  const { form, idHeader, timestamp } = signature;
  const { signatures, time: pair } = shownIn(form, value);
  const id = idHeader === null ? '' : header(idHeader);
  const time = timestamp === null ? '' : timestamp.header === null ? pair : header(timestamp.header);
  const shown = signatures.flatMap((text) => bytesOf(text, signature) ?? []);
  if (id === null || time === null || shown.length === 0) return 'unsigned';
  const made = secrets.map((secret) => hmacOf(signature, secret, { body, id, time }));
  const fits = made.flatMap((mine) => shown.map((theirs) => timingSafeEqual(mine, theirs)));
  if (!fits.includes(true)) return 'wrong_signature';
  if (timestamp === null) return null;
  const at = /^\d{1,15}$/.test(time) ? Number(time) * (timestamp.unit === 'unix_s' ? 1_000 : 1) : Number.NaN;
  return Math.abs(now - at) <= timestamp.toleranceMs ? null : 'wrong_time';
}

function hmacOf(
  { algorithm, key, signed }: HmacSignature,
  secret: string,
  parts: { readonly body: Uint8Array; readonly id: string; readonly time: string },
): Buffer {
  const hmac = createHmac(algorithm, key === 'text' ? secret : Buffer.from(base64Of(secret), 'base64'));
  for (const part of signed.split(PARTS)) {
    if (part === '{body}') hmac.update(parts.body);
    else if (part === '{timestamp}') hmac.update(parts.time);
    else if (part === '{id}') hmac.update(parts.id);
    else hmac.update(part);
  }
  return hmac.digest();
}

/** The signatures that a header shows, and the time beside them; those of another version are passed over. */
function shownIn(
  form: SignatureForm,
  value: string,
): { readonly signatures: readonly string[]; readonly time: string | null } {
  if (form.style === 'raw')
    return { signatures: value.startsWith(form.prefix) ? [value.slice(form.prefix.length)] : [], time: null };
  if (form.style === 'list') {
    const mine = `${form.version},`;
    const all = value.split(' ').flatMap((one) => (one.startsWith(mine) ? one.slice(mine.length) : []));
    return { signatures: all.slice(0, MOST_SIGNATURES), time: null };
  }
  const pairs = value.split(',').map((pair) => {
    const [name = '', ...rest] = pair.split('=');
    return { name: name.trim(), text: rest.join('=').trim() };
  });
  const named = (name: string | null) => pairs.flatMap((pair) => (pair.name === name ? pair.text : []));
  const times = named(form.timestamp);
  return {
    signatures: named(form.signature).slice(0, MOST_SIGNATURES),
    // Two times: which one was signed is not said.
    time: times.length === 1 ? (times[0] ?? null) : null,
  };
}

/** null: it is no signature of this length, in its one form. */
function bytesOf(text: string, { algorithm, encoding }: HmacSignature): Buffer | null {
  const length = algorithm === 'sha256' ? 32 : 64;
  const bytes = Buffer.from(text, encoding);
  const again = bytes.toString(encoding);
  return bytes.length === length && again === (encoding === 'hex' ? text.toLowerCase() : text) ? bytes : null;
}
