import { z } from 'zod';
import { AppError } from '../../base/errors.ts';

const MAX_ISSUES = 20;

/** Input as it came, not trusted yet. */
export interface RawInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly body: unknown;
}

interface Schemas<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  readonly params: P;
  readonly query: Q;
  readonly body: B | null;
}

/** The body of a route that takes none. */
export const NoBody = z.strictObject({});

/**
 * Parses what came by the route's schemas.
 * @throws VALIDATION_FAILED or FIELD_MISSING for the first issue, `context.param` its dotted path.
 */
export function parseInput<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  schemas: Schemas<P, Q, B>,
  raw: RawInput,
) {
  const params = parse(schemas.params, raw.params);
  const query = parse(schemas.query, raw.query);
  const body = parse(schemas.body ?? NoBody, raw.body ?? {});
  return { params, query, body: body as z.output<B> };
}

function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw refusalFor(result.error.issues, value);
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
