import { type WebhookScheme, z } from '../../../src/driver-kit/provider.ts';

// The section `webhook` of a recipe: how the provider signs what it sends, and which resources its events wake.

const header = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'the name of a header');
const word = z.string().regex(/^[A-Za-z0-9_-]{1,32}$/, 'letters, digits, _ and -, at most 32');
const prefix = z
  .string()
  .max(100)
  .regex(/^[\x20-\x7e]*$/, 'printable ASCII');
const place = z
  .string()
  .max(200)
  .regex(/^[^.\s]+(\.[^.\s]+)*$/, 'names with dots between them, as in "data.type"');

const form = z.discriminatedUnion('style', [
  /** The whole value, behind `prefix`: `sha256=…`. */
  z.strictObject({ style: z.literal('raw'), prefix: prefix.default('') }),
  /** `t=1700000000,v1=…,v1=…`; `timestamp` names the pair of the time. */
  z.strictObject({ style: z.literal('pairs'), signature: word, timestamp: word.optional() }),
  /** `v1,… v1,…` */
  z.strictObject({ style: z.literal('list'), version: word }),
]);

const hmac = z
  .strictObject({
    type: z.literal('hmac'),
    /** The header of the signature. */
    header,
    algorithm: z.enum(['sha256', 'sha512']).default('sha256'),
    encoding: z.enum(['hex', 'base64']),
    /** `text`: the whole secret is the key. `base64`: its bytes are, behind `whsec_` where it begins so. */
    key: z.enum(['text', 'base64']).default('text'),
    form: form.default({ style: 'raw', prefix: '' }),
    /** What is signed, of `{body}`, `{timestamp}`, `{id}` and text between them. */
    signed: z.string().max(200).default('{body}'),
    idHeader: header.optional(),
    timestamp: z
      .strictObject({
        /** Absent: the pair that `form.timestamp` names. */
        header: header.optional(),
        unit: z.enum(['unix_s', 'unix_ms']).default('unix_s'),
        toleranceSeconds: z.int().min(30).max(3_600).default(300),
      })
      .optional(),
  })
  .superRefine((one, context) => {
    for (const message of contradictions(one)) context.addIssue({ code: 'custom', message });
  });

/** A secret in a header, for tools that can send a fixed header and sign nothing. */
const token = z.strictObject({ type: z.literal('token'), header, prefix: prefix.default('') });

export const webhookSchema = z.strictObject({
  signature: z.discriminatedUnion('type', [hmac, token]),
  /** Absent: every webhook wakes all resources. */
  event: z
    .strictObject({
      /** Where its name is: a header, or a place in the JSON of the body. */
      in: z.union([z.strictObject({ header }), z.strictObject({ body: place })]),
      /** Resources by the name of the event, or by its beginning and `*`; an event that is not named wakes all. */
      resources: z.record(z.string().min(1).max(100), z.array(z.string().max(64)).max(50)),
    })
    .optional(),
});

type Webhook = z.output<typeof webhookSchema>;
type Hmac = z.output<typeof hmac>;

/** The section as tilld uses it. */
export function schemeOf({ signature, event }: Webhook): WebhookScheme {
  if (signature.type === 'token') return { signature, event: event ?? null };
  const { form: shape, idHeader, timestamp, ...same } = signature;
  const time = timestamp ?? { unit: 'unix_s' as const, toleranceSeconds: 300 };
  return {
    signature: {
      ...same,
      form: shape.style === 'pairs' ? { ...shape, timestamp: shape.timestamp ?? null } : shape,
      idHeader: idHeader ?? null,
      timestamp: signature.signed.includes('{timestamp}')
        ? { header: timestamp?.header ?? null, unit: time.unit, toleranceMs: time.toleranceSeconds * 1_000 }
        : null,
    },
    event: event ?? null,
  };
}

/** What of a section names resources that the recipe lacks. */
export function unknownResources({ event }: Webhook, known: readonly string[]): readonly string[] {
  return [...new Set(Object.values(event?.resources ?? {}).flat())].filter((name) => !known.includes(name));
}

function contradictions({ signed, form: shape, idHeader, timestamp }: Hmac): readonly string[] {
  const words = [...signed.matchAll(/\{[^}]*\}/g)].map(([found]) => found);
  const count = (one: string) => words.filter((found) => found === one).length;
  const strange = words.find((one) => !['{body}', '{timestamp}', '{id}'].includes(one));
  const places = [shape.style === 'pairs' && shape.timestamp !== undefined, timestamp?.header !== undefined];
  const times = places.filter(Boolean).length;
  return [
    ...(strange === undefined ? [] : [`"signed" has ${strange}: it knows {body}, {timestamp} and {id}`]),
    ...(count('{body}') === 1 ? [] : ['"signed" needs {body} once: else the body could be any']),
    ...(count('{timestamp}') > 1 || count('{id}') > 1 ? ['"signed" has a part twice'] : []),
    ...(count('{timestamp}') === 0 && (times > 0 || timestamp)
      ? ['a time that "signed" lacks proves nothing']
      : []),
    ...(count('{timestamp}') > 0 && times !== 1
      ? ['{timestamp} needs one place: "timestamp.header", or "form.timestamp" of the style "pairs"']
      : []),
    ...(count('{id}') > 0 === (idHeader !== undefined)
      ? []
      : ['{id} in "signed" and "idHeader" need each other']),
  ];
}
