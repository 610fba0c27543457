import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { AdmittedRequest, Door } from '../door/door.ts';
import type { Peer } from '../door/request.ts';
import type { DocumentReply, Reply } from '../reply/reply.ts';
import { answerBrokenRequest, translateFrameworkError } from './broken-request.ts';
import { Connections } from './connections.ts';
import { headOf } from './head.ts';
import { hasLongBody, readBody, requireReadableLength } from './read-body.ts';
import { ResponseSink } from './sink.ts';

/** Resource limits for one client. */
export interface ServerLimits {
  /** Time to send all headers, from the start of the connection; also for a TLS handshake. */
  readonly headersTimeoutMs: number;
  /** Time to send the whole request. */
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** Beyond it the least useful connection is closed, or the new one when all have a request in progress. */
  readonly maxConnections: number;
  /** Interval of the check for slow clients. */
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

/** The HTTP layer of the request pipeline; `door` makes the decisions. `via` is the listener of a request. */
export function buildServer(
  door: Door,
  via: Peer['kind'],
  limits: ServerLimits,
  tls: Tls | null,
): FastifyInstance<Server> {
  const admittedOf = new WeakMap<FastifyRequest, AdmittedRequest>();
  const connections = new Connections(limits.maxConnections);
  const app = Fastify<Server>({ ...httpOptions(limits, tls), ...frameworkOptions(door, connections) });
  connections.watch(app.server);
  const expectant = askedFirst(app.server);
  app.addHook('preClose', async () => connections.closeUnused());
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
    readBody(payload, admittedOf.get(request)?.route.maxBodyBytes),
  );
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request;
    if (raw.socket.destroyed) return reply.hijack();
    const admitted = admit(door, raw, via);
    if (admitted.kind !== 'admitted') {
      if (hasLongBody(raw)) reply.header('connection', 'close');
      return send(reply, admitted);
    }
    if (admitted.caller.scopes.length > 0) connections.knows(raw.socket);
    if (raw.method === 'GET' && hasLongBody(raw)) reply.header('connection', 'close');
    if (expectant.has(raw)) reply.raw.writeContinue();
    admittedOf.set(request, admitted);
    return undefined;
  });
  app.setNotFoundHandler(async (request, reply) => {
    const admittedRequest = admittedOf.get(request);
    if (!admittedRequest) return reply;
    const body = request.body instanceof Uint8Array ? request.body : undefined;
    const done = connections.works(request.raw.socket);
    const answer = await door.perform(admittedRequest, body);
    if (answer.kind === 'stream') reply.raw.once('close', done);
    else done();
    return respond(reply, answer);
  });
  app.setErrorHandler((error, request, reply) => {
    if (!request.raw.complete) reply.header('connection', 'close');
    return send(
      reply,
      door.refuse(admittedOf.get(request) ?? door.opening(), translateFrameworkError(error)),
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
  };
  const common = { requestTimeout: limits.requestTimeoutMs, keepAliveTimeout: limits.keepAliveTimeoutMs };
  return tls
    ? { ...common, https: { ...options, handshakeTimeout: limits.headersTimeoutMs, ...tls } }
    : { ...common, http: options };
}

function frameworkOptions(door: Door, connections: Connections) {
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
    ) => {
      // A TLS handshake failed or took too long: no text would reach the client.
      if (connections.has(socket)) answerBrokenRequest(door, error, socket, connections.maySpeak(socket));
      else socket.destroy();
    },
  };
}

/** Requests that wait for `100 Continue`: node would send it to every client; tilld sends it only where the body is wanted. */
function askedFirst(server: Server): WeakSet<IncomingMessage> {
  const expectant = new WeakSet<IncomingMessage>();
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    expectant.add(request);
    server.emit('request', request, response);
  });
  return expectant;
}

/** The pipeline's decision on a head, or on a body that it need not wait for. */
function admit(door: Door, raw: IncomingMessage, via: Peer['kind']): AdmittedRequest | DocumentReply {
  try {
    const admitted = door.admit(headOf(raw, via));
    if (admitted.kind !== 'admitted') return admitted;
    try {
      requireReadableLength(raw);
      return admitted;
    } catch (error) {
      return door.refuse(admitted, error);
    }
  } catch (error) {
    return door.refuse(door.opening(), error);
  }
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
