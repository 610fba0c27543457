import { z } from 'zod';
import { canonicalId } from '../../base/ids.ts';
import { guardText } from '../../base/text-guard.ts';
import type { EndOfDayRequest, TerminalOperations } from '../../payment/batch/terminal-operations.ts';
import type { Devices } from '../../terminal/device.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import {
  ListTerminalSettlements,
  RequestEndOfDay,
  TerminalSettlement,
} from '../contract/terminal-settlement.ts';
import { renderTerminalSettlement } from '../render/terminal-settlement.ts';
import { json } from '../reply/reply.ts';
import { atCursor } from './cursor.ts';
import { deviceOf } from './device-of.ts';
import { listReply, listShape, VersionQuery } from './list-reply.ts';
import { defineRoute, type Route } from './route.ts';

const TAG = 'Settlements';
const ById = z.strictObject({ id: Uuid });

export interface SettlementDeps {
  readonly operations: TerminalOperations;
  readonly devices: Devices;
}

/** Closing the day of a terminal, and its results. */
export function terminalSettlementRoutes(deps: SettlementDeps): readonly Route[] {
  return [endOfDayRoute(deps), listRoute(deps), getRoute(deps)];
}

function endOfDayRoute({ operations, devices }: SettlementDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/v2/terminal-devices/{id}/end-of-day',
    operationId: 'endTerminalDay',
    tag: TAG,
    access: 'payments:write',
    role: 'lead',
    summary:
      'Close the day of a terminal, behind what waits already. Answers at once; one that is open is given again instead of a second.',
    params: ById,
    query: VersionQuery,
    body: RequestEndOfDay,
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
    ],
    idempotent: 'after_its_writes',
    handler: ({ params, body }, { caller }) => {
      const deviceId = deviceOf(devices, params.id).device.id;
      const settlement = operations.endOfDay({ deviceId, caller: caller.id, force: forceOf(body) });
      return json(202, { data: renderTerminalSettlement(settlement, devices) });
    },
  });
}

function listRoute({ operations, devices }: SettlementDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/v2/terminal-devices/{id}/settlements',
    operationId: 'listTerminalSettlements',
    tag: TAG,
    access: 'payments:read',
    summary: 'List the settlements of a device, newest first.',
    params: ById,
    query: ListTerminalSettlements,
    body: null,
    replies: [listShape(TerminalSettlement, 'One page of settlements.')],
    refusals: ['DEVICE_UNKNOWN', 'CURSOR_UNKNOWN'],
    handler: ({ params, query }, { version }) => {
      const deviceId = deviceOf(devices, params.id).device.id;
      const { limit, starting_after } = query;
      const behind = starting_after === undefined ? {} : { startingAfter: canonicalId(starting_after) };
      const { items, hasMore } = atCursor(query, () =>
        operations.settlements({ deviceId, limit, ...behind }),
      );
      return listReply(version, {
        items: items.map((settlement) => renderTerminalSettlement(settlement, devices)),
        hasMore,
        url: `/v2/terminal-devices/${deviceId}/settlements`,
        limit,
      });
    },
  });
}

function getRoute({ operations, devices }: SettlementDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/v2/terminal-settlements/{id}',
    operationId: 'getTerminalSettlement',
    tag: TAG,
    access: 'payments:read',
    summary: 'Retrieve a settlement.',
    params: ById,
    query: VersionQuery,
    body: null,
    replies: [{ status: 200, description: 'The settlement.', schema: dataOf(TerminalSettlement) }],
    refusals: ['SETTLEMENT_UNKNOWN'],
    handler: ({ params }) => {
      const settlement = operations.settlement(params.id);
      return json(200, { data: renderTerminalSettlement(settlement, devices) });
    },
  });
}

function forceOf({ force }: RequestEndOfDay): EndOfDayRequest['force'] {
  return force === undefined ? null : { by: guardText(force.by), reason: guardText(force.reason) };
}
