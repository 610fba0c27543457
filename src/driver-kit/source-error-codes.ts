import type { AppError } from '../base/errors.ts';
import type { Json, SourceReply } from '../integration/connector.ts';
import { sourceError } from '../integration/failure/source-error.ts';

/**
 * The body of a successful answer.
 * @throws SOURCE_UNAUTHORISED | SOURCE_FORBIDDEN | SOURCE_RATE_LIMITED | SOURCE_UNAVAILABLE | SOURCE_REFUSED by its status, with the provider's text;
 *   SOURCE_MALFORMED when it is no JSON, or has a status below 400 without content
 */
export function jsonOfReply(reply: SourceReply): Json {
  if (reply.status < 200 || reply.status > 299) throw errorOfStatus(reply);
  const body = reply.json ?? parsed(reply.text);
  if (body === undefined) throw sourceError('SOURCE_MALFORMED', notJson(reply), { status: reply.status });
  return body;
}

/** The meaning of a status other than 2xx for a sync. */
export function errorOfStatus(reply: SourceReply): AppError {
  const { status, retryAfterMs = null, url } = reply;
  const message = providerWords(reply.text);
  const [at, ending] = [url === undefined ? '' : ` at ${url}`, message === '' ? '' : `: ${message}`];
  const words = (meaning: string) => `${meaning} (status ${status}${at})${ending}`;
  const facts = { status, retryAfterMs };
  if (status === 401)
    return sourceError('SOURCE_UNAUTHORISED', words('the source refuses the credential'), facts);
  if (status === 403) {
    const meaning = `the credential may not read ${url ?? 'this'} (status 403)${ending}`;
    return sourceError('SOURCE_FORBIDDEN', meaning, facts);
  }
  if (status === 429)
    return sourceError('SOURCE_RATE_LIMITED', words('the source wants fewer requests'), facts);
  if (status === 408 || status === 425 || (status >= 500 && status !== 501)) {
    return sourceError('SOURCE_UNAVAILABLE', words('the source cannot answer now'), facts);
  }
  if (status < 400)
    return sourceError('SOURCE_MALFORMED', words('the source answers with no content'), facts);
  return sourceError('SOURCE_REFUSED', words('the source refuses the request'), facts);
}

/** The longest text of a provider that is passed on. */
const LONGEST_SAYING = 300;

/** The provider's error text, from the usual fields; empty where there is none. */
export function providerWords(text: string): string {
  const body = parsed(text);
  const found = body === undefined ? undefined : firstSaying(body, 0);
  return (found ?? '').replace(/\s+/g, ' ').trim().slice(0, LONGEST_SAYING);
}

const PLACES = ['message', 'error_description', 'error', 'detail', 'title', 'errors', 'fault', 'exception'];

function firstSaying(value: Json, depth: number): string | undefined {
  if (typeof value === 'string') return value;
  if (depth > 3 || typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return value[0] === undefined ? undefined : firstSaying(value[0], depth + 1);
  for (const [name, inner] of Object.entries(value)) {
    const message = PLACES.includes(name.toLowerCase()) ? firstSaying(inner, depth + 1) : undefined;
    if (message) return message;
  }
  return undefined;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function notJson({ text, headers }: SourceReply): string {
  const type = headers['content-type']?.split(';')[0] ?? 'no content type';
  if (text.trim() === '') return 'the source answers with nothing';
  return `the source does not answer in JSON (${type.slice(0, 80)}, ${text.length} characters)`;
}
