import { z } from 'zod';
import { dataOf } from '../contract/primitives.ts';
import { Health, Status } from '../contract/status.ts';
import type { StatusSource } from '../ports.ts';
import { json, text } from '../reply/reply.ts';
import { NoParams, VersionQuery } from './list-reply.ts';
import { defineRoute, type Route } from './route.ts';

const TAG = 'Daemon';
const AnyQuery = z.object({});
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Routes for the daemon's own status. */
export function daemonRoutes(source: StatusSource): readonly Route[] {
  return [statusRoute(source), healthRoute(source), metricsRoute(source)];
}

function statusRoute(source: StatusSource): Route {
  return defineRoute({
    method: 'GET',
    path: '/v2/status',
    operationId: 'getStatus',
    tag: TAG,
    access: 'socket_only',
    role: 'staff',
    summary: 'What can sell, report, and is fresh.',
    params: NoParams,
    query: VersionQuery,
    body: null,
    replies: [{ status: 200, description: 'The state of the daemon.', schema: dataOf(Status) }],
    refusals: [],
    handler: () => json(200, { data: source.status() }),
  });
}

function healthRoute(source: StatusSource): Route {
  return defineRoute({
    method: 'GET',
    path: '/healthz',
    operationId: 'getHealth',
    tag: TAG,
    access: 'open',
    summary: 'Whether a payment could be taken now.',
    params: NoParams,
    query: AnyQuery,
    body: null,
    replies: [
      { status: 200, description: 'It can sell.', schema: Health },
      { status: 503, description: 'It cannot sell; the reasons say why.', schema: Health },
    ],
    refusals: [],
    handler: () => {
      const health = source.health();
      return json(health.can_sell ? 200 : 503, health);
    },
  });
}

function metricsRoute(source: StatusSource): Route {
  return defineRoute({
    method: 'GET',
    path: '/metrics',
    operationId: 'getMetrics',
    tag: TAG,
    access: 'open',
    summary: 'Figures for a Prometheus scraper.',
    params: NoParams,
    query: AnyQuery,
    body: null,
    replies: [{ status: 200, description: 'Prometheus text.', mediaType: 'text/plain', schema: z.string() }],
    refusals: [],
    handler: async () => text(200, METRICS_TYPE, await source.metrics()),
  });
}
