import { z } from 'zod';
import { canonicalId } from '../../base/ids.ts';
import { guardText } from '../../base/text-guard.ts';
import type { OutboxAdmin } from '../../outbox/outbox-admin.ts';
import type { Api, Caller, RoutePlugin } from '../api.ts';
import { DropReport, ListOutbox, OutboxCause, OutboxReport, RetryReport } from '../contract/outbox-report.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import { deciderOf } from '../people/person.ts';
import { renderOutboxCause, renderOutboxReport } from '../render/outbox-report.ts';
import { atCursor } from './cursor.ts';
import { listReply, listShape, VersionQuery, wholeList } from './list-reply.ts';

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
export function outboxRoutes(reports: OutboxAdmin): RoutePlugin {
  return async (api) => {
    listRoute(api, reports);
    causesRoute(api, reports);
    retryRoute(api, reports);
    dropRoute(api, reports);
  };
}

function listRoute(api: Api, reports: OutboxAdmin): void {
  api.route({
    method: 'GET',
    url: URL,
    schema: { querystring: ListOutbox },
    config: {
      operationId: 'listOutbox',
      tag: TAG,
      access: 'payments:read',
      summary:
        'List what the service has not received, oldest first; what was dropped only with status=dropped.',
      replies: [listShape(OutboxReport, 'The oldest reports.')],
      refusals: ['CURSOR_UNKNOWN'],
    },
    handler: ({ query, serviceVersion }) => {
      const { status, limit, starting_after } = query;
      const found = atCursor(query, () =>
        reports.list({
          ...(status === undefined ? {} : { status }),
          limit: limit + 1,
          ...(starting_after === undefined ? {} : { startingAfter: canonicalId(starting_after) }),
        }),
      );
      const items = found.slice(0, limit).map(renderOutboxReport);
      return listReply(serviceVersion, { items, hasMore: found.length > limit, url: URL, limit });
    },
  });
}

function causesRoute(api: Api, reports: OutboxAdmin): void {
  api.route({
    method: 'GET',
    url: `${URL}/causes`,
    schema: { querystring: VersionQuery },
    config: {
      operationId: 'listOutboxCauses',
      tag: TAG,
      access: 'payments:read',
      summary: 'List why reports were refused, of all of them: the cause of the most reports first.',
      replies: [listShape(OutboxCause, 'All of them, on one page.')],
      refusals: [],
    },
    handler: ({ serviceVersion }) =>
      wholeList(serviceVersion, `${URL}/causes`, reports.causes().map(renderOutboxCause)),
  });
}

function retryRoute(api: Api, reports: OutboxAdmin): void {
  api.route({
    method: 'POST',
    url: `${URL}/:id/retry`,
    schema: { params: Params, querystring: VersionQuery, body: RetryReport },
    config: {
      operationId: 'retryReport',
      tag: TAG,
      access: 'payments:write',
      role: 'ops',
      summary: 'Try a parked report again under its own key; one whose key is old is looked up first.',
      replies: [{ status: 200, description: 'The report, pending again.', schema: dataOf(OutboxReport) }],
      refusals: REFUSALS,
      idempotent: 'with_its_writes',
    },
    handler: ({ params, body, caller }) => {
      const by = deciderOrNull(caller, body.by);
      return { data: renderOutboxReport(reports.retry(params.id, { caller: caller.id, by })) };
    },
  });
}

function dropRoute(api: Api, reports: OutboxAdmin): void {
  api.route({
    method: 'POST',
    url: `${URL}/:id/drop`,
    schema: { params: Params, querystring: VersionQuery, body: DropReport },
    config: {
      operationId: 'dropReport',
      tag: TAG,
      access: 'payments:write',
      role: 'ops',
      summary: 'Give a parked report up, and what waits behind it: its payment stays `reported: rejected`.',
      replies: [{ status: 200, description: 'The report, dropped.', schema: dataOf(OutboxReport) }],
      refusals: REFUSALS,
      idempotent: 'with_its_writes',
    },
    handler: ({ params, body, caller }) => {
      const by = deciderOrNull(caller, body.by);
      const decided = { caller: caller.id, by, reason: guardText(body.reason) };
      return { data: renderOutboxReport(reports.drop(params.id, decided)) };
    },
  });
}

/** A till may leave out who decides. */
function deciderOrNull(caller: Caller, by: string | undefined): string | null {
  return by === undefined && !caller.hasPeople() ? null : deciderOf(caller, by ?? caller.id);
}
