import type { IncomingMessage } from 'node:http';
import { AppError } from '../../base/errors.ts';
import type { Peer, RequestHead } from '../door/request.ts';

/** Header lines of one request; node silently drops lines beyond its own limit. */
const MAX_HEADER_LINES = 100;
/** The parser accepts a request line without a version, and HTTP/2.0. */
const VERSIONS: readonly string[] = ['1.0', '1.1'];
/** The authentication step detects two values that differ. */
const CREDENTIALS: readonly string[] = ['authorization', 'x-api-key', 'x-service-key'];

/**
 * The head of a request, free of HTTP; a header that occurs more than once is a list, credentials are one text with commas.
 * Why not node's own: `headers` keeps the first of several Host and Authorization headers, and `headersDistinct` fails on a header named
 * `constructor`.
 * @throws REQUEST_MALFORMED for another version of HTTP, or chunks in HTTP/1.0; HEADERS_TOO_LARGE for more than 100 lines.
 */
export function headOf(raw: IncomingMessage, via: Peer['kind']): RequestHead {
  const { method = '', url = '', socket, httpVersion } = raw;
  if (raw.rawHeaders.length > 2 * MAX_HEADER_LINES)
    throw new AppError('HEADERS_TOO_LARGE', `There are more than ${MAX_HEADER_LINES} headers`);
  const headers = headerLists(raw.rawHeaders);
  if (!VERSIONS.includes(httpVersion) || (httpVersion === '1.0' && headers['transfer-encoding'])) {
    throw new AppError('REQUEST_MALFORMED', 'This is not an HTTP/1.1 request');
  }
  const peer: Peer =
    via === 'socket' ? { kind: 'socket' } : { kind: 'tcp', address: socket.remoteAddress ?? '' };
  return { method, target: url, headers, peer };
}

/** Converts alternating names and values to values by lower-case name. */
function headerLists(rawHeaders: readonly string[]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = Object.create(null);
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    const before = headers[name];
    if (before === undefined) headers[name] = value;
    else headers[name] = CREDENTIALS.includes(name) ? `${before}, ${value}` : [before, value].flat();
  }
  return headers;
}
