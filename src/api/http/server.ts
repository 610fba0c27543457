import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Admission, Door } from '../door/door.ts';
import type { Peer } from '../door/request.ts';
import type { DocumentReply, Reply } from '../reply/reply.ts';
import { answerBrokenRequest, translateFrameworkError } from './broken-request.ts';
import { readBody } from './read-body.ts';
import { ResponseSink } from './sink.ts';

/** What one client may cost us. */
export interface ServerLimits {
  /** To send all headers, from the first byte of the connection on. */
  readonly headersTimeoutMs: number;
  /** To send the whole request. */
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** Connections beyond it are closed at once. */
  readonly maxConnections: number;
  /** How often slow clients are looked for. */
  readonly checkEveryMs: number;
}

export const SERVER_LIMITS: ServerLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 20_000,
  keepAliveTimeoutMs: 30_000,
  maxHeaderBytes: 16 * 1024,
  maxConnections: 256,
  checkEveryMs: 1_000,
};

export interface Tls {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

/** Puts HTTP around the door; what is decided is decided there. `via` says by which listener a request comes. */
export function buildServer(
  door: Door,
  via: Peer['kind'],
  limits: ServerLimits,
  tls: Tls | null,
): FastifyInstance<Server> {
  const admissions = new WeakMap<FastifyRequest, Admission>();
  const app = Fastify<Server>({ ...httpOptions(limits, tls), ...frameworkOptions(door) });
  app.server.maxConnections = limits.maxConnections;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request: FastifyRequest, payload: IncomingMessage) => readBody(payload));
  app.addHook('onRequest', async (request, reply) => {
    const admitted = door.admit(headOf(request, via));
    if (admitted.kind !== 'admitted') return send(reply, admitted);
    admissions.set(request, admitted);
    return undefined;
  });
  app.setNotFoundHandler(async (request, reply) => {
    const admission = admissions.get(request);
    if (!admission) return reply;
    const body = request.body instanceof Uint8Array ? request.body : undefined;
    return respond(reply, await door.perform(admission, body));
  });
  app.setErrorHandler((error, request, reply) => {
    return send(
      reply,
      door.refuse(admissions.get(request) ?? door.opening(), translateFrameworkError(error)),
    );
  });
  return app;
}

function httpOptions(limits: ServerLimits, tls: Tls | null) {
  const options = {
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    insecureHTTPParser: false,
    // Node would keep the first of two Authorization or Host headers and say nothing: both come to the door, which refuses them.
    joinDuplicateHeaders: true,
  };
  const common = { requestTimeout: limits.requestTimeoutMs, keepAliveTimeout: limits.keepAliveTimeoutMs };
  return tls ? { ...common, https: { ...options, ...tls } } : { ...common, http: options };
}

function frameworkOptions(door: Door) {
  return {
    return503OnClosing: false,
    forceCloseConnections: 'idle' as const,
    exposeHeadRoutes: false,
    frameworkErrors: (error: unknown, { raw }: FastifyRequest, reply: FastifyReply) => {
      const head = { target: raw.url ?? '', headers: raw.headers };
      send(reply, door.refuse(door.openingOf(head), translateFrameworkError(error)));
    },
    clientErrorHandler: (
      error: Error & { code?: string },
      socket: Parameters<typeof answerBrokenRequest>[2],
    ) => answerBrokenRequest(door, error, socket),
  };
}

function headOf(request: FastifyRequest, via: Peer['kind']) {
  const { method = '', url = '', headers, socket } = request.raw;
  const peer: Peer =
    via === 'socket' ? { kind: 'socket' } : { kind: 'tcp', address: socket.remoteAddress ?? '' };
  return { method, target: url, headers, peer };
}

function respond(reply: FastifyReply, answer: Reply): FastifyReply {
  if (answer.kind === 'document') return send(reply, answer);
  reply.hijack();
  const response: ServerResponse<IncomingMessage> = reply.raw;
  response.writeHead(answer.status, answer.headers);
  const stop = answer.open(new ResponseSink(response));
  response.once('close', stop);
  return reply;
}

function send(reply: FastifyReply, answer: DocumentReply): FastifyReply {
  return reply.code(answer.status).headers(answer.headers).send(Buffer.from(answer.body));
}
