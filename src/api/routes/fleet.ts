import type { RoutePlugin } from '../api.ts';
import { Fleet, JoinFleet } from '../contract/fleet.ts';
import { dataOf } from '../contract/primitives.ts';
import type { FleetMember, FleetMembership } from '../fleet-member.ts';
import { instant, instantOrNull } from '../render/instant.ts';
import { VersionQuery } from './list-reply.ts';

const COMMON = { tag: 'Daemon', access: 'socket_only', role: 'ops', hidden: true } as const;
const replies = [{ status: 200, description: 'The fleet as it is now.', schema: dataOf(Fleet) }] as const;

const MOST_COMMANDS = 20;

/** Routes for the fleet that this shop belongs to. */
export function fleetRoutes(member: FleetMember): RoutePlugin {
  const answer = () => ({ data: rendered(member.view().joined) });
  return async (api) => {
    api.route({
      method: 'GET',
      url: '/v2/fleet',
      schema: { querystring: VersionQuery },
      config: {
        ...COMMON,
        operationId: 'getFleet',
        summary: 'The fleet that this shop belongs to, and what its hub has.',
        replies,
        refusals: [],
      },
      handler: answer,
    });
    api.route({
      method: 'PUT',
      url: '/v2/fleet',
      schema: { querystring: VersionQuery, body: JoinFleet },
      config: {
        ...COMMON,
        operationId: 'joinFleet',
        summary: 'Join the fleet of a hub by the code of an invitation.',
        replies,
        refusals: ['FLEET_JOINED', 'HUB_URL_INVALID', 'INVITATION_INVALID', 'HUB_UNREACHABLE'],
      },
      handler: async ({ body }) => {
        await member.join(body.hub_url, body.code, body.operators);
        return answer();
      },
    });
    api.route({
      method: 'DELETE',
      url: '/v2/fleet',
      schema: { querystring: VersionQuery },
      config: {
        ...COMMON,
        operationId: 'leaveFleet',
        summary: 'Leave the fleet: nothing is reported to its hub any more.',
        replies,
        refusals: ['FLEET_NOT_JOINED'],
      },
      handler: async () => {
        await member.leave();
        return answer();
      },
    });
  };
}

function rendered(joined: FleetMembership | null): Fleet {
  if (!joined) return { membership: null };
  const { hubUrl, tenant, shop, agentId, link, journalEnd, operators, commands } = joined;
  const { failed, ...configuration } = joined.configuration;
  const { lastExchangeAt, trouble, isRefused, quarantined, nextSeq } = link;
  return {
    membership: {
      hub_url: hubUrl,
      tenant,
      shop,
      agent_id: agentId,
      state: stateOf(isRefused, trouble, lastExchangeAt),
      trouble,
      last_exchange_at: instantOrNull(lastExchangeAt),
      commands_withheld: quarantined,
      journal: {
        end: journalEnd,
        waiting: nextSeq === null ? null : Math.max(0, journalEnd - nextSeq + 1),
      },
      operators: [...operators],
      configuration: { ...configuration, failed: failed && { ...failed, at: instant(failed.at) } },
      commands: commands
        .slice(-MOST_COMMANDS)
        .toReversed()
        .map(({ id, at, kind, operator, state, details, task }) => ({
          ...{ id, kind, operator, at: instant(at) },
          state: task?.end?.state ?? state,
          details: task?.end?.words ?? details,
          by: task?.end?.by ?? null,
        })),
    },
  };
}

function stateOf(isRefused: boolean, trouble: string | null, lastExchangeAt: number | null) {
  if (isRefused) return 'refused';
  if (trouble !== null) return 'unreachable';
  return lastExchangeAt === null ? 'connecting' : 'connected';
}
