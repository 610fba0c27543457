import { z } from 'zod';
import type { Api, RoutePlugin } from '../api.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import { AdoptTerminal, TerminalDevice } from '../contract/terminal-device.ts';
import { TerminalReconciliation } from '../contract/terminal-reconciliation.ts';
import { TerminalReprint } from '../contract/terminal-reprint.ts';
import { deciderOf } from '../people/person.ts';
import { renderTerminalDevice } from '../render/terminal-device.ts';
import { renderReconciliation } from '../render/terminal-reconciliation.ts';
import { renderReprint } from '../render/terminal-reprint.ts';
import { deviceOf } from './device-of.ts';
import { VersionQuery } from './list-reply.ts';
import { ofTerminal } from './of-terminal.ts';
import type { SettlementDeps } from './terminal-settlements.ts';

const TAG = 'Terminal devices';
const DeviceId = z.strictObject({ id: Uuid });

/** A person's actions at a device, beside payments and end of day. */
export function terminalUpkeepRoutes(deps: SettlementDeps): RoutePlugin {
  return async (api) => {
    reconcileRoute(api, deps);
    reprintRoute(api, deps);
    adoptRoute(api, deps);
  };
}

function reconcileRoute(api: Api, { operations, devices }: SettlementDeps): void {
  api.route({
    method: 'POST',
    url: '/v2/terminal-devices/:id/reconcile',
    schema: { params: DeviceId, querystring: VersionQuery },
    config: {
      operationId: 'reconcileTerminalDevice',
      tag: TAG,
      access: 'payments:write',
      role: 'lead',
      summary:
        "Hold the terminal's journal against our books. Moves no money and prints nothing; what contradicts becomes a correction.",
      replies: [
        {
          status: 200,
          description: 'The open batch beside our books.',
          schema: dataOf(TerminalReconciliation),
        },
      ],
      refusals: [
        'DEVICE_UNKNOWN',
        'OPERATION_NOT_SUPPORTED',
        'TERMINAL_NOT_READY',
        'TERMINAL_IN_DOUBT',
        'TERMINAL_BUSY',
        'WRONG_TERMINAL',
        'STORAGE_FULL',
        'STORAGE_FAILED',
        'DRAINING',
      ],
      idempotent: 'after_its_writes',
    },
    handler: async ({ params }) => {
      const found = await ofTerminal(operations.reconcile(deviceOf(devices, params.id).device.id));
      return { data: renderReconciliation(found, devices) };
    },
  });
}

function reprintRoute(api: Api, { operations, devices }: SettlementDeps): void {
  api.route({
    method: 'POST',
    url: '/v2/terminal-devices/:id/reprint',
    schema: { params: DeviceId, querystring: VersionQuery },
    config: {
      operationId: 'reprintReceipt',
      tag: TAG,
      access: 'payments:write',
      summary:
        'Repeat the last receipt of the terminal, for a person who compares. Moves no money, decides nothing, and waits for no payment: it is refused while one runs.',
      replies: [{ status: 200, description: 'Where the copy comes out.', schema: dataOf(TerminalReprint) }],
      refusals: [
        'DEVICE_UNKNOWN',
        'OPERATION_NOT_SUPPORTED',
        'TERMINAL_NOT_READY',
        'TERMINAL_IN_DOUBT',
        'TERMINAL_BUSY',
        'WRONG_TERMINAL',
        'DRAINING',
      ],
      idempotent: 'after_its_writes',
    },
    handler: async ({ params }) => {
      const { id } = deviceOf(devices, params.id).device;
      return { data: renderReprint(id, await ofTerminal(operations.reprint(id))) };
    },
  });
}

function adoptRoute(api: Api, { operations, devices }: SettlementDeps): void {
  api.route({
    method: 'POST',
    url: '/v2/terminal-devices/:id/adopt',
    schema: { params: DeviceId, querystring: VersionQuery, body: AdoptTerminal },
    config: {
      operationId: 'adoptTerminal',
      tag: TAG,
      access: 'socket_only',
      role: 'ops',
      summary: 'A named person says: let the terminal that answers now serve this device from now on.',
      replies: [
        { status: 200, description: 'The device with its terminal.', schema: dataOf(TerminalDevice) },
      ],
      refusals: [
        'DEVICE_UNKNOWN',
        'ADOPT_BLOCKED',
        'TERMINAL_NOT_READY',
        'TERMINAL_BUSY',
        'STORAGE_FULL',
        'STORAGE_FAILED',
        'DRAINING',
      ],
    },
    handler: async ({ params, body, caller }) => {
      const { device } = deviceOf(devices, params.id);
      await ofTerminal(operations.adopt(device.id, deciderOf(caller, body.by)));
      return { data: renderTerminalDevice(deviceOf(devices, device.id)) };
    },
  });
}
