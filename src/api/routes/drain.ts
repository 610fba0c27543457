import { type DrainLease, LONGEST_DRAIN_MS } from '../../payment/guards/drain-lease.ts';
import type { RoutePlugin } from '../api.ts';
import { Drain, HoldDrain } from '../contract/drain.ts';
import { dataOf } from '../contract/primitives.ts';
import { instantOrNull } from '../render/instant.ts';
import { VersionQuery } from './list-reply.ts';

const COMMON = { tag: 'Daemon', access: 'socket_only', role: 'ops', refusals: [] } as const;
const replies = [{ status: 200, description: 'The lease as it is now.', schema: dataOf(Drain) }] as const;

/** Routes for the drain lease, which empties the terminals before a restart. */
export function drainRoutes(lease: DrainLease): RoutePlugin {
  const answer = () => ({ data: rendered(lease) });
  return async (api) => {
    api.route({
      method: 'GET',
      url: '/v2/drain',
      schema: { querystring: VersionQuery },
      config: {
        ...COMMON,
        operationId: 'getDrain',
        summary: 'The drain lease, and what still runs.',
        replies,
      },
      handler: answer,
    });
    api.route({
      method: 'PUT',
      url: '/v2/drain',
      schema: { querystring: VersionQuery, body: HoldDrain },
      config: {
        ...COMMON,
        operationId: 'holdDrain',
        summary: `Hold or renew the drain lease, ${LONGEST_DRAIN_MS / 1000} s at most: nothing new begins at any terminal, and what runs goes on to its end.`,
        replies,
      },
      handler: ({ body }) => {
        lease.begin(body.seconds * 1000);
        return answer();
      },
    });
    api.route({
      method: 'DELETE',
      url: '/v2/drain',
      schema: { querystring: VersionQuery },
      config: {
        ...COMMON,
        operationId: 'endDrain',
        summary: 'Give the drain lease back: payments are taken again.',
        replies,
      },
      handler: () => {
        lease.end();
        return answer();
      },
    });
  };
}

function rendered(lease: DrainLease): Drain {
  const { endsAt, busy } = lease.view();
  return {
    ends_at: instantOrNull(endsAt),
    idle: busy.length === 0,
    busy: busy.map(({ id, name }) => ({ device_id: id, name })),
  };
}
