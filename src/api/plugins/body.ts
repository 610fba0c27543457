import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { AppError } from '../../base/errors.ts';
import type { Api } from '../api.ts';
import { bodyTooLarge, MAX_BODY_BYTES, readJson } from './read-json.ts';

/** How many bytes of a too large body are read and discarded, so that its sender receives the response. */
const MAX_DISCARDED_BYTES = 4 * 1024 * 1024;

/**
 * Reads bodies, of admitted requests only: as JSON, or as bytes where the signature covers them.
 * Why not fastify's own parser: it ends the connection of a body that is too large before its sender can read the response, and a JSON text
 * with a field twice, or an amount like `1e3`, is an error here.
 * Requests that wait for `100 Continue` get it only where their body is wanted: node would send it to every client.
 */
export const body = fastifyPlugin(async (api: Api) => {
  const expectant = new WeakSet<IncomingMessage>();
  api.server.on('checkContinue', (request, response) => {
    expectant.add(request);
    api.server.emit('request', request, response);
  });
  api.addHook('onRequest', async ({ raw }, reply) => {
    if (raw.method === 'GET' && mayBeLong(raw)) reply.header('connection', 'close');
    requireReadableLength(raw);
    if (expectant.has(raw)) reply.raw.writeContinue();
  });
  api.removeAllContentTypeParsers();
  api.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
    readBody(payload, request.routeOptions.bodyLimit),
  );
  // Not in the parser: after its errors fastify ends the connection, and a till may have sent its next request already.
  api.addHook('preValidation', async (request) => {
    const { body, header, routeOptions } = request;
    const { bodyLimit, config } = routeOptions;
    if (config.access === 'signed') return;
    const bytes = body instanceof Uint8Array ? body : undefined;
    request.body = readJson(bytes, header('content-type'), header('content-encoding'), bodyLimit);
  });
});

/**
 * Reads a body to its end, keeping at most the limit.
 * @throws BODY_TOO_LARGE after the end, or after 4 MiB.
 * @throws REQUEST_MALFORMED when it breaks off.
 */
function readBody(stream: Readable, maxBytes = MAX_BODY_BYTES): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else chunks.length = 0;
      if (size > MAX_DISCARDED_BYTES) {
        stream.pause();
        reject(bodyTooLarge(maxBytes));
      }
    });
    stream.once('end', () =>
      size > maxBytes ? reject(bodyTooLarge(maxBytes)) : resolve(Buffer.concat(chunks)),
    );
    stream.once('error', (cause) => reject(brokenOff(cause)));
    // Creating an error takes longer than reading most bodies: skipped after the end.
    stream.once('close', () => {
      if (!stream.readableEnded) reject(brokenOff());
    });
  });
}

/**
 * Rejects a body whose declared length alone is too large to be read to its end.
 * @throws BODY_TOO_LARGE
 */
function requireReadableLength({ headers }: IncomingMessage): void {
  if (Number(headers['content-length'] ?? 0) > MAX_DISCARDED_BYTES) throw bodyTooLarge();
}

/** Whether more of the body may follow than is worth reading to keep the connection. */
export function mayBeLong({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES
  );
}

function brokenOff(cause?: unknown): AppError {
  return new AppError('REQUEST_MALFORMED', 'The body broke off', { cause });
}
