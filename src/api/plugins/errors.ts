import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Api } from '../api.ts';
import { type ErrorReply, refuse } from '../reply/refuse.ts';
import { effectiveVersion } from '../version.ts';
import { mayBeLong } from './body.ts';
import { standardHeaders } from './request-head.ts';

/** Answers every error of a request in the shape that the API uses for it. */
export const errors = fastifyPlugin(async (api: Api, { log }: { readonly log: Log }) => {
  api.setErrorHandler((error, request, reply) => {
    if (!request.raw.complete && mayBeLong(request.raw)) reply.header('connection', 'close');
    return sendError(reply, refuse(translated(error), request.id, log));
  });
});

/** Answers an address that the router cannot decode; no hook has seen the request. */
export function answerUndecodable(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log) {
  const [, query] = request.raw.url?.split('?') ?? [];
  const asked = new URLSearchParams(query).get('version') ?? undefined;
  reply.headers(standardHeaders(request.id, effectiveVersion(versionHeaderOf(request.raw), asked)));
  sendError(reply, refuse(translated(error), request.id, log));
}

/**
 * Answers bytes that are not HTTP, or that came too slowly or too large to become a request, and ends the connection.
 * @param maySpeak false while an earlier request on it waits for its response. Then nothing is sent: a till would take "malformed" for the
 * response to the sale that it sent before, and sell again.
 */
export function answerBrokenRequest(
  error: Error & { code?: string },
  socket: Duplex,
  maySpeak: boolean,
  log: Log,
): void {
  if (!maySpeak) {
    socket.end(() => socket.destroy());
    return;
  }
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const reply = refuse(refusalFor(error.code), 'req_unread', log);
  const headers = {
    ...reply.headers,
    connection: 'close',
    'content-length': String(Buffer.byteLength(reply.body)),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const status = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}`;
  socket.end(`${[status, ...lines].join('\r\n')}\r\n\r\n${reply.body}`);
}

function sendError(reply: FastifyReply, { status, headers, body }: ErrorReply): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}

/** Translates fastify's own errors to AppErrors; every other error passes through unchanged. */
function translated(error: unknown): unknown {
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

function versionHeaderOf({ headers }: IncomingMessage): string | undefined {
  const value = headers['service-version'];
  return typeof value === 'string' ? value : undefined;
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
