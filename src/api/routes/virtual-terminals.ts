import { z } from 'zod';
import type { Api, RoutePlugin } from '../api.ts';
import { dataOf, listOf } from '../contract/primitives.ts';
import { InjectFault, PressKey, SetVirtualTerminal, VirtualTerminal } from '../contract/virtual-terminal.ts';
import { instant } from '../render/instant.ts';
import type { VirtualLedgerLine, VirtualTerminals, VirtualTerminalView } from '../virtual-terminals.ts';
import { VersionQuery } from './list-reply.ts';

const URL = '/v2/virtual-terminals';
const Params = z.strictObject({ name: z.string().max(100) });
const REFUSALS = ['VIRTUAL_TERMINAL_UNKNOWN', 'VIRTUAL_TERMINAL_REFUSED'] as const;
const OF_STAFF = {
  tag: 'Pages',
  access: 'socket_only',
  role: 'staff',
  refusals: REFUSALS,
  replies: [{ status: 200, description: 'As it stands.', schema: dataOf(VirtualTerminal) }],
  hidden: true,
} as const;

/** The virtual terminals of the sandbox, for the pages: without them only an empty list is served. */
export function virtualTerminalRoutes(terminals: VirtualTerminals | null): RoutePlugin {
  return async (api) => {
    listRoute(api, terminals);
    if (!terminals) return;
    customerRoutes(api, terminals);
    faultRoutes(api, terminals);
  };
}

function listRoute(api: Api, terminals: VirtualTerminals | null): void {
  api.route({
    method: 'GET',
    url: URL,
    schema: { querystring: VersionQuery },
    config: {
      ...OF_STAFF,
      operationId: 'listVirtualTerminals',
      summary: 'The terminals of the sandbox.',
      replies: [{ status: 200, description: 'All of them.', schema: listOf(VirtualTerminal) }],
      refusals: [],
    },
    handler: () => {
      const data = (terminals?.all() ?? []).map(rendered);
      return { object: 'list', data, has_more: false, url: URL };
    },
  });
}

function customerRoutes(api: Api, terminals: VirtualTerminals): void {
  api.route({
    method: 'POST',
    url: `${URL}/:name/keys`,
    schema: { params: Params, querystring: VersionQuery, body: PressKey },
    config: {
      ...OF_STAFF,
      operationId: 'pressVirtualKey',
      summary: 'What the customer does, and with which card.',
    },
    handler: ({ params, body }) => shown(terminals.press(params.name, body.key, body.card ?? null)),
  });
  api.route({
    method: 'PATCH',
    url: `${URL}/:name`,
    schema: { params: Params, querystring: VersionQuery, body: SetVirtualTerminal },
    config: {
      ...OF_STAFF,
      operationId: 'setVirtualTerminal',
      summary:
        'Pull or plug the cable, switch the power, let the customer act alone, put another terminal there.',
    },
    handler: ({ params, body: { is_on, is_plugged, autopilot, exchange } }) =>
      shown(
        terminals.set(params.name, {
          ...(is_on === undefined ? {} : { isOn: is_on }),
          ...(is_plugged === undefined ? {} : { isPlugged: is_plugged }),
          ...(autopilot === undefined ? {} : { autopilot }),
          ...(exchange === undefined ? {} : { exchange }),
        }),
      ),
  });
}

function faultRoutes(api: Api, terminals: VirtualTerminals): void {
  api.route({
    method: 'POST',
    url: `${URL}/:name/faults`,
    schema: { params: Params, querystring: VersionQuery, body: InjectFault },
    config: {
      ...OF_STAFF,
      operationId: 'injectVirtualFault',
      summary: 'Let a fault strike at a moment of a dialogue.',
    },
    handler: ({ params, body }) => shown(terminals.inject(params.name, body.fault)),
  });
  api.route({
    method: 'DELETE',
    url: `${URL}/:name/faults`,
    schema: { params: Params, querystring: VersionQuery },
    config: {
      ...OF_STAFF,
      operationId: 'forgetVirtualFaults',
      summary: 'Forget the faults that have not struck yet.',
    },
    handler: ({ params }) => shown(terminals.forgetFaults(params.name)),
  });
}

function shown(view: VirtualTerminalView): { readonly data: VirtualTerminal } {
  return { data: rendered(view) };
}

function rendered(view: VirtualTerminalView): VirtualTerminal {
  return {
    object: 'virtual_terminal',
    name: view.name,
    protocol: view.protocol,
    address: view.address,
    serial: view.serial,
    device_ids: [...view.deviceIds],
    is_on: view.isOn,
    is_plugged: view.isPlugged,
    is_busy: view.isBusy,
    screen: view.screen,
    autopilot: view.autopilot,
    cards: [...view.cards],
    faults: [...view.faults],
    ledger: view.ledger.map(renderedLine),
    earlier: view.earlier.map(({ serial, ledger }) => ({ serial, ledger: ledger.map(renderedLine) })),
  };
}

function renderedLine(line: VirtualLedgerLine): VirtualTerminal['ledger'][number] {
  const { receiptNumber, kind, amountMinor, currency, result, isReversed, at } = line;
  return {
    receipt_number: receiptNumber,
    kind,
    amount_minor: amountMinor,
    currency,
    result,
    is_reversed: isReversed,
    at: instant(at),
  };
}
