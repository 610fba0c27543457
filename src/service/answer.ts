import type { z } from 'zod';
import type { AppError } from '../base/errors.ts';
import type { HttpReply } from '../net/http-client.ts';
import { retryAfterMs } from '../net/retry-after.ts';
import type { Answer, NotApplied, Refusal, Trouble } from '../outbox/report-port.ts';
import { EnvelopeError, FlatError, HEADERS, SERVICE_VERSION, ValidationError } from './contract.ts';

/**
 * The one place that decides whether an answer is the service's answer to this request, and what it means. The service signs each answer with its
 * version. An answer without that signature, or whose body is not what the contract has for this request, counts as no answer: it is `unavailable`,
 * so it claims, delivers, dead-letters and drops nothing. Pure; the table in its test is the contract.
 * @param expected what the contract's 2xx to this request holds
 */
export function answerOf<T>(reply: HttpReply, expected: z.ZodType<T>): Answer<T> {
  if (reply.status < 200 || reply.status > 299) return notAppliedOf(reply);
  const body = bodyOf(reply);
  if (!isSigned(reply) || body === NO_JSON) return foreign(reply, body);
  const error = errorIn(body);
  if (error) return offContract(reply, `an error: ${error.message}`);
  const read = expected.safeParse(body);
  return read.success
    ? { kind: 'applied', value: read.data }
    : offContract(reply, `not what was asked for: ${issueIn(read.error)}`);
}

/** {@link answerOf} for every status but a 2xx. */
export function notAppliedOf(reply: HttpReply): NotApplied {
  const body = bodyOf(reply);
  const error = errorIn(body);
  if (isTrouble(reply.status)) return unavailable(reply, error);
  if (!isSigned(reply) || body === NO_JSON) return foreign(reply, body);
  if (error === null || reply.status < 400) return offContract(reply, 'no error of the contract');
  const refusal = { status: reply.status, code: error.code, message: error.message };
  if (reply.status === 429) return { kind: 'rate_limited', retryAfterMs: pauseOf(reply, error) };
  if (error.isIdempotency) return idempotencyAnswer(reply, refusal, error);
  return { kind: refusalKind(refusal), refusal };
}

/** Whether the service itself answers: each of its answers names the version that tilld speaks. */
export function isSigned({ headers }: HttpReply): boolean {
  return headers[HEADERS.version]?.trim() === SERVICE_VERSION;
}

function refusalKind({ status, code }: Refusal): Refused['kind'] {
  if (status === 401) return 'unauthorised';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  return status === 409 && code === 'resource_already_exists' ? 'already_exists' : 'refused';
}

type Refused = Extract<NotApplied, { readonly refusal: Refusal }>;

/** What a request without an answer means: the error is one of `net/`. */
export function answerOfFailure(error: AppError): NotApplied {
  return {
    kind: 'unavailable',
    trouble: troubleOf(error),
    reached: error.context['reached'] === 'no' ? 'no' : 'unknown',
    retryAfterMs: null,
    words: `${error.code}: ${error.message}`.slice(0, 300),
  };
}

const NO_JSON = Symbol('no JSON');

/** The JSON of a body; undefined: there is no body; {@link NO_JSON}: the body is no JSON. */
function bodyOf({ text }: HttpReply): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return NO_JSON;
  }
}

interface ErrorInBody {
  readonly code: string | null;
  readonly message: string;
  readonly isIdempotency: boolean;
  readonly retryAfterMs: number | null;
}

function errorIn(body: unknown): ErrorInBody | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
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
      code,
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

/** Another peer answers. Its `Retry-After` is obeyed: the peer may be a gateway of the service. */
function foreign(reply: HttpReply, body: unknown): NotApplied {
  const { status, headers } = reply;
  const trouble = isPortal(reply) ? 'captive_portal' : 'wrong_host';
  const version = headers[HEADERS.version];
  const signature =
    version === undefined ? "without the service's version" : `in version ${version}, not ${SERVICE_VERSION}`;
  const what = body === NO_JSON ? 'no JSON, ' : body === undefined ? 'no body, ' : '';
  const message = words(`status ${status}`, `not the service's answer (${what}${signature})`);
  return {
    kind: 'unavailable',
    trouble,
    reached: 'unknown',
    retryAfterMs: pauseOf(reply, null),
    words: message,
  };
}

/** It has the service's version, but not the contract's answer to this request: it proves nothing. */
function offContract(reply: HttpReply, why: string): NotApplied {
  return {
    kind: 'unavailable',
    trouble: 'wrong_host',
    reached: 'unknown',
    retryAfterMs: pauseOf(reply, null),
    words: words(`status ${reply.status}`, why),
  };
}

/** A web page instead of JSON, a temporary redirect, or 511: the answer of a network that requires a sign-in first. */
function isPortal({ status, headers, text }: HttpReply): boolean {
  if (status === 511 || [302, 303, 307].includes(status)) return true;
  const isPage = /^text\/html/i.test(headers['content-type'] ?? '') || /^\s*</.test(text);
  return status < 300 && isPage;
}

function issueIn({ issues }: z.ZodError): string {
  const [first] = issues;
  return words(first?.path.map(String).join('.') ?? '', first?.message ?? '');
}

/** 409: the first request still runs; 422: another request had this key; any other key error is a refusal. */
function idempotencyAnswer(reply: HttpReply, refusal: Refusal, error: ErrorInBody): NotApplied {
  if (error.code === 'IDEMPOTENCY_KEY_MISMATCH' || reply.status === 422)
    return { kind: 'key_mismatch', refusal };
  if (reply.status === 409) return { kind: 'conflict_in_progress', retryAfterMs: pauseOf(reply, error) };
  return { kind: 'refused', refusal };
}

/** 501 is a final refusal, 511 a network that requires a sign-in; 408 and 425 ask for a retry; 407 comes from a proxy. */
function isTrouble(status: number): boolean {
  return (status >= 500 && status !== 501 && status !== 511) || [407, 408, 425].includes(status);
}

function unavailable(reply: HttpReply, error: ErrorInBody | null): NotApplied {
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

/** A certificate of another name or authority: a sign-in page or a proxy that opens TLS. An expired certificate is an error of the service. */
const ANOTHER_PEER = /^(?:ERR_TLS_CERT_ALTNAME|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_)/;

/** A refused connection reached a machine: the line works, the service does not. */
function troubleOf(error: AppError): Trouble {
  const cause = String(error.context['cause']);
  if (error.code === 'NET_NAME_RESOLUTION') return 'name_resolution';
  if (ANOTHER_PEER.test(cause)) return 'wrong_host';
  return NO_LINE.includes(cause) ? 'line' : 'service';
}

function words(first: string, second: string): string {
  return [first, second]
    .filter((part) => part !== '')
    .join(': ')
    .replace(/\s+/g, ' ')
    .slice(0, 300);
}
