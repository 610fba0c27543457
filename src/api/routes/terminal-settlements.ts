import { z } from 'zod';
import { canonicalId } from '../../base/ids.ts';
import { guardText } from '../../base/text-guard.ts';
import type { EndOfDayRequest, TerminalOperations } from '../../payment/batch/terminal-operations.ts';
import type { Devices } from '../../terminal/device.ts';
import type { Api, Caller, RoutePlugin } from '../api.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import {
  ListTerminalSettlements,
  RequestEndOfDay,
  TerminalSettlement,
} from '../contract/terminal-settlement.ts';
import { deciderOf } from '../people/person.ts';
import { renderTerminalSettlement } from '../render/terminal-settlement.ts';
import { atCursor } from './cursor.ts';
import { deviceOf } from './device-of.ts';
import { listReply, listShape, VersionQuery } from './list-reply.ts';

const TAG = 'Settlements';
const ById = z.strictObject({ id: Uuid });

export interface SettlementDeps {
  readonly operations: TerminalOperations;
  readonly devices: Devices;
}

/** Closing the day of a terminal, and its results. */
export function terminalSettlementRoutes(deps: SettlementDeps): RoutePlugin {
  return async (api) => {
    endOfDayRoute(api, deps);
    listRoute(api, deps);
    getRoute(api, deps);
  };
}

function endOfDayRoute(api: Api, { operations, devices }: SettlementDeps): void {
  api.route({
    method: 'POST',
    url: '/v2/terminal-devices/:id/end-of-day',
    schema: { params: ById, querystring: VersionQuery, body: RequestEndOfDay },
    config: {
      operationId: 'endTerminalDay',
      tag: TAG,
      access: 'payments:write',
      role: 'lead',
      summary:
        'Close the day of a terminal, behind what waits already. Answers at once; one that is open is given again instead of a second.',
      replies: [
        { status: 202, description: 'The settlement, not closed yet.', schema: dataOf(TerminalSettlement) },
      ],
      refusals: [
        'DEVICE_UNKNOWN',
        'OPERATION_NOT_SUPPORTED',
        'END_OF_DAY_BLOCKED',
        'TERMINAL_NOT_READY',
        'TERMINAL_IN_DOUBT',
        'TERMINAL_BUSY',
        'WRONG_TERMINAL',
        'LANE_FULL',
        'STORAGE_FULL',
        'STORAGE_FAILED',
        'DRAINING',
      ],
      idempotent: 'after_its_writes',
    },
    handler: ({ params, body, caller }) => {
      const deviceId = deviceOf(devices, params.id).device.id;
      const settlement = operations.endOfDay({ deviceId, caller: caller.id, force: forceOf(body, caller) });
      return { data: renderTerminalSettlement(settlement, devices) };
    },
  });
}

function listRoute(api: Api, { operations, devices }: SettlementDeps): void {
  api.route({
    method: 'GET',
    url: '/v2/terminal-devices/:id/settlements',
    schema: { params: ById, querystring: ListTerminalSettlements },
    config: {
      operationId: 'listTerminalSettlements',
      tag: TAG,
      access: 'payments:read',
      summary: 'List the settlements of a device, newest first.',
      replies: [listShape(TerminalSettlement, 'One page of settlements.')],
      refusals: ['DEVICE_UNKNOWN', 'CURSOR_UNKNOWN'],
    },
    handler: ({ params, query, serviceVersion }) => {
      const deviceId = deviceOf(devices, params.id).device.id;
      const { limit, starting_after } = query;
      const behind = starting_after === undefined ? {} : { startingAfter: canonicalId(starting_after) };
      const { items, hasMore } = atCursor(query, () =>
        operations.settlements({ deviceId, limit, ...behind }),
      );
      return listReply(serviceVersion, {
        items: items.map((settlement) => renderTerminalSettlement(settlement, devices)),
        hasMore,
        url: `/v2/terminal-devices/${deviceId}/settlements`,
        limit,
      });
    },
  });
}

function getRoute(api: Api, { operations, devices }: SettlementDeps): void {
  api.route({
    method: 'GET',
    url: '/v2/terminal-settlements/:id',
    schema: { params: ById, querystring: VersionQuery },
    config: {
      operationId: 'getTerminalSettlement',
      tag: TAG,
      access: 'payments:read',
      summary: 'Retrieve a settlement.',
      replies: [{ status: 200, description: 'The settlement.', schema: dataOf(TerminalSettlement) }],
      refusals: ['SETTLEMENT_UNKNOWN'],
    },
    handler: ({ params }) => {
      const settlement = operations.settlement(params.id);
      return { data: renderTerminalSettlement(settlement, devices) };
    },
  });
}

function forceOf({ force }: RequestEndOfDay, caller: Caller): EndOfDayRequest['force'] {
  return force === undefined ? null : { by: deciderOf(caller, force.by), reason: guardText(force.reason) };
}
