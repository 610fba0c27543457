import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '../../base/errors.ts';
import type { Door } from '../door/door.ts';

/** Translates fastify's own errors to AppErrors; every other error passes through unchanged. */
export function translateFrameworkError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  switch (codeOf(error)) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError(
        'CONTENT_TYPE_UNSUPPORTED',
        'The body must be sent as content-type: application/json',
      );
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new AppError('ROUTE_UNKNOWN', 'There is nothing at this address');
    default:
      return error;
  }
}

/**
 * Answers bytes that are not HTTP, or that came too slowly or too large to become a request, and ends the connection.
 * @param maySpeak false while an earlier request on it waits for its response. Then nothing is sent: a till would take "malformed" for the
 * response to the sale that it sent before, and sell again.
 */
export function answerBrokenRequest(
  door: Door,
  error: Error & { code?: string },
  socket: Duplex,
  maySpeak: boolean,
): void {
  if (!maySpeak) {
    socket.end(() => socket.destroy());
    return;
  }
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const reply = door.refuse(
    { requestId: 'req_unread', headers: { connection: 'close' } },
    refusalFor(error.code),
  );
  const headers = {
    ...reply.headers,
    connection: 'close',
    'content-length': String(Buffer.byteLength(reply.body)),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const status = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}`;
  socket.end(`${[status, ...lines].join('\r\n')}\r\n\r\n${reply.body}`);
}

function refusalFor(code: string | undefined): AppError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError('HEADERS_TOO_LARGE', 'The request headers are too large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('REQUEST_TOO_SLOW', 'The request took too long to arrive');
    default:
      return new AppError('REQUEST_MALFORMED', 'This is not an HTTP request');
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
