import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { Api, RoutePlugin } from '../api.ts';
import { ListPayoutPayments, MirroredListSummary, PayoutPayment } from '../contract/mirrored.ts';
import { instantOrNull } from '../render/instant.ts';
import { listReply, listShape, VersionQuery } from './list-reply.ts';
import { MirrorSource, type MirrorSourceDeps } from './mirror-source.ts';
import { MIRRORED_LISTS } from './mirrored-table.ts';

/** What is mirrored; and the one list of the interface that cannot be. */
export function mirrorRoutes(deps: MirrorSourceDeps): RoutePlugin {
  const source = new MirrorSource(deps);
  return async (api) => {
    summaryRoute(api, source);
    payoutPaymentsRoute(api);
  };
}

function summaryRoute(api: Api, source: MirrorSource): void {
  api.route({
    method: 'GET',
    url: '/v2/mirror',
    schema: { querystring: VersionQuery },
    config: {
      operationId: 'listMirroredLists',
      tag: 'Mirror',
      access: 'settings:read',
      summary:
        'List the mirrored lists of the service: where each is read, how many rows it has, and how old it is.',
      replies: [listShape(MirroredListSummary, 'The lists that the configuration mirrors.')],
      refusals: [],
    },
    handler: ({ serviceVersion }) => {
      const names = new Set<string>();
      const items = MIRRORED_LISTS.flatMap(({ name, path }) => {
        if (names.has(name) || !source.has(name)) return [];
        names.add(name);
        const { rows, freshAt } = source.sizeOf(name);
        return [{ object: 'mirrored_list', list: name, path, rows, fresh_at: instantOrNull(freshAt) }];
      });
      const total = items.length;
      return listReply(serviceVersion, {
        items,
        hasMore: false,
        url: '/v2/mirror',
        limit: 100,
        offset: 0,
        total,
      });
    },
  });
}

function payoutPaymentsRoute(api: Api): void {
  api.route({
    method: 'GET',
    url: '/v2/payouts/:id/payments',
    schema: {
      params: z.strictObject({
        id: z.string().min(1).max(256).describe('The public id of the payout, or its UUID.'),
      }),
      querystring: ListPayoutPayments,
    },
    config: {
      operationId: 'listPayoutPayments',
      tag: 'Payouts',
      access: 'finance:read',
      summary:
        'List the payments of a payout. The service has them for one payout at a time, so they cannot be mirrored: always 501; ask the service.',
      replies: [
        {
          status: 200,
          description: 'One page of payments; never sent by tilld.',
          schema: z.object({
            data: z.array(PayoutPayment),
            meta: z.object({ payout_id: z.string(), total: z.int(), limit: z.int(), offset: z.int() }),
          }),
        },
      ],
      refusals: ['LIST_NOT_MIRRORED'],
    },
    handler: () => {
      throw new AppError(
        'LIST_NOT_MIRRORED',
        'The payments of a payout are not mirrored: the service lists them for one payout at a time, and no configuration changes that. Ask the service for them.',
        { context: { details: { list: 'payout_payments' } } },
      );
    },
  });
}
