import { z } from 'zod';
import { dataOf, listOf } from '../contract/primitives.ts';
import { InjectFault, PressKey, SetVirtualTerminal, VirtualTerminal } from '../contract/virtual-terminal.ts';
import type { VirtualLedgerLine, VirtualTerminals, VirtualTerminalView } from '../ports.ts';
import { instant } from '../render/instant.ts';
import { type DocumentReply, json } from '../reply/reply.ts';
import { NoParams, VersionQuery } from './list-reply.ts';
import { defineRoute, type Route } from './route.ts';

const URL = '/v2/virtual-terminals';
const Params = z.strictObject({ name: z.string().max(100) });
const REFUSALS = ['VIRTUAL_TERMINAL_UNKNOWN', 'VIRTUAL_TERMINAL_REFUSED'] as const;
const SAME = {
  tag: 'Pages',
  access: 'socket_only',
  role: 'staff',
  query: VersionQuery,
  refusals: REFUSALS,
  replies: [{ status: 200, description: 'As it stands.', schema: dataOf(VirtualTerminal) }],
} as const;

/** The virtual terminals of the sandbox, for the pages: without them only an empty list is served. */
export function virtualTerminalRoutes(terminals: VirtualTerminals | null): readonly Route[] {
  return [
    listRoute(terminals),
    ...(terminals ? [...customerRoutes(terminals), ...faultRoutes(terminals)] : []),
  ];
}

function listRoute(terminals: VirtualTerminals | null): Route {
  return defineRoute({
    ...SAME,
    method: 'GET',
    path: URL,
    operationId: 'listVirtualTerminals',
    summary: 'The terminals of the sandbox.',
    params: NoParams,
    body: null,
    replies: [{ status: 200, description: 'All of them.', schema: listOf(VirtualTerminal) }],
    refusals: [],
    handler: () => {
      const data = (terminals?.all() ?? []).map(rendered);
      return json(200, { object: 'list', data, has_more: false, url: URL });
    },
  });
}

function customerRoutes(terminals: VirtualTerminals): readonly Route[] {
  return [
    defineRoute({
      ...SAME,
      method: 'POST',
      path: `${URL}/{name}/keys`,
      operationId: 'pressVirtualKey',
      summary: 'What the customer does, and with which card.',
      params: Params,
      body: PressKey,
      handler: ({ params, body }) => shown(terminals.press(params.name, body.key, body.card ?? null)),
    }),
    defineRoute({
      ...SAME,
      method: 'PATCH',
      path: `${URL}/{name}`,
      operationId: 'setVirtualTerminal',
      summary:
        'Pull or plug the cable, switch the power, let the customer act alone, put another terminal there.',
      params: Params,
      body: SetVirtualTerminal,
      handler: ({ params, body: { is_on, is_plugged, autopilot, exchange } }) =>
        shown(
          terminals.set(params.name, {
            ...(is_on === undefined ? {} : { isOn: is_on }),
            ...(is_plugged === undefined ? {} : { isPlugged: is_plugged }),
            ...(autopilot === undefined ? {} : { autopilot }),
            ...(exchange === undefined ? {} : { exchange }),
          }),
        ),
    }),
  ];
}

function faultRoutes(terminals: VirtualTerminals): readonly Route[] {
  return [
    defineRoute({
      ...SAME,
      method: 'POST',
      path: `${URL}/{name}/faults`,
      operationId: 'injectVirtualFault',
      summary: 'Let a fault strike at a moment of a dialogue.',
      params: Params,
      body: InjectFault,
      handler: ({ params, body }) => shown(terminals.inject(params.name, body.fault)),
    }),
    defineRoute({
      ...SAME,
      method: 'DELETE',
      path: `${URL}/{name}/faults`,
      operationId: 'forgetVirtualFaults',
      summary: 'Forget the faults that have not struck yet.',
      params: Params,
      body: null,
      handler: ({ params }) => shown(terminals.forgetFaults(params.name)),
    }),
  ];
}

function shown(view: VirtualTerminalView): DocumentReply {
  return json(200, { data: rendered(view) });
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
