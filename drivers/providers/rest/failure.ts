import {
  type Json,
  messageOf,
  providerWords,
  type SourceCode,
  type SourceReply,
  sourceError,
} from '../../../src/driver-kit/provider.ts';
import { compileExpression } from './expressions.ts';
import type { Failure, Resource } from './recipe.ts';

const CODES = {
  unauthorised: 'SOURCE_UNAUTHORISED',
  forbidden: 'SOURCE_FORBIDDEN',
  rate_limited: 'SOURCE_RATE_LIMITED',
  unavailable: 'SOURCE_UNAVAILABLE',
  refused: 'SOURCE_REFUSED',
} as const satisfies Record<string, SourceCode>;

const MEANINGS = {
  unauthorised: 'the source refuses the credential',
  forbidden: 'the credential may not read this',
  rate_limited: 'the source wants fewer requests',
  unavailable: 'the source answers with a failure',
  refused: 'the source refuses the request',
} as const;

const LONGEST_WORDS = 300;

/**
 * A failure that a source reports with a status of 2xx. A part of the data that stands beside it is not used: records that are missing from it would
 * count as deleted.
 * @throws SOURCE_UNAUTHORISED | SOURCE_FORBIDDEN | SOURCE_RATE_LIMITED | SOURCE_UNAVAILABLE | SOURCE_REFUSED with the provider's words
 */
export async function refuseFailure(
  { when, code, message, codes }: Failure,
  answer: Json,
  reply: SourceReply,
): Promise<void> {
  if (isNothing(await failedOn(when, answer))) return;
  const found = code === undefined ? undefined : await textFrom(code, answer);
  const name = typeof found === 'string' || typeof found === 'number' ? String(found) : '';
  const meaning = (Object.hasOwn(codes, name) ? codes[name] : undefined) ?? 'unavailable';
  const own = message === undefined ? undefined : await textFrom(message, answer);
  const words = typeof own === 'string' && own !== '' ? own : providerWords(reply.text);
  const shown = (reply.withoutCredential?.(words) ?? words)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST_WORDS);
  const at = `status ${reply.status}${reply.url === undefined ? '' : ` at ${reply.url}`}`;
  throw sourceError(CODES[meaning], `${MEANINGS[meaning]} (${at})${shown === '' ? '' : `: ${shown}`}`, {
    status: reply.status,
    retryAfterMs: reply.retryAfterMs ?? null,
  });
}

/** Whether an answer says in its own way that there is nothing (more). */
export async function isDeclaredEmpty(
  { status, when }: Extract<Resource['empty'], object>,
  reply: SourceReply,
): Promise<boolean> {
  if (reply.status !== status) return false;
  try {
    return (await textFrom(when, JSON.parse(reply.text))) === true;
  } catch {
    return false;
  }
}

function isNothing(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === false ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** @throws SOURCE_MALFORMED when the expression fails on the answer: whether it holds the data is then not known */
async function failedOn(text: string, answer: Json): Promise<unknown> {
  const compiled = compileExpression(text);
  if (compiled.problem !== null) throw sourceError('SOURCE_REFUSED', compiled.problem);
  try {
    return await compiled.evaluate(answer, {});
  } catch (error) {
    throw sourceError('SOURCE_MALFORMED', `"failure.when" cannot be worked out: ${messageOf(error)}`);
  }
}

/** An expression that fails gives nothing: the failure is reported without it. */
async function textFrom(text: string, answer: Json): Promise<unknown> {
  const compiled = compileExpression(text);
  if (compiled.problem !== null) return undefined;
  try {
    return await compiled.evaluate(answer, {});
  } catch {
    return undefined;
  }
}
