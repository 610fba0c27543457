import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { AppError } from '../base/errors.ts';
import type { Api } from './api.ts';
import type { ApiContext } from './context.ts';
import { divideByFirstByte } from './lan/first-byte.ts';
import { trustCheck } from './lan/trust-check.ts';
import { authentication, type Peer } from './plugins/authentication.ts';
import { body } from './plugins/body.ts';
import { Connections, connectionLimit } from './plugins/connections.ts';
import { describedRoutes } from './plugins/described-routes.ts';
import { answerBrokenRequest, answerUndecodable, errors } from './plugins/errors.ts';
import { idempotency } from './plugins/idempotency.ts';
import { knownRoute } from './plugins/known-route.ts';
import { requestHead, versionIn } from './plugins/request-head.ts';
import { sameSite } from './plugins/same-site.ts';
import { spans } from './plugins/spans.ts';
import { validation, ZOD_COMPILERS } from './plugins/validation.ts';
import { answerNoReceipt } from './receipts/answer-no-receipt.ts';
import { isReceipt } from './receipts/receipt-address.ts';
import { resolveVersion } from './version.ts';

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

export interface Listener {
  /** Where it listens: a caller at the unix socket needs no key. */
  readonly via: Peer['kind'];
  readonly limits?: ServerLimits;
  readonly tls?: Tls | null;
  /** Only for the listener of the shop's network; with `tls`. */
  readonly lan?: LanSite | null;
}

/** What is different at the listener of the shop's network. */
export interface LanSite {
  /** Whether a host name, lower case and without port, leads to it. */
  readonly isHost: (name: string) => boolean;
  /** Answers what comes without TLS. */
  readonly plain: Server;
}

/**
 * A browser that was here once never comes without TLS again (RFC 6797). Not at the shop's own certificate: the rule would cover every port of
 * `NAME.local`, the page by which a device comes to trust the shop among them, and a device that has lost its trust could not be helped.
 */
const TLS_ALWAYS = { 'strict-transport-security': 'max-age=31536000' } as const;

/**
 * The API of one listener, as a Fastify instance that does not listen yet: `api.inject()` takes the same way as a socket.
 * The order of the plugins is the order in which a request is judged. Its body is read after its caller is known: the body of a request that
 * fails anyway is not wanted.
 *
 * INVARIANTS:
 * - a request that ends in an error response writes nothing except the time its key was last used, and who asked in vain: a wrong PIN, a refund or void;
 * - every response names its request and its version;
 * - a route that does not say who may call it does not start.
 */
export function createApi(context: ApiContext, listener: Listener): Api {
  const { via, limits = SERVER_LIMITS, tls = null, lan = null } = listener;
  const { deps, log } = context;
  const site = lan ? { ...context.site, isHost: lan.isHost } : context.site;
  const connections = new Connections(limits.maxConnections);
  const api: Api = Fastify<Server>({
    ...httpOptions(limits, tls),
    ...frameworkOptions(context, connections),
    ...(via === 'tcp' && !lan && context.trustedProxies.length > 0
      ? { trustProxy: [...context.trustedProxies] }
      : {}),
  });
  if (lan && api.server instanceof TlsServer)
    divideByFirstByte(api.server, lan.plain, limits.headersTimeoutMs);
  api.register(errors, { log });
  api.register(connectionLimit, { connections });
  api.register(requestHead);
  if (tls && !lan) api.addHook('onRequest', async (_request, reply) => void reply.headers(TLS_ALWAYS));
  if (lan) api.register(trustCheck);
  if (via === 'tcp') api.register(sameSite, site);
  api.register(describedRoutes);
  api.register(knownRoute, { isInLan: lan !== null });
  api.addHook('onRequest', async (request) => {
    request.serviceVersion = resolveVersion(request.header('service-version'), versionIn(request.query));
    if (context.isClosing)
      throw new AppError('SHUTTING_DOWN', 'The agent is stopping: try again in a moment', { retry: 'safe' });
  });
  api.register(authentication, {
    ...context.callers,
    via,
    isInLan: lan !== null,
    known: ({ raw }) => connections.knows(raw.socket),
  });
  api.register(body);
  if (deps.spans) api.register(spans, { spans: deps.spans, clock: deps.clock });
  api.register(idempotency, { answers: context.answers });
  api.register(validation);
  api.addHook('preHandler', async (request, reply) => {
    reply.code(request.routeOptions.config.replies?.[0]?.status ?? 200);
  });
  // One plugin: each of its own would have a copy of the instance, which is most of the time that a start takes here.
  api.register(async (shop) => {
    for (const routes of context.routes) await routes(shop);
  });
  return api;
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

function frameworkOptions({ deps, log, maxBodyBytes }: ApiContext, connections: Connections) {
  return {
    genReqId: () => `req_${deps.ids.uuid()}`,
    requestIdHeader: false as const,
    bodyLimit: maxBodyBytes,
    schemaController: ZOD_COMPILERS,
    return503OnClosing: false,
    forceCloseConnections: 'idle' as const,
    // A parameter of any length is its schema's matter.
    routerOptions: { maxParamLength: 16 * 1024 },
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      isReceipt(request.raw.url ?? '')
        ? answerNoReceipt(request, reply, deps.language)
        : answerUndecodable(error, request, reply, log),
    clientErrorHandler: (error: Error & { code?: string }, socket: Duplex) => {
      // A TLS handshake failed or took too long: no text would reach the client.
      if (connections.has(socket)) answerBrokenRequest(error, socket, connections.maySpeak(socket), log);
      else socket.destroy();
    },
  };
}
