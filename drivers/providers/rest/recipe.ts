import { z } from '../../../src/driver-kit/provider.ts';
import { compileExpression } from './expressions.ts';
import { TIME_FORMATS } from './time-format.ts';
import { webhookSchema } from './webhook.ts';
import { isKnownZone } from './zones.ts';

// The schema of a recipe. Every error is a sentence with its path; unknown words are refused, so that a misspelt word is found.

const name = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'small letters, digits and _, at most 64');
const words = z.string().min(1).max(200);
const parameter = z.string().min(1).max(100);
const place = z
  .string()
  .max(200)
  .regex(/^$|^[^.\s]+(\.[^.\s]+)*$/, 'names with dots between them, as in "result.items"');
const path = z
  .string()
  .max(500)
  .regex(/^\/[^\s?#]*$/, 'begins with / and has no query: that goes into "query"');
const header = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'the name of a header');
const headerText = z
  .string()
  .max(500)
  .regex(/^[\x20-\x7e]*$/, 'printable ASCII');
const size = z.int().min(1).max(1_000);

const expression = z
  .string()
  .min(1)
  .max(2_000)
  .superRefine((text, context) => {
    const problem = compileExpression(text).problem;
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  });

const auth = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  /** `prefix` stands before the key: `Token `. */
  z.strictObject({ type: z.literal('header'), name: header, prefix: headerText.default('') }),
  z.strictObject({ type: z.literal('bearer') }),
  /** `user`: the key is the user's name, without a password. `user:password`: the key holds both. */
  z.strictObject({ type: z.literal('basic'), key: z.enum(['user', 'user:password']).default('user') }),
  z.strictObject({ type: z.literal('query'), name: parameter }),
  /** The key stands at a place in the body of every request, so that all of them are POSTs. */
  z.strictObject({ type: z.literal('body'), place }),
  z.strictObject({
    type: z.literal('oauth2'),
    /** The token endpoint; a path is one of the base address. */
    tokenUrl: z.union([z.url({ protocol: /^https?$/ }).max(500), path]),
    /** Where a person authorises tilld, for `tillctl authorize`. */
    authorizeUrl: z.union([z.url({ protocol: /^https?$/ }).max(500), path]).optional(),
    /** The server's name for itself; absent: the origin of `tokenUrl`. */
    issuer: z.url().max(500).optional(),
    /** `client_credentials`: the key is `id:secret`. `refresh_token`: it is `id:secret:token`, which `tillctl authorize` stores. */
    grant: z.enum(['client_credentials', 'refresh_token']).default('client_credentials'),
    /** How the secret is shown to the token endpoint: in the header, or in the body. */
    sends: z.enum(['basic', 'post']).default('basic'),
    scope: words.optional(),
    /** More of what the server wants of a request for a token: `resource`. */
    parameters: z.record(parameter, z.string().max(500)).default({}),
  }),
]);

const page = z.discriminatedUnion('style', [
  z.strictObject({
    style: z.literal('offset'),
    offset: parameter.default('offset'),
    /** The number of the first record. */
    first: z.int().min(0).max(1).default(0),
    size,
    sizeParameter: parameter.optional(),
    total: place.optional(),
    end: z.enum(['empty', 'short']).default('empty'),
  }),
  z.strictObject({
    style: z.literal('page'),
    page: parameter.default('page'),
    first: z.int().min(0).max(1).default(1),
    size,
    sizeParameter: parameter.optional(),
    totalPagesHeader: header.optional(),
    /** Where the answer says how many pages there are. */
    totalPages: place.optional(),
    end: z.enum(['empty', 'short']).default('empty'),
  }),
  z.strictObject({
    style: z.literal('cursor'),
    cursor: parameter,
    size,
    sizeParameter: parameter.optional(),
    /** Where the next cursor is in the answer; absent: it is the id of the last record. */
    next: place.optional(),
    /** Where the answer says whether there is more; absent: more follows while a cursor or records come. */
    hasMore: place.optional(),
  }),
  z.strictObject({
    style: z.literal('link'),
    size,
    sizeParameter: parameter.optional(),
    /** Where the next address is in the answer; absent: in the header `Link` (RFC 8288). */
    next: place.optional(),
  }),
  z.strictObject({ style: z.literal('whole') }),
]);

const tree = z.json().refine((value) => JSON.stringify(value).length <= 20_000, 'at most 20,000 characters');

const bound = z.strictObject({
  parameter,
  /** `header`: the parameter is a header of the request. */
  in: z.enum(['request', 'header']).default('request'),
  /** `{time}` is replaced: `updated_at:>={time}`. In a JSON body it may be a part of JSON, in whose texts `{time}` is replaced. */
  template: z
    .union([z.string().max(200), tree])
    .refine((value) => JSON.stringify(value).includes('{time}'), 'it must hold "{time}"')
    .default('{time}'),
  format: z.enum(TIME_FORMATS),
  /** True where the source excludes the instant itself ("after", "before"): the bound is moved by one unit of its format. */
  exclusive: z.boolean().default(false),
});

/**
 * What a POST sends. The parameters of `page`, `changes` and `get` take their places in it: places in the JSON, fields of the form, or variables of
 * the query. `{ "$value": NAME }` and `{ "$number": NAME }` in JSON stand for a value of the settings, as text or as a number.
 */
const body = z.discriminatedUnion('as', [
  z.strictObject({ as: z.literal('json'), value: z.record(z.string(), tree) }),
  z.strictObject({
    as: z.literal('form'),
    fields: z.record(parameter, z.union([z.string().max(500), z.array(z.string().max(500)).max(20)])),
  }),
  z.strictObject({
    as: z.literal('graphql'),
    /** A text, or its lines. */
    query: z.union([z.string().max(20_000), z.array(z.string().max(500)).max(500)]),
    variables: z.record(z.string(), tree).default({}),
  }),
]);

const changes = z.strictObject({ from: bound, until: bound.optional() });
const updatedAt = z.strictObject({ value: expression, format: z.enum(TIME_FORMATS) });

const resource = z.strictObject({
  path,
  query: z
    .record(parameter, z.union([z.string().max(500), z.array(z.string().max(500)).max(20)]))
    .default({}),
  /** Present: the list is asked for by POST. It only reads, so that it is retried like a GET. */
  body: body.optional(),
  /**
   * A parameter that holds a statement in a language of the source. The parameters of `page` and `changes` are names of marks in `text`, `{name}`,
   * which whole numbers and times replace; a mark without a value goes.
   */
  statement: z.strictObject({ parameter, text: z.string().max(2_000) }).optional(),
  /** Where the list is in the answer; empty: the answer is the list. */
  items: place.default(''),
  /**
   * How the source says that there is nothing: by an empty list; by `missing`, an object that holds numbers at most in the place of the one that holds
   * the list; or by a status, where `when` is true of the answer, which is not believed at the first page of a list of everything.
   */
  empty: z
    .union([
      z.enum(['list', 'missing']),
      z.strictObject({ status: z.union([z.literal(400), z.literal(404)]), when: expression }),
    ])
    .default('list'),
  page,
  changes: changes.optional(),
  deletes: z.enum(['tombstones', 'scan', 'never']).default('scan'),
  id: expression,
  updatedAt: updatedAt.optional(),
  /** True for a deleted record. */
  deleted: expression.optional(),
  fields: z.record(name, expression),
  /** Fields of the source that are not kept: a field that differs at every reading makes every record look changed. */
  drop: z.array(z.string().max(100)).max(50).default([]),
  /** One record by its id: in `{id}` of the path, or by POST as the parameter `id`. An `item` that is a list gives its first. */
  get: z
    .strictObject({ path, body: body.optional(), id: parameter.optional(), item: place.default('') })
    .optional(),
  /** Records of the source, and what their fields must become; `tillctl recipe check` and the tests of tilld hold them. */
  examples: z
    .array(
      z.strictObject({ in: z.record(z.string(), z.json()), out: z.record(z.string().max(100), z.json()) }),
    )
    .max(50)
    .default([]),
});

/** What a resource has of `defaults` where it does not say it itself; null: it has none. */
const written = resource.extend({
  page: page.optional(),
  changes: changes.nullable().optional(),
  id: expression.optional(),
  updatedAt: updatedAt.nullable().optional(),
});

/** In paths and query texts `{invoice}` and `{payment}` are replaced by the ids of the invoice at the source and of our payment. */
const payments = z.strictObject({
  /** The list that shows whether the payment is recorded already; it must hold every payment of the invoice, or be filtered by the payment's id. */
  find: z.strictObject({
    path,
    query: z.record(parameter, z.string().max(500)).default({}),
    items: place.default(''),
    /** True for our payment, `$payment`; it reads one record of the list. */
    where: expression,
  }),
  /** The body is an object of expressions that read the payment: `id`, `invoice_id`, `amount_minor`, `currency`, `paid_at` (ISO 8601). */
  create: z.strictObject({
    path,
    body: z.record(name, expression),
    encoding: z.enum(['json', 'form']).default('json'),
  }),
});

/** How an answer with a status of 2xx reports a failure; the expressions read the answer. */
const failure = z.strictObject({
  /** It failed where this gives anything but nothing, null, false, an empty text or an empty list. */
  when: expression,
  /** The code of the failure, for `codes`. */
  code: expression.optional(),
  /** The source's words, where the usual places do not hold them. */
  message: expression.optional(),
  /** What the codes mean; any other code is `unavailable`. */
  codes: z
    .record(
      z.string().max(200),
      z.enum(['unauthorised', 'forbidden', 'rate_limited', 'unavailable', 'refused']),
    )
    .default({}),
});

/** A recipe, as far as its shape shows it; `recipeSchema` knows the rest. */
export const recipeShape = z.strictObject({
  /** The address of the schema, for editors. */
  $schema: z.string().max(500).optional(),
  recipe: z.literal(1),
  id: name,
  title: words,
  /** The vendor's documentation. */
  documentation: z.url().max(500),
  /** Absent: the credential's `baseUrl` is used, for software that every shop hosts itself. */
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .optional(),
  auth,
  /** True where the source refuses clients that do not identify themselves: `appName` and `appEmail` are then required. */
  mustIdentify: z.boolean().default(false),
  /** Fixed texts, or `{ "$value": NAME }`: a value of the settings. */
  headers: z.record(header, z.union([headerText, z.strictObject({ $value: name })])).default({}),
  /** The zone of times without one; `settings.timeZone` takes precedence. Without either such a time is refused. */
  timeZone: z.string().refine(isKnownZone, 'no time zone that is known, as in "Europe/Berlin"').optional(),
  rate: z
    .strictObject({
      reset: header.optional(),
      resetIs: z.enum(['seconds', 'unix_s', 'unix_ms']).default('unix_s'),
    })
    .default({ resetIs: 'unix_s' }),
  failure: failure.optional(),
  /** Texts that expressions read as `$values.…`, with their defaults. */
  values: z.record(name, z.string().max(200)).default({}),
  resources: z.record(name, resource),
  /** How a payment of an imported invoice is recorded at the source, once; absent: it is not. */
  payments: payments.optional(),
  /** How the source signs the webhooks that wake a sync; absent: none is taken. */
  webhook: webhookSchema.optional(),
  /** The request that tests the credential; absent: the first page of the first resource. */
  test: z.strictObject({ path }).optional(),
});

/** A recipe as it is written: what its resources have in common may stand in `defaults`. */
export const writtenRecipe = recipeShape.extend({
  /** Of every resource that does not say it itself; null in a resource: it has none. */
  defaults: z.strictObject({ page, changes, id: expression, updatedAt }).partial().optional(),
  resources: z.record(name, written).refine((all) => Object.keys(all).length > 0, 'at least one resource'),
});

export type WrittenRecipe = z.output<typeof writtenRecipe>;
export type Recipe = z.output<typeof recipeShape>;
export type OAuth = Extract<z.output<typeof auth>, { type: 'oauth2' }>;
export type PaymentsAtSource = z.output<typeof payments>;
export type Resource = z.output<typeof resource>;
export type Bound = z.output<typeof bound>;
export type Page = Resource['page'];
export type Body = z.output<typeof body>;
export type Failure = z.output<typeof failure>;
