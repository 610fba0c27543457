import { randomInt } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { Enrolment } from '../../fleet/contract/enrolment.ts';
import { Exchange } from '../../fleet/contract/exchange.ts';
import { JournalBatch } from '../../fleet/contract/journal.ts';
import { reachOf } from '../../net/reach.ts';
import {
  type Agent,
  authenticate,
  claimedAgent,
  requireSigned,
  type SignedRequest,
} from '../agents/authenticate.ts';
import { enrol } from '../agents/enrol.ts';
import { exchange } from '../agents/exchange.ts';
import type { SendDeps } from '../alerts/send.ts';
import { asTenant, type Database, type TenantTransaction } from '../database/connect.ts';
import { ingest } from '../journal/ingest.ts';
import type { HubMetrics } from '../metrics/hub-metrics.ts';
import { answerError, overloaded } from './errors.ts';
import { addOperatorRoutes } from './operator-routes.ts';
import { addPages, isPage } from './pages.ts';
import { parsed } from './parsed.ts';

/** 50 entries of the largest size that a journal has in practice. */
const LARGEST_BODY = 4 * 1024 * 1024;
/** Requests of agents and operators in work at a time; the others come again. */
const MOST_IN_WORK = 64;
const RETRY_WITHIN_S = 30;

export interface HubDeps {
  readonly database: Database;
  /** Epoch ms. */
  readonly now: () => number;
  /** TLS of its own; absent behind a proxy that ends TLS. PEM. */
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly metrics?: HubMetrics;
  /** What test messages are sent with; without it to webhooks of the internet alone. */
  readonly alerts?: SendDeps;
}

/** The hub's interfaces for agents and operators, and its pages, as a Fastify instance that does not listen yet. It keeps nothing: any number of hubs may answer one agent. */
export function createHub({ database, now, tls, metrics, alerts }: HubDeps): FastifyInstance {
  const hub = Fastify({
    bodyLimit: LARGEST_BODY,
    requestTimeout: 20_000,
    connectionTimeout: 0,
    keepAliveTimeout: 75_000,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    // Names of shops, as a path has them.
    routerOptions: { maxParamLength: 1_000 },
    ...(tls === undefined ? {} : { https: tls }),
  } as { bodyLimit: number });
  hub.setErrorHandler((error, _, reply) => answerError(error, reply));
  hub.setNotFoundHandler((_, reply) =>
    answerError(new AppError('ROUTE_UNKNOWN', 'no such route of this hub'), reply),
  );
  // The signature is over the bytes, so they are kept as they came.
  hub.removeAllContentTypeParsers();
  hub.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  if (metrics) watch(hub, metrics);
  limitWork(hub);

  const asAgent = async <T, R>(
    request: FastifyRequest,
    schema: z.ZodType<T>,
    work: (transaction: TenantTransaction, agent: Agent, body: T) => Promise<R>,
  ) => {
    const signed = signedRequest(request);
    const { tenant } = claimedAgent(signed.token);
    return await asTenant(database, tenant, async (transaction) => {
      const agent = await authenticate(transaction, signed);
      return { data: await work(transaction, agent, parsed(schema, signed.body)) };
    });
  };

  hub.post('/v1/enrolments', async (request, reply) => {
    const signed = signedRequest(request);
    const wanted = parsed(Enrolment, signed.body);
    await requireSigned(signed, wanted.key.x);
    return reply.code(201).send({ data: await enrol(database, wanted, now()) });
  });
  hub.post('/v1/exchange', (request) =>
    asAgent(request, Exchange, (transaction, agent, report) => exchange(transaction, agent, report, now())),
  );
  hub.post('/v1/journal', async (request) => {
    const { data } = await asAgent(request, JournalBatch, ingest);
    metrics?.stored(data.stored);
    return { data };
  });
  addOperatorRoutes(hub, { database, now, alerts: alerts ?? { mayReach: reachOf([]), sendMail: null } });
  addPages(hub);
  return hub;
}

/** @throws AGENT_UNKNOWN without a token */
function signedRequest(request: FastifyRequest): SignedRequest {
  const token = /^Bearer ([\w.-]{1,2000})$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  return { method: request.method, path: request.url.split('?', 1)[0] ?? '', body, token };
}

/** A request without a route of ours is counted as `unknown`. */
function watch(hub: FastifyInstance, metrics: HubMetrics): void {
  hub.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) =>
    metrics.answered({
      method,
      route: routeOptions.url ?? 'unknown',
      status: statusCode,
      seconds: elapsedTime / 1000,
    }),
  );
}

/** A herd of agents gets its answers one by one: who comes too early is asked to come again, each at another time. */
function limitWork(hub: FastifyInstance): void {
  let inWork = 0;
  const working = new WeakSet<FastifyRequest>();
  const ended = (request: FastifyRequest) => {
    if (working.delete(request)) inWork -= 1;
  };
  hub.addHook('onRequest', async (request, reply) => {
    if (isPage(request)) return;
    if (inWork >= MOST_IN_WORK) throw overloaded(1 + randomInt(RETRY_WITHIN_S));
    working.add(request);
    inWork += 1;
    // A client that goes before its answer ends in neither of the framework's hooks.
    reply.raw.once('close', () => ended(request));
  });
  hub.addHook('onResponse', async (request) => ended(request));
}
