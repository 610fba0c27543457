import type { AppError } from '../base/errors.ts';
import type { HttpReply } from '../net/http-client.ts';
import { retryAfterMs } from '../net/retry-after.ts';
import type { Answer, PaymentAtService, Refusal, Trouble } from '../outbox/report-port.ts';
import { EnvelopeError, FlatError, HEADERS, PaymentReply, ValidationError } from './contract.ts';

/**
 * Every status and every shape of body as one of the few things it can mean to us. Pure; the table in its test is the contract.
 * A word that the service did not say (a portal's page, a proxy's 404) is `unclear`: it settles nothing.
 * @param body the text of the reply as JSON, where somebody has read it already
 */
export function answerOf(reply: HttpReply, body = jsonOf(reply.text)): Answer {
  const error = errorIn(body);
  const refusal = {
    status: reply.status,
    code: error?.code ?? null,
    message: error?.message ?? `status ${reply.status}`,
  };
  if (reply.status >= 200 && reply.status < 300) return successOf(reply, body, error);
  if (reply.status === 429) return { kind: 'rate_limited', retryAfterMs: pauseOf(reply, error) };
  if (isTrouble(reply.status)) return unavailable(reply, error);
  if (!error && !isSigned(reply))
    return { kind: 'unclear', words: `status ${reply.status} not in the service's words` };
  if (error?.isIdempotency) return idempotencyAnswer(reply, refusal, error);
  switch (reply.status) {
    case 401:
      return { kind: 'unauthorised', refusal };
    case 403:
      return { kind: 'forbidden', refusal };
    case 404:
      return { kind: 'not_found', refusal };
    case 409:
      return refusal.code === 'resource_already_exists'
        ? { kind: 'already_exists', refusal }
        : { kind: 'refused', refusal };
    default:
      if (reply.status >= 400) return { kind: 'refused', refusal };
      return { kind: 'unclear', words: `status ${reply.status}` };
  }
}

/** What a request that got no answer means: the error is one of `net/`. */
export function answerOfFailure(error: AppError): Answer {
  return {
    kind: 'unavailable',
    trouble: troubleOf(error),
    reached: error.context['reached'] === 'no' ? 'no' : 'unknown',
    retryAfterMs: null,
    words: `${error.code}: ${error.message}`.slice(0, 300),
  };
}

/** JSON of a body, or undefined. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface ErrorInBody {
  readonly code: string | null;
  readonly message: string;
  readonly isIdempotency: boolean;
  readonly retryAfterMs: number | null;
}

function errorIn(body: unknown): ErrorInBody | null {
  const envelope = EnvelopeError.safeParse(body);
  const validation = ValidationError.safeParse(body);
  if (validation.success) {
    const issue = validation.data.error.issues?.[0];
    const where = Array.isArray(issue?.path) ? issue.path.map(String).join('.') : String(issue?.path ?? '');
    return {
      code: 'validation_error',
      message: words(where, issue?.message ?? ''),
      isIdempotency: false,
      retryAfterMs: null,
    };
  }
  if (envelope.success) {
    const { type, code, message, param, details } = envelope.data.error;
    const seconds = details?.retry_after;
    return {
      code: code ?? null,
      message: words(param ?? '', message ?? ''),
      isIdempotency: type === 'idempotency_error' || code === 'idempotency_conflict',
      retryAfterMs: seconds === undefined ? null : Math.min(seconds * 1000, 3_600_000),
    };
  }
  const flat = FlatError.safeParse(body);
  if (!flat.success) return null;
  const code = flat.data.code ?? null;
  const isIdempotency = code?.startsWith('IDEMPOTENCY_KEY') ?? false;
  return { code, message: words('', flat.data.error), isIdempotency, retryAfterMs: null };
}

/** A 2xx counts only in the service's own words: JSON, or no body under its version header. */
function successOf(reply: HttpReply, body: unknown, error: ErrorInBody | null): Answer {
  if (error) return { kind: 'unclear', words: `status ${reply.status} with an error: ${error.message}` };
  if (typeof body === 'object' && body !== null) return { kind: 'applied', payment: paymentIn(body) };
  if (reply.text.trim() === '' && isSigned(reply)) return { kind: 'applied', payment: null };
  return { kind: 'unclear', words: `status ${reply.status} without a JSON object` };
}

/** Headers that only the service sends: its version with every answer, its challenge with every 401. */
function isSigned(reply: HttpReply): boolean {
  const challenged = reply.status === 401 && reply.headers['www-authenticate'] !== undefined;
  return challenged || reply.headers[HEADERS.version] !== undefined;
}

function paymentIn(body: unknown): PaymentAtService | null {
  const parsed = PaymentReply.safeParse(body);
  if (!parsed.success) return null;
  const { id, status, auth_code } = parsed.data.data;
  return { id, status: status ?? null, authCode: auth_code ?? null };
}

/** 409: the first request still runs; 422: another request; anything else about keys is a plain no. */
function idempotencyAnswer(reply: HttpReply, refusal: Refusal, error: ErrorInBody): Answer {
  if (error.code === 'IDEMPOTENCY_KEY_MISMATCH' || reply.status === 422)
    return { kind: 'key_mismatch', refusal };
  if (reply.status === 409) return { kind: 'conflict_in_progress', retryAfterMs: pauseOf(reply, error) };
  return { kind: 'refused', refusal };
}

/** 501 is a final no; 408 and 425 ask for a repeat; 407 comes from a proxy on the way. */
function isTrouble(status: number): boolean {
  return (status >= 500 && status !== 501) || [407, 408, 425].includes(status);
}

function unavailable(reply: HttpReply, error: ErrorInBody | null): Answer {
  return {
    kind: 'unavailable',
    trouble: reply.status === 407 ? 'line' : 'service',
    reached: 'unknown',
    retryAfterMs: pauseOf(reply, error),
    words: words(String(reply.status), error?.message ?? ''),
  };
}

function pauseOf(reply: HttpReply, error: ErrorInBody | null): number | null {
  const now = reply.dateMs ?? Date.now();
  return retryAfterMs(reply.headers[HEADERS.retryAfter], now) ?? error?.retryAfterMs ?? null;
}

const NO_LINE = [
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'ETIMEDOUT',
];

/** A refused connection reached a machine, so the line stands and the service does not. */
function troubleOf(error: AppError): Trouble {
  if (error.code === 'NET_NAME_RESOLUTION') return 'name_resolution';
  return NO_LINE.includes(String(error.context['cause'])) ? 'line' : 'service';
}

function words(first: string, second: string): string {
  return [first, second]
    .filter((part) => part !== '')
    .join(': ')
    .replace(/\s+/g, ' ')
    .slice(0, 300);
}
