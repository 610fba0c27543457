import { z } from 'zod';
import { ErrorEnvelope, FlatError, IdempotencyError } from '../contract/error.ts';
import { INTERNAL, REFUSALS, type Refusal, type RefusalCode } from '../reply/refusals.ts';
import type { ReplyShape, Route } from '../routes/route.ts';
import { type JsonSchema, SchemaBook } from './schemas.ts';

const EVERYWHERE: readonly RefusalCode[] = [
  'VALIDATION_FAILED',
  'REQUEST_MALFORMED',
  'VERSION_UNSUPPORTED',
  'HOST_FOREIGN',
  'ORIGIN_FOREIGN',
  'SHUTTING_DOWN',
];
const KEYED: readonly RefusalCode[] = [
  'CREDENTIAL_MISSING',
  'CREDENTIAL_UNKNOWN',
  'CREDENTIAL_EXPIRED',
  'CREDENTIAL_REVOKED',
  'SCOPE_MISSING',
  'ADDRESS_NOT_ALLOWED',
  'RATE_LIMITED',
];
const WITH_BODY: readonly RefusalCode[] = [
  'FIELD_MISSING',
  'BODY_UNREADABLE',
  'BODY_TOO_LARGE',
  'CONTENT_TYPE_UNSUPPORTED',
];
const IDEMPOTENT: readonly RefusalCode[] = [
  'IDEMPOTENCY_KEY_INVALID',
  'IDEMPOTENCY_KEY_IN_PROGRESS',
  'IDEMPOTENCY_KEY_MISMATCH',
];

/** The OpenAPI 3.1 document of a route table, derived from its zod schemas. */
export function openApiDocument(routes: readonly Route[], version: string) {
  const book = new SchemaBook();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const item = paths[route.path] ?? {};
    item[route.method.toLowerCase()] = operationOf(route, book);
    paths[route.path] = item;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'tilld local interface',
      version,
      description:
        'The terminal part of the billing service interface, served at the counter. Treat enums as open sets.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: book.components,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        serviceKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-service-key',
          description: 'Older name of x-api-key.',
        },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function operationOf(route: Route, book: SchemaBook) {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: accessWords(route),
    security: securityOf(route),
    parameters: parametersOf(route, book),
    ...(route.body === null
      ? {}
      : {
          requestBody: { required: needsBody(route.body), content: content(book.of(route.body, 'input')) },
        }),
    responses: { ...answersOf(route.replies, book), ...refusalsOf(route, book) },
  };
}

/** False where every field has a default or may be left out: no body means the same as an empty one. */
function needsBody(body: z.ZodType): boolean {
  return !body.safeParse({}).success;
}

function accessWords({ access }: Route): string {
  if (access === 'open') return 'Open on loopback; elsewhere the scope settings:read.';
  if (access === 'socket_only') return 'Through the unix socket only; 403 elsewhere.';
  return `Scope: ${access}. The unix socket needs no key.`;
}

function securityOf({ access }: Route): readonly Record<string, readonly string[]>[] {
  if (access === 'socket_only') return [];
  const keyed = [{ apiKey: [] }, { serviceKey: [] }, { bearer: [] }];
  return access === 'open' ? [{}, ...keyed] : keyed;
}

function parametersOf(route: Route, book: SchemaBook) {
  return [
    ...fieldsOf(book.of(route.params, 'input'), 'path'),
    ...fieldsOf(book.of(route.query, 'input'), 'query'),
    header('Service-Version', 'Pins a version: YYYY-MM-DD. Wins over the query parameter.'),
    ...(route.idempotent
      ? [header('Idempotency-Key', '1 to 255 printable characters; a UUID is recommended.')]
      : []),
    ...(route.endless ? [header('Last-Event-ID', 'Resume behind this event.')] : []),
  ];
}

function fieldsOf(schema: JsonSchema, place: 'path' | 'query') {
  const required = z.array(z.string()).catch([]).parse(schema['required']);
  const fields = z.record(z.string(), z.unknown()).catch({}).parse(schema['properties']);
  return Object.entries(fields).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: field,
  }));
}

function header(name: string, description: string) {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } };
}

function answersOf(replies: readonly ReplyShape[], book: SchemaBook) {
  return Object.fromEntries(replies.map((reply) => [reply.status, answerOf(reply, book)]));
}

function answerOf(reply: ReplyShape, book: SchemaBook) {
  const shapes = [reply.schema, reply.olderSchema].filter((schema) => schema !== undefined);
  const schemas = shapes.map((schema) => book.of(schema, 'output'));
  const schema = schemas.length > 1 ? { anyOf: schemas } : (schemas[0] ?? {});
  return { description: reply.description, content: content(schema, reply.mediaType) };
}

/** One response per status: its codes in words, its shapes as schemas. A status that has an answer of its own keeps it. */
function refusalsOf(route: Route, book: SchemaBook) {
  const byStatus = Map.groupBy([...rowsOf(route), INTERNAL], (row) => row.status);
  const own = new Set(route.replies.map(({ status }) => status));
  return Object.fromEntries(
    [...byStatus]
      .filter(([status]) => !own.has(status))
      .map(([status, rows]) => [status, refusalAnswer(rows, book)]),
  );
}

function rowsOf(route: Route): readonly Refusal[] {
  const keyed = route.access === 'socket_only' ? (['SOCKET_ONLY'] as const) : KEYED;
  const codes = [
    ...EVERYWHERE,
    ...keyed,
    ...(route.body === null ? [] : WITH_BODY),
    ...(route.idempotent ? IDEMPOTENT : []),
    ...route.refusals,
  ];
  return [...new Set(codes)].map((code) => REFUSALS[code]);
}

function refusalAnswer(rows: readonly Refusal[], book: SchemaBook) {
  const shapes = [...new Set(rows.map(shapeOf))].map((schema) => book.of(schema, 'output'));
  return {
    description: [...new Set(rows.map(({ code }) => code))].join(', '),
    content: content(shapes.length > 1 ? { anyOf: shapes } : (shapes[0] ?? {})),
  };
}

function shapeOf(row: Refusal): z.ZodType {
  if (row.shape === 'idempotency') return IdempotencyError;
  return row.shape === 'unknown_route' ? FlatError : ErrorEnvelope;
}

function content(schema: JsonSchema, mediaType = 'application/json') {
  return { [mediaType]: { schema } };
}
