import type { BehaviourSwitch } from './behaviour.ts';
import { type Answer, notFound } from './errors.ts';
import type { Events } from './events.ts';
import { integrationOperations } from './integration-operations.ts';
import type { Integrations } from './integrations.ts';
import type { Merchant } from './merchant.ts';
import { merchantOperations } from './merchant-operations.ts';
import type { Call, Operation } from './operation.ts';
import { CURSOR_PARAMETERS, listBody, OFFSET_PARAMETERS, offsetPage, type Page } from './pagination.ts';
import type { Payments } from './payments.ts';
import { deviceOf, type SandboxDevice, type SandboxSettings } from './settings.ts';
import type { WebhookDeliveries } from './webhook-deliveries.ts';
import type { WebhookEndpoints } from './webhook-endpoints.ts';

/** The services that the operations call. */
export interface ServiceDeps {
  readonly settings: SandboxSettings;
  readonly payments: Payments;
  readonly events: Events;
  readonly endpoints: WebhookEndpoints;
  readonly deliveries: WebhookDeliveries;
  readonly integrations: Integrations;
  readonly merchant: Merchant;
  readonly behaviour: BehaviourSwitch;
}

/** Every operation that the sandbox service serves. */
export function operationsOf(deps: ServiceDeps): readonly Operation[] {
  const operations = [
    ...paymentOperations(deps),
    ...deviceOperations(deps),
    ...eventOperations(deps),
    ...endpointOperations(deps),
    ...deliveryOperations(deps),
    ...integrationOperations(deps.integrations, (call, page) => list(deps, call, page)),
    ...merchantOperations(deps.merchant, (call, page) => list(deps, call, page)),
  ];
  if (deps.settings.refusesUnknownFields) return operations;
  return operations.map((operation) => ({ ...operation, query: 'any' }));
}

function paymentOperations(deps: ServiceDeps): readonly Operation[] {
  const { settings, payments } = deps;
  const path = '/v2/terminal-payments';
  const [read, write] = ['payments:read', 'payments:write'];
  const onOne = (name: string, handle: (call: Call) => Answer): Operation => ({
    method: 'POST',
    path: `${path}/:id/${name}`,
    scope: write,
    handle,
  });
  return [
    { method: 'POST', path, scope: write, handle: (call) => payments.create(call.body) },
    {
      method: 'GET',
      path,
      scope: read,
      query: [...CURSOR_PARAMETERS, 'status', 'device_id', 'invoice_id'],
      handle: (call) => list(deps, call, payments.list(call.query)),
    },
    { method: 'GET', path: `${path}/:id`, scope: read, handle: (call) => one(payments.view(idIn(call))) },
    onOne('cancel', (call) => payments.cancel(idIn(call), call.body)),
    onOne('result', (call) => payments.result(idIn(call), call.body)),
    ...(settings.hasClaim ? [onOne('claim', (call) => payments.claim(idIn(call), call.body))] : []),
    onOne('refund', (call) => payments.refund(idIn(call), call.body)),
    onOne('void', (call) => payments.void(idIn(call), call.body)),
  ];
}

function deviceOperations(deps: ServiceDeps): readonly Operation[] {
  const { devices } = deps.settings;
  const path = '/v2/terminal-devices';
  const scope = 'payments:read';
  return [
    {
      method: 'GET',
      path,
      scope,
      query: OFFSET_PARAMETERS,
      handle: (call) => list(deps, call, offsetPage(devices.map(deviceView), call.query)),
    },
    {
      method: 'GET',
      path: `${path}/:id`,
      scope,
      handle: (call) => {
        const device = deviceOf(devices, idIn(call));
        if (!device) throw notFound('terminal device');
        return one(deviceView(device));
      },
    },
  ];
}

function eventOperations(deps: ServiceDeps): readonly Operation[] {
  const { events, behaviour } = deps;
  return [
    {
      method: 'GET',
      path: '/v2/events',
      scope: 'webhooks:read',
      query: CURSOR_PARAMETERS,
      handle: (call) => list(deps, call, events.list(call.query, behaviour.now)),
    },
  ];
}

function endpointOperations(deps: ServiceDeps): readonly Operation[] {
  const { endpoints } = deps;
  const path = '/v2/webhook-endpoints';
  const onePath = `${path}/:id`;
  const [read, write] = ['webhooks:read', 'webhooks:write'];
  const create = (call: Call) => endpoints.create(call.body);
  return [
    { method: 'POST', path, scope: write, handle: create },
    { method: 'POST', path: '/v1/webhooks', scope: write, handle: create },
    {
      method: 'GET',
      path,
      scope: read,
      query: OFFSET_PARAMETERS,
      handle: (call) => list(deps, call, endpoints.list(call.query)),
    },
    { method: 'GET', path: onePath, scope: read, handle: (call) => one(endpoints.view(idIn(call))) },
    {
      method: 'PATCH',
      path: onePath,
      scope: write,
      handle: (call) => one(endpoints.update(idIn(call), call.body)),
    },
    {
      method: 'DELETE',
      path: onePath,
      scope: write,
      handle: (call) => one(endpoints.remove(idIn(call), call.body)),
    },
    {
      method: 'POST',
      path: `${onePath}/roll-secret`,
      scope: write,
      handle: (call) => one(endpoints.rollSecret(idIn(call), call.body)),
    },
  ];
}

function deliveryOperations(deps: ServiceDeps): readonly Operation[] {
  const { endpoints, deliveries } = deps;
  const path = '/v2/webhook-deliveries';
  return [
    {
      method: 'GET',
      path,
      scope: 'webhooks:read',
      query: [...CURSOR_PARAMETERS, 'endpoint_id', 'event_id', 'status'],
      handle: (call) => list(deps, call, deliveries.list(call.query)),
    },
    {
      method: 'POST',
      path: `${path}/:id/redeliver`,
      scope: 'webhooks:write',
      handle: (call) => {
        endpoints.requireNoBody(call.body);
        return { ...one(deliveries.redeliver(idIn(call))), status: 201 };
      },
    },
  ];
}

function deviceView(device: SandboxDevice): Record<string, unknown> {
  return { id: device.id, name: device.name, terminal_serial: device.terminalSerial ?? null };
}

function one(resource: unknown): Answer {
  return { status: 200, body: { data: resource } };
}

function list({ behaviour }: ServiceDeps, { version, path }: Call, page: Page<unknown>): Answer {
  return { status: 200, body: listBody(page, version, path, !behaviour.now.pagination_block) };
}

function idIn(call: Call): string {
  return call.params['id'] ?? '';
}
