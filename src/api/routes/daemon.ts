import { z } from 'zod';
import type { Api, RoutePlugin } from '../api.ts';
import { dataOf } from '../contract/primitives.ts';
import { Health, Status } from '../contract/status.ts';
import type { StatusSource } from '../ports.ts';
import { VersionQuery } from './list-reply.ts';

const TAG = 'Daemon';
const AnyQuery = z.object({});
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** What the status says of the place it runs in. */
type ShopFacts = Pick<Status, 'urls' | 'time_zone'>;

/** Routes for the daemon's own status. */
export function daemonRoutes(source: StatusSource, shop: () => ShopFacts): RoutePlugin {
  return async (api) => {
    statusRoute(api, source, shop);
    healthRoute(api, source);
    metricsRoute(api, source);
  };
}

function statusRoute(api: Api, source: StatusSource, shop: () => ShopFacts): void {
  api.route({
    method: 'GET',
    url: '/v2/status',
    schema: { querystring: VersionQuery },
    config: {
      operationId: 'getStatus',
      tag: TAG,
      access: 'socket_only',
      role: 'staff',
      summary: 'What can sell, report, and is fresh.',
      replies: [{ status: 200, description: 'The state of the daemon.', schema: dataOf(Status) }],
      refusals: [],
    },
    handler: () => ({ data: { ...source.status(), ...shop() } }),
  });
}

function healthRoute(api: Api, source: StatusSource): void {
  api.route({
    method: 'GET',
    url: '/healthz',
    schema: { querystring: AnyQuery },
    config: {
      operationId: 'getHealth',
      tag: TAG,
      access: 'open',
      summary: 'Whether a payment could be taken now.',
      replies: [
        { status: 200, description: 'It can sell.', schema: Health },
        { status: 503, description: 'It cannot sell; the reasons say why.', schema: Health },
      ],
      refusals: [],
    },
    handler: (_request, reply) => {
      const health = source.health();
      return reply.code(health.can_sell ? 200 : 503).send(health);
    },
  });
}

function metricsRoute(api: Api, source: StatusSource): void {
  api.route({
    method: 'GET',
    url: '/metrics',
    schema: { querystring: AnyQuery },
    config: {
      operationId: 'getMetrics',
      tag: TAG,
      access: 'open',
      summary: 'Figures for a Prometheus scraper.',
      replies: [
        { status: 200, description: 'Prometheus text.', mediaType: 'text/plain', schema: z.string() },
      ],
      refusals: [],
    },
    handler: async (_request, reply) => reply.type(METRICS_TYPE).send(await source.metrics()),
  });
}
