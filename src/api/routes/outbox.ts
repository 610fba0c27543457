import { z } from 'zod';
import { guardText } from '../../base/text-guard.ts';
import type { OutboxAdmin } from '../../outbox/outbox-admin.ts';
import { DropReport, ListOutbox, OutboxReport, RetryReport } from '../contract/outbox-report.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import { renderOutboxReport } from '../render/outbox-report.ts';
import { json } from '../reply/reply.ts';
import { listReply, listShape, NoParams, VersionQuery } from './list-reply.ts';
import { defineRoute, type Route } from './route.ts';

const TAG = 'Outbox';
const URL = '/v2/outbox';
const Params = z.strictObject({ id: Uuid });
const REFUSALS = [
  'REPORT_UNKNOWN',
  'REPORT_HELD',
  'REPORT_NOT_PARKED',
  'STORAGE_FULL',
  'STORAGE_FAILED',
] as const;

/** Reports that the service has not received, and a person's decisions about them. */
export function outboxRoutes(reports: OutboxAdmin): readonly Route[] {
  return [listRoute(reports), retryRoute(reports), dropRoute(reports)];
}

function listRoute(reports: OutboxAdmin): Route {
  return defineRoute({
    method: 'GET',
    path: URL,
    operationId: 'listOutbox',
    tag: TAG,
    access: 'payments:read',
    summary:
      'List what the service has not been told, oldest first; what was dropped only with status=dropped.',
    params: NoParams,
    query: ListOutbox,
    body: null,
    replies: [listShape(OutboxReport, 'The oldest reports.')],
    refusals: [],
    handler: ({ query: { status, limit } }, { version }) => {
      const found = reports.list({ ...(status === undefined ? {} : { status }), limit: limit + 1 });
      const items = found.slice(0, limit).map(renderOutboxReport);
      return listReply(version, { items, hasMore: found.length > limit, url: URL, limit });
    },
  });
}

function retryRoute(reports: OutboxAdmin): Route {
  return defineRoute({
    method: 'POST',
    path: `${URL}/{id}/retry`,
    operationId: 'retryReport',
    tag: TAG,
    access: 'payments:write',
    role: 'ops',
    summary: 'Try a parked report again under its own key; one whose key is old is looked up first.',
    params: Params,
    query: VersionQuery,
    body: RetryReport,
    replies: [{ status: 200, description: 'The report, pending again.', schema: dataOf(OutboxReport) }],
    refusals: REFUSALS,
    idempotent: 'with_its_writes',
    handler: ({ params, body }, { caller }) => {
      const by = body.by === undefined ? null : guardText(body.by);
      return json(200, { data: renderOutboxReport(reports.retry(params.id, { caller: caller.id, by })) });
    },
  });
}

function dropRoute(reports: OutboxAdmin): Route {
  return defineRoute({
    method: 'POST',
    path: `${URL}/{id}/drop`,
    operationId: 'dropReport',
    tag: TAG,
    access: 'payments:write',
    role: 'ops',
    summary: 'Give a parked report up, and what waits behind it: its payment stays `reported: rejected`.',
    params: Params,
    query: VersionQuery,
    body: DropReport,
    replies: [{ status: 200, description: 'The report, dropped.', schema: dataOf(OutboxReport) }],
    refusals: REFUSALS,
    idempotent: 'with_its_writes',
    handler: ({ params, body }, { caller }) => {
      const by = body.by === undefined ? null : guardText(body.by);
      const decided = { caller: caller.id, by, reason: guardText(body.reason) };
      return json(200, { data: renderOutboxReport(reports.drop(params.id, decided)) });
    },
  });
}
