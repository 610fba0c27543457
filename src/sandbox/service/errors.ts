import type { z } from 'zod';

type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'authorization_error'
  | 'rate_limit_error'
  | 'api_error';

/** What an operation answers: a status and a JSON body; `null` is no body. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** The payment this answer is about and what was asked of it, for the ledger's counts. */
  readonly call?: { readonly paymentId: string; readonly kind: 'create' | 'claim' | 'result' | 'cancel' };
}

/** The service says no; the body is completed with the request's id on its way out. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly #body: (requestId: string) => unknown;

  constructor(
    status: number,
    body: (requestId: string) => unknown,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(`refused with ${status}`);
    this.status = status;
    this.headers = headers;
    this.#body = body;
  }

  bodyFor(requestId: string): unknown {
    return this.#body(requestId);
  }
}

/** A refusal in the envelope `{error: {type, code, message, param, details, request_id}}`. */
export function refuse(
  status: number,
  code: string,
  message: string,
  more: {
    readonly type?: ErrorType;
    readonly param?: string;
    readonly details?: Readonly<Record<string, unknown>>;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Refusal {
  const { type = 'invalid_request_error', param, details, headers } = more;
  return new Refusal(
    status,
    (requestId) => ({
      error: {
        type,
        code,
        message,
        ...(param === undefined ? {} : { param }),
        ...(details === undefined ? {} : { details }),
        request_id: requestId,
      },
    }),
    headers,
  );
}

/** The flat `{error}` of an unknown route. */
export function unknownRoute(): Refusal {
  return new Refusal(404, () => ({ error: 'Not Found' }));
}

/** 400 in the envelope, naming the parameter. */
export function invalid(param: string, message: string): Refusal {
  return refuse(400, 'validation_error', message, { param });
}

/** 404 in the envelope. */
export function notFound(what: string, param?: string): Refusal {
  return refuse(404, 'resource_not_found', `No such ${what}.`, param === undefined ? {} : { param });
}

/**
 * Parses a body.
 * @throws Refusal 400 `missing_required_field` or `validation_error` with `param` for the first fault found.
 */
export function parseBody<T extends z.ZodType>(schema: T, body: unknown): z.infer<T> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (!issue || (issue.path.length === 0 && issue.code !== 'unrecognized_keys')) {
    throw refuse(400, 'validation_error', 'The body must be a JSON object.');
  }
  if (issue.code === 'unrecognized_keys') {
    const param = [...issue.path, issue.keys[0] ?? ''].map(String).join('.');
    throw invalid(param, `Unknown field ${param}.`);
  }
  const param = issue.path.map(String).join('.');
  if (valueAt(body, issue.path) === undefined) {
    throw refuse(400, 'missing_required_field', `${param} is required.`, { param });
  }
  throw invalid(param, `${param}: ${issue.message}`);
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    body,
  );
}
