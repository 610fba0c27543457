import type { z } from 'zod';

type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'authorization_error'
  | 'card_error'
  | 'rate_limit_error'
  | 'idempotency_error'
  | 'api_error';

/** The result of an operation: a status and a JSON body; `null`: no body. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** The payment of this answer and the call that was made, for the ledger's counts. */
  readonly call?: { readonly paymentId: string; readonly kind: 'create' | 'claim' | 'result' | 'cancel' };
}

/** One error of a body or a parameter. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** An error response; the request's id is added before it is sent. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** What failed validation; empty for every other error. */
  readonly issues: readonly Issue[];
  readonly #body: (requestId: string) => unknown;

  constructor(
    status: number,
    body: (requestId: string) => unknown,
    headers: Readonly<Record<string, string>> = {},
    issues: readonly Issue[] = [],
  ) {
    super(`refused with ${status}`);
    this.status = status;
    this.headers = headers;
    this.issues = issues;
    this.#body = body;
  }

  bodyFor(requestId: string): unknown {
    return this.#body(requestId);
  }
}

/** An error response in the envelope `{error: {type, code, message, param, details, request_id}}`. */
export function refuse(
  status: number,
  code: string,
  message: string,
  more: {
    readonly type?: ErrorType;
    readonly param?: string;
    readonly details?: Readonly<Record<string, unknown>>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly issues?: readonly Issue[];
  } = {},
): Refusal {
  const { type = 'invalid_request_error', param, details, headers, issues } = more;
  return new Refusal(
    status,
    (requestId) => ({
      error: {
        type,
        code,
        message: withoutKeys(message),
        ...(param === undefined ? {} : { param: withoutKeys(param) }),
        ...(details === undefined ? {} : { details }),
        request_id: requestId,
      },
    }),
    headers,
    issues,
  );
}

/** The body of a failed validation where one statement of the interface replaces the envelope. */
export function issueList(issues: readonly Issue[]): unknown {
  const shown = issues.map(({ path, message }) => ({
    path: path.map((step) => (typeof step === 'string' ? withoutKeys(step) : step)),
    message: withoutKeys(message),
  }));
  return { success: false, error: { name: 'ValidationError', issues: shown } };
}

/** The flat `{error, code, originalRequestId}` of all errors about an `Idempotency-Key`. */
export function flat(status: number, code: string, error: string, originalRequestId: string): Refusal {
  return new Refusal(status, () => ({ error, code, originalRequestId }));
}

/** The flat `{error}` of a few look-ups. */
export function flatError(status: number, error: string): Refusal {
  return new Refusal(status, () => ({ error }));
}

/** The flat `{error}` of an unknown route. */
export function unknownRoute(): Refusal {
  return flatError(404, 'Not Found');
}

/** 400 of the integrations' PUTs: `{success: false, error: {name, issues}}`. */
export function failedIssues(issues: readonly Issue[]): Refusal {
  return new Refusal(400, () => issueList(issues));
}

/** 400 in the envelope, naming the parameter. */
export function invalid(param: string, message: string): Refusal {
  return refuse(400, 'validation_error', message, { param, issues: [{ path: [param], message }] });
}

/** 404 in the envelope. */
export function notFound(what: string, param?: string): Refusal {
  return refuse(404, 'resource_not_found', `No such ${what}.`, param === undefined ? {} : { param });
}

/**
 * Parses a body.
 * @throws Refusal 400 `missing_required_field` or `validation_error` with `param` for the first error found.
 */
export function parseBody<T extends z.ZodType>(schema: T, body: unknown): z.infer<T> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.flatMap(issuesOf);
  const [first] = issues;
  if (!first || first.path.length === 0) {
    const message = parsed.error.issues[0]?.code === 'custom' ? first?.message : undefined;
    throw refuse(400, 'validation_error', message ?? 'The body must be a JSON object.', { issues });
  }
  const param = first.path.join('.');
  if (valueAt(body, first.path) === undefined) {
    throw refuse(400, 'missing_required_field', `${param} is required.`, { param, issues });
  }
  throw refuse(400, 'validation_error', `${param}: ${first.message}`, { param, issues });
}

/** Parses a body of an integration's PUT. @throws Refusal 400 with the list of issues. */
export function parseWithIssues<T extends z.ZodType>(schema: T, body: unknown): z.infer<T> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw failedIssues(parsed.error.issues.flatMap(issuesOf));
}

function issuesOf(issue: z.core.$ZodIssue): readonly Issue[] {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
  return issue.keys.map((key) => ({ path: [...path, key], message: 'is not a field this service knows' }));
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    body,
  );
}

/** No response echoes a credential, not even one that was sent as a field name. */
function withoutKeys(text: string): string {
  return text.replace(/\brk_(live|sandbox)_[\w-]*/gi, 'rk_…');
}
