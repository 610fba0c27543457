import type { Json } from './connector.ts';

/** How a provider signs its webhooks and names what they are about, as data: a connector reads it from its settings. */
export interface WebhookScheme {
  readonly signature: WebhookSignature;
  /** Null: every webhook wakes all resources. */
  readonly event: WebhookEvent | null;
}

export type WebhookSignature = HmacSignature | TokenSignature;

/** An HMAC over the bytes of the body, and over what else the provider signs. */
export interface HmacSignature {
  readonly type: 'hmac';
  /** Name of the header that carries the signature. */
  readonly header: string;
  readonly algorithm: 'sha256' | 'sha512';
  readonly encoding: 'hex' | 'base64';
  /** `text`: the whole secret is the key. `base64`: the key is its bytes, behind `whsec_` where it begins so. */
  readonly key: 'text' | 'base64';
  readonly form: SignatureForm;
  /** What is signed: text with `{body}` once, `{timestamp}` and `{id}` at most once each. */
  readonly signed: string;
  /** Header of `{id}`; null: it is not signed. */
  readonly idHeader: string | null;
  /** Null: no time is signed. */
  readonly timestamp: SignedTime | null;
}

/** A secret that the provider sends as it is, for tools that can send a fixed header and sign nothing. */
export interface TokenSignature {
  readonly type: 'token';
  readonly header: string;
  /** Stands before the secret: `Bearer `. */
  readonly prefix: string;
}

/** `raw`: `sha256=HEX`. `pairs`: `t=TIME,v1=HEX,v1=HEX`. `list`: `v1,BASE64 v1,BASE64`. */
export type SignatureForm =
  | { readonly style: 'raw'; readonly prefix: string }
  | { readonly style: 'pairs'; readonly signature: string; readonly timestamp: string | null }
  | { readonly style: 'list'; readonly version: string };

export interface SignedTime {
  /** Null: it is a pair in the header of the signature. */
  readonly header: string | null;
  readonly unit: 'unix_s' | 'unix_ms';
  /** How far it may be from our time, either way. */
  readonly toleranceMs: number;
}

/** Where an event's name is, and which resources it wakes. */
export interface WebhookEvent {
  readonly in: { readonly header: string } | { readonly body: string };
  /** By the name of an event, or its beginning and `*`; the longest that fits counts. */
  readonly resources: Readonly<Record<string, readonly string[]>>;
}

/** Why a webhook is refused. */
export type WebhookRefusal =
  | 'no_webhook'
  | 'no_secret'
  | 'secret_unreadable'
  | 'unsigned'
  | 'wrong_signature'
  | 'wrong_time'
  | 'too_large'
  | 'too_many';

/** The resources that a verified webhook wakes; null: all. An event that its table lacks, and one that cannot be read, wakes all. */
export function wokenBy(
  { event }: WebhookScheme,
  header: (name: string) => string | null,
  body: string,
): readonly string[] | null {
  if (event === null) return null;
  const name = 'header' in event.in ? header(event.in.header) : textAt(body, event.in.body);
  if (name === null) return null;
  const fitting = Object.keys(event.resources)
    .filter((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : one === name))
    .toSorted((one, other) => weightOf(other) - weightOf(one));
  return event.resources[fitting[0] ?? ''] ?? null;
}

/** A name without `*` is the longest. */
function weightOf(name: string): number {
  return name.endsWith('*') ? name.length : Number.MAX_SAFE_INTEGER;
}

function textAt(body: string, place: string): string | null {
  let value: Json | undefined;
  try {
    value = JSON.parse(body);
  } catch {
    return null;
  }
  for (const step of place.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return null;
    value = Object.entries(value).find(([name]) => name === step)?.[1];
  }
  return typeof value === 'string' ? value : null;
}
