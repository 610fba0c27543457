import { z } from 'zod';
import { dataOf, Role, TestedDestination } from '../operators/resources.ts';
import { AlertName } from './alert-routes.ts';
import { PERIOD } from './operator-route.ts';
import type { OperatorRoute } from './route.ts';

const ErrorReply = z.object({
  error: z.object({
    code: z.string().describe('Stable: branch on it.'),
    message: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
});

const FAILURES = {
  400: 'A fault of the request, in words.',
  401: 'No such operator, or the session has ended.',
  403: 'The role is too small, or the page is of another origin.',
  404: 'There is no such thing, or it is of another tenant.',
  409: 'It does not fit what is there.',
  422: 'It cannot be done as it was asked for, in words.',
  429: 'Too many requests: come again after `Retry-After` seconds.',
};

type Described = Omit<OperatorRoute, 'run' | 'status' | 'reply'> & {
  readonly status: number;
  readonly reply: z.ZodType | null;
  readonly media?: readonly string[];
};

const Session = dataOf(z.object({ name: z.string(), role: Role }));
const nothing = z.strictObject({});

/** Routes with a form of their own. */
const OTHERS: readonly Described[] = [
  {
    method: 'POST',
    path: '/v1/session',
    operationId: 'signIn',
    summary: 'Open a session of twelve hours with a token; its cookie is for the pages.',
    role: 'viewer',
    input: z.strictObject({ token: z.string() }),
    status: 201,
    reply: Session,
  },
  {
    method: 'GET',
    path: '/v1/session',
    operationId: 'getSession',
    summary: 'Who is asking.',
    role: 'viewer',
    input: nothing,
    status: 200,
    reply: Session,
  },
  {
    method: 'DELETE',
    path: '/v1/session',
    operationId: 'signOut',
    summary: 'End the session.',
    role: 'viewer',
    input: nothing,
    status: 204,
    reply: null,
  },
  {
    method: 'GET',
    path: '/v1/exports/journal',
    operationId: 'exportJournal',
    summary:
      'Every row of the journal of a period, then a line for each chain, then the end: completeness is provable.',
    role: 'viewer',
    input: z.strictObject({ ...PERIOD, format: z.enum(['ndjson', 'csv']).default('ndjson') }),
    status: 200,
    reply: z.string(),
    media: ['application/x-ndjson', 'text/csv'],
  },
  {
    method: 'POST',
    path: '/v1/alert-destinations/{name}/test',
    operationId: 'testAlertDestination',
    summary: 'Send one test message there now, and say what happened.',
    role: 'admin',
    input: z.strictObject({ name: AlertName }),
    status: 200,
    reply: dataOf(TestedDestination),
  },
];

/** The OpenAPI 3.1 document of the operators' interface, derived from what serves it. */
export function openApiDocument(routes: readonly OperatorRoute[]) {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of [...routes, ...OTHERS]) {
    paths[route.path] ??= {};
    Object.assign(paths[route.path] ?? {}, { [route.method.toLowerCase()]: operationOf(route) });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'tillhub, for operators',
      version: '1',
      summary: 'Many shops, one view. Nothing here moves money.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The hub that gave this document.' }],
    security: [{ token: [] }, { session: [] }],
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorReply, 'output') },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: '`tillhub operators add`' },
        session: { type: 'apiKey', in: 'cookie', name: '__Host-tillhub' },
      },
    },
  };
}

function operationOf({ method, path, operationId, summary, role, input, status, reply, media }: Described) {
  const names = Object.keys(input.shape);
  const inPath = names.filter((name) => path.includes(`{${name}}`));
  const others = names.filter((name) => !inPath.includes(name));
  const isQuery = method === 'GET';
  const parameters = [...inPath, ...(isQuery ? others : [])].map((name) => parameterOf(input, name, inPath));
  const content =
    reply &&
    Object.fromEntries(
      (media ?? ['application/json']).map((type) => [type, { schema: schemaOf(reply, 'output') }]),
    );
  return {
    operationId,
    summary,
    description: `Role: ${role}.`,
    ...(operationId === 'signIn' ? { security: [] } : {}),
    parameters,
    ...(isQuery || others.length === 0 ? {} : { requestBody: bodyOf(input, others) }),
    responses: { [status]: { description: 'Done.', ...(content ? { content } : {}) }, ...failures() },
  };
}

function parameterOf(input: z.ZodObject, name: string, inPath: readonly string[]) {
  const field = input.shape[name] as z.ZodType;
  const { description, ...schema } = schemaOf(field, 'input') as { description?: string };
  return {
    name,
    in: inPath.includes(name) ? 'path' : 'query',
    required: !field.safeParse(undefined).success,
    ...(description === undefined ? {} : { description }),
    schema,
  };
}

function bodyOf(input: z.ZodObject, names: readonly string[]) {
  const fields = z.strictObject(
    Object.fromEntries(names.map((name) => [name, input.shape[name] as z.ZodType])),
  );
  return { required: true, content: { 'application/json': { schema: schemaOf(fields, 'input') } } };
}

function failures() {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return Object.fromEntries(
    Object.entries(FAILURES).map(([status, description]) => [status, { description, content }]),
  );
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...own } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' });
  return own;
}
