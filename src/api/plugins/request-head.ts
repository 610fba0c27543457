import type { IncomingMessage } from 'node:http';
import fastifyPlugin from 'fastify-plugin';
import { AppError } from '../../base/errors.ts';
import { traceOfHeader } from '../../base/trace.ts';
import type { Api } from '../api.ts';
import { effectiveVersion, versionHeaders } from '../version.ts';

/** Header lines of one request; node silently drops lines beyond its own limit. */
const MAX_HEADER_LINES = 100;
/** The parser accepts a request line without a version, and HTTP/2.0. */
const VERSIONS: readonly string[] = ['1.0', '1.1'];
/** The authentication step detects two values that differ. */
const CREDENTIALS: readonly string[] = ['authorization', 'x-api-key', 'x-service-key'];

const ALWAYS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const;

type Lines = Readonly<Record<string, string | readonly string[]>>;

/**
 * Reads the head of a request, and names the request and its version in every response, an error response included.
 * A header that came more than once is ambiguous. Why not node's own: `headers` keeps the first of several Host and Authorization headers,
 * and `headersDistinct` fails on a header named `constructor`.
 * @throws REQUEST_MALFORMED for another version of HTTP, or chunks in HTTP/1.0; HEADERS_TOO_LARGE for more than 100 lines.
 */
export const requestHead = fastifyPlugin(async (api: Api) => {
  api.decorateRequest('header', () => undefined);
  api.decorateRequest('trace', null);
  api.addHook('onRequest', async (request, reply) => {
    const { raw } = request;
    // The connection was closed for another one, or sends too many requests at once.
    if (raw.socket.destroyed) return reply.hijack();
    const lines = linesOf(raw.rawHeaders.slice(0, 2 * MAX_HEADER_LINES));
    const asked = effectiveVersion(single(lines['service-version']), versionIn(request.query));
    reply.headers(standardHeaders(request.id, asked));
    if (raw.rawHeaders.length > 2 * MAX_HEADER_LINES)
      throw new AppError('HEADERS_TOO_LARGE', `There are more than ${MAX_HEADER_LINES} headers`);
    if (!VERSIONS.includes(raw.httpVersion) || hasChunksOfHttp10(raw))
      throw new AppError('REQUEST_MALFORMED', 'This is not an HTTP/1.1 request');
    request.header = (name) => oneValueOf(lines, name);
    request.trace = traceOfHeader(single(lines['traceparent']));
    return undefined;
  });
});

/** Headers of every response. */
export function standardHeaders(requestId: string, version = effectiveVersion(undefined, undefined)) {
  return { ...ALWAYS, 'x-request-id': requestId, ...versionHeaders(version) };
}

/** The parameter `version`, where it occurs once. */
export function versionIn(query: unknown): string | undefined {
  return single(Reflect.get(Object(query), 'version'));
}

/** Converts alternating names and values to values by lower-case name; credentials become one text with commas. */
function linesOf(rawHeaders: readonly string[]): Lines {
  const lines: Record<string, string | string[]> = Object.create(null);
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    const before = lines[name];
    if (before === undefined) lines[name] = value;
    else lines[name] = CREDENTIALS.includes(name) ? `${before}, ${value}` : [before, value].flat();
  }
  return lines;
}

function oneValueOf(lines: Lines, name: string): string | undefined {
  const value = lines[name];
  if (typeof value === 'string' || value === undefined) return value;
  throw new AppError('REQUEST_MALFORMED', `The header ${name} came more than once`);
}

function hasChunksOfHttp10({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.0' && headers['transfer-encoding'] !== undefined;
}

function single(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
