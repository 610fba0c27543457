import { z } from 'zod';
import { AppError } from '../../base/errors.ts';

const MAX_ISSUES = 20;

/** Input as received, not validated. */
export interface RawInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly body: unknown;
}

interface Schemas<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  readonly params: P;
  readonly query: Q;
  readonly body: B | null;
  /** An invalid body gets a list of issues instead of the envelope. */
  readonly refusesWithIssues?: true;
}

/** The body of a route that takes none. */
export const EmptyBody = z.strictObject({});

/**
 * Validates the input with the route's schemas.
 * @throws VALIDATION_FAILED or FIELD_MISSING for the first issue, `context.param` its dotted path; SETTINGS_INVALID with `context.issues`.
 */
export function parseInput<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  schemas: Schemas<P, Q, B>,
  raw: RawInput,
) {
  const params = parse(schemas.params, raw.params);
  const query = parse(schemas.query, raw.query);
  const refusal = schemas.refusesWithIssues ? issueListFor : refusalFor;
  const body = parse(schemas.body ?? EmptyBody, raw.body ?? {}, refusal);
  return { params, query, body: body as z.output<B> };
}

function parse<S extends z.ZodType>(schema: S, value: unknown, refusal = refusalFor): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw refusal(result.error.issues, value);
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
