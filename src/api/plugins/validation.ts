import type { FastifySchema, FastifySchemaCompiler, FastifyServerOptions } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { invariant } from '../../base/invariant.ts';
import type { Api } from '../api.ts';

const MAX_ISSUES = 20;

/** The body of a route that takes none. */
export const EmptyBody = z.strictObject({});

/**
 * Validates path, query and body with the zod schemas of the route.
 * @throws VALIDATION_FAILED or FIELD_MISSING for the first issue, `context.param` its dotted path; SETTINGS_INVALID with `context.issues`
 * for a body where the route says so.
 */
export const validation = fastifyPlugin(async (api: Api) => {
  api.addHook('onRoute', (route) => {
    const isRead = route.method === 'GET' || route.method === 'HEAD';
    if (!isRead && route.config?.access !== 'signed') route.schema = { body: EmptyBody, ...route.schema };
    if (route.config?.refusesWithIssues) route.validatorCompiler = compilerOf(issueListFor);
  });
});

/** For fastify's option `schemaController`: with it fastify loads neither ajv nor fast-json-stringify. Responses are plain JSON. */
export const ZOD_COMPILERS: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: {
    // Fastify's types know ajv's compilers only.
    buildValidator: (() => compilerOf(refusalFor)) as never,
    buildSerializer: () => () => (data: unknown) => JSON.stringify(data),
  },
};

type Refuse = (issues: readonly z.core.$ZodIssue[], value: unknown) => AppError;

/** @param refuseBody makes the error of an invalid body */
function compilerOf(refuseBody: Refuse): FastifySchemaCompiler<FastifySchema> {
  return ({ schema, httpPart }) => {
    invariant(schema instanceof z.ZodType, 'the schemas of a route are zod schemas');
    return (value: unknown) => {
      const given = httpPart === 'body' ? (value ?? {}) : value;
      const result = schema.safeParse(given);
      if (result.success) return { value: result.data };
      return { error: (httpPart === 'body' ? refuseBody : refusalFor)(result.error.issues, given) };
    };
  };
}

function issueListFor(issues: readonly z.core.$ZodIssue[], value: unknown): AppError {
  const described = issues.slice(0, MAX_ISSUES).map((issue) => ({
    path: pathOf(issue).slice(0, 8),
    message: describe(issue, value).message,
  }));
  return new AppError('SETTINGS_INVALID', 'The request is not what the interface describes', {
    context: { issues: described },
  });
}

/** Names and indices; a name that the client chose is cut. */
function pathOf(issue: z.core.$ZodIssue): readonly (string | number)[] {
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
  return path.map((step) => (typeof step === 'number' ? step : String(step).slice(0, 128)));
}

function refusalFor(issues: readonly z.core.$ZodIssue[], value: unknown): AppError {
  const described = issues.slice(0, MAX_ISSUES).map((issue) => describe(issue, value));
  const first = described[0] ?? { missing: false, path: '', message: 'is not what the interface describes' };
  const subject = first.path === '' ? 'The request' : first.path.slice(0, 128);
  return new AppError(first.missing ? 'FIELD_MISSING' : 'VALIDATION_FAILED', `${subject} ${first.message}`, {
    context: {
      param: first.path,
      details: { issues: described.map(({ path, message }) => ({ path: path.slice(0, 128), message })) },
    },
  });
}

function describe(issue: z.core.$ZodIssue, value: unknown) {
  if (issue.code === 'unrecognized_keys') {
    return {
      missing: false,
      path: [...issue.path, issue.keys[0] ?? ''].join('.'),
      message: 'is not a field of this request',
    };
  }
  const path = issue.path.join('.');
  const missing = valueAt(value, issue.path) === undefined;
  return { missing, path, message: missing ? 'is required' : wordsFor(issue) };
}

function wordsFor(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int' ? 'must be a whole number' : `must be of type ${issue.expected}`;
    case 'too_small':
      return `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`;
    case 'too_big':
      return `must be ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}`;
    case 'invalid_format':
      return issue.format === 'uuid' ? 'must be a UUID' : 'has a form that is not accepted';
    case 'invalid_value':
      return `must be one of ${issue.values.slice(0, 200).join(', ')}`.slice(0, 300);
    case 'custom':
      return issue.message;
    default:
      return 'is not accepted';
  }
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const name of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = Reflect.get(current, name);
  }
  return current;
}
