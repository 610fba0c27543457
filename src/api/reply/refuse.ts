import { AppError, messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { guardJson, guardText } from '../../base/text-guard.ts';
import { INTERNAL, type Refusal, refusalOf } from './refusals.ts';
import { type Headers, JSON_TYPE } from './reply.ts';

export interface ErrorReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** One fault of a body. */
interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const MAX_MESSAGE = 500;
const MAX_PARAM = 128;
const UNKNOWN_OUTCOME =
  'Something went wrong here and it is not known whether a payment has started. ' +
  'Look at the payments of this terminal before you try again.';
const OUR_FAULT =
  'Something went wrong here. No payment was started. Quote the request id when you report it.';

/**
 * The error response to an error, in the shape that the API uses for it.
 * An error without a row in the table is logged, and the response omits its text. No response repeats a credential.
 */
export function refuse(error: unknown, requestId: string, log: Log): ErrorReply {
  const refusal = error instanceof AppError ? refusalOf(error.code) : undefined;
  if (!refusal || !(error instanceof AppError)) return internal(error, requestId, log);
  const headers = { ...refusal.headers, ...headersOf(error) };
  return json(refusal.status, bodyOf(refusal, error, requestId), headers);
}

function bodyOf(refusal: Refusal, error: AppError, requestId: string) {
  const message = guardText(error.message).slice(0, MAX_MESSAGE);
  if (refusal.shape === 'unknown_route') return { error: message, request_id: requestId };
  if (refusal.shape === 'issues')
    return {
      success: false,
      error: { name: 'ValidationError', issues: issuesOf(error), request_id: requestId },
    };
  if (refusal.shape === 'idempotency') {
    return {
      error: message,
      code: refusal.code,
      originalRequestId: textOf(error.context['originalRequestId']) ?? requestId,
    };
  }
  const param = textOf(error.context['param']) ?? refusal.param;
  const details = detailsOf(error.context['details']);
  return {
    error: {
      type: refusal.type,
      code: refusal.code,
      message,
      ...(param === undefined ? {} : { param: guardText(param).slice(0, MAX_PARAM) }),
      ...(details === undefined ? {} : { details }),
      request_id: requestId,
    },
  };
}

function internal(error: unknown, requestId: string, log: Log): ErrorReply {
  const code = error instanceof AppError ? error.code : 'INTERNAL';
  log.error({ requestId, code, error: guardText(messageOf(error)) }, 'request failed');
  const unknown = !(error instanceof AppError) || error.moneyMoved === 'unknown';
  const message = unknown ? UNKNOWN_OUTCOME : OUR_FAULT;
  const { type, code: publicCode, status } = INTERNAL;
  return json(status, { error: { type, code: publicCode, message, request_id: requestId } });
}

/** The faults, each with its path; the whole body where no field is named. */
function issuesOf({ context, message }: AppError): readonly Issue[] {
  const issues = Array.isArray(context['issues']) ? context['issues'].filter(isIssue) : [];
  const found = issues.length > 0 ? issues : [{ path: [], message }];
  return found.map(({ path, message: words }) => ({
    path: path.map((step) => (typeof step === 'string' ? guardText(step) : step)),
    message: guardText(words).slice(0, MAX_MESSAGE),
  }));
}

function isIssue(value: unknown): value is Issue {
  return (
    typeof value === 'object' &&
    value !== null &&
    'path' in value &&
    Array.isArray(value.path) &&
    'message' in value &&
    typeof value.message === 'string'
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Plain JSON without card numbers, or nothing. */
function detailsOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return guardJson(value);
}

function headersOf(error: AppError): Record<string, string> {
  const headers = error.context['headers'];
  if (typeof headers !== 'object' || headers === null) return {};
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

function json(status: number, document: object, headers: Headers = {}): ErrorReply {
  return { status, headers: { 'content-type': JSON_TYPE, ...headers }, body: JSON.stringify(document) };
}
