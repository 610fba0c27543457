import { z } from 'zod';
import { dataOf } from '../contract/primitives.ts';
import { Health, Status } from '../contract/status.ts';
import type { StatusSource, StreamFreshness } from '../ports.ts';
import { json, text } from '../reply/reply.ts';
import { NoParams, VersionQuery } from './list-reply.ts';
import { defineRoute, type Route } from './route.ts';

const TAG = 'Daemon';
const AnyQuery = z.object({});
const LINK_REASONS = ['line', 'name_resolution', 'service', 'key'] as const;
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** How the daemon itself is doing. */
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
    handler: () => text(200, METRICS_TYPE, metricsOf(source)),
  });
}

function metricsOf(source: StatusSource): string {
  const { can_sell, can_report, is_fresh } = source.health();
  const { unknownOutcomes, oldestUnreportedSeconds, linkDown, freshness, paused } = source.metrics?.() ?? {};
  return [
    gauge('tilld_can_sell', 'Whether a payment could be taken now.', Number(can_sell)),
    gauge('tilld_can_report', 'Whether outcomes reach the service.', Number(can_report)),
    gauge('tilld_is_fresh', 'Whether mirrored data is fresh.', Number(is_fresh)),
    gauge('tilld_unknown_outcomes', 'Payments whose outcome is not known.', unknownOutcomes),
    gauge(
      'tilld_oldest_unreported_seconds',
      'Age of the oldest outcome that the service does not have.',
      oldestUnreportedSeconds,
    ),
    linkDown === undefined ? '' : linkGauge(linkDown),
    freshnessGauge(freshness ?? []),
    pausedGauge(paused ?? []),
  ].join('');
}

function linkGauge(down: string | null): string {
  const lines = LINK_REASONS.map(
    (reason) => `tilld_link_down{reason="${reason}"} ${Number(reason === down)}\n`,
  );
  return `# HELP tilld_link_down Why the service cannot be used.\n# TYPE tilld_link_down gauge\n${lines.join('')}`;
}

function freshnessGauge(freshness: readonly StreamFreshness[]): string {
  return labelled(
    'tilld_sync_freshness_seconds',
    'Seconds since a stream was complete; NaN: it never was.',
    freshness.map(({ provider, resource, seconds }) => [
      `provider="${provider}",resource="${resource}"`,
      seconds ?? Number.NaN,
    ]),
  );
}

function pausedGauge(paused: readonly string[]): string {
  return labelled(
    'tilld_integration_paused',
    'Integrations that wait until somebody resumes them.',
    paused.map((provider) => [`provider="${provider}"`, 1]),
  );
}

function labelled(name: string, help: string, values: readonly (readonly [string, number])[]): string {
  if (values.length === 0) return '';
  const lines = values.map(([labels, value]) => `${name}{${labels}} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`;
}

function gauge(name: string, help: string, value: number | undefined): string {
  return value === undefined ? '' : `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`;
}
