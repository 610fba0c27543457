import type { BehaviourSwitch } from './behaviour.ts';
import { type Answer, notFound } from './errors.ts';
import type { Events } from './events.ts';
import type { Call, Operation } from './operation.ts';
import { listBody, offsetPage, type Page } from './pagination.ts';
import type { Payments } from './payments.ts';
import type { SandboxDevice, SandboxSettings } from './settings.ts';
import type { WebhookDeliveries } from './webhook-deliveries.ts';
import type { WebhookEndpoints } from './webhook-endpoints.ts';

/** The parts that the operations are a thin skin over. */
export interface ServiceParts {
  readonly settings: SandboxSettings;
  readonly payments: Payments;
  readonly events: Events;
  readonly endpoints: WebhookEndpoints;
  readonly deliveries: WebhookDeliveries;
  readonly behaviour: BehaviourSwitch;
}

/** Every operation of the interface that the stand-in serves. */
export function operationsOf(parts: ServiceParts): readonly Operation[] {
  return [...paymentOperations(parts), ...deviceOperations(parts), ...feedOperations(parts)];
}

function paymentOperations({ settings, payments }: ServiceParts): readonly Operation[] {
  const path = '/v2/terminal-payments';
  const [read, write] = ['payments:read', 'payments:write'];
  const claim: Operation = {
    method: 'POST',
    path: `${path}/:id/claim`,
    scope: write,
    handle: (call) => payments.claim(idIn(call), call.body),
  };
  return [
    { method: 'POST', path, scope: write, handle: (call) => payments.create(call.body) },
    { method: 'GET', path, scope: read, handle: (call) => list(call, payments.list(call.query)) },
    { method: 'GET', path: `${path}/:id`, scope: read, handle: (call) => one(payments.view(idIn(call))) },
    {
      method: 'POST',
      path: `${path}/:id/cancel`,
      scope: write,
      handle: (call) => payments.cancel(idIn(call), call.body),
    },
    {
      method: 'POST',
      path: `${path}/:id/result`,
      scope: write,
      handle: (call) => payments.result(idIn(call), call.body),
    },
    ...(settings.hasClaim ? [claim] : []),
    {
      method: 'POST',
      path: `${path}/:id/refund`,
      scope: write,
      handle: (call) => payments.refund(idIn(call), call.body),
    },
    {
      method: 'POST',
      path: `${path}/:id/void`,
      scope: write,
      handle: (call) => payments.void(idIn(call), call.body),
    },
  ];
}

function deviceOperations({ settings }: ServiceParts): readonly Operation[] {
  const path = '/v2/terminal-devices';
  const scope = 'payments:read';
  return [
    {
      method: 'GET',
      path,
      scope,
      handle: (call) => list(call, offsetPage(settings.devices.map(deviceView), call.query)),
    },
    {
      method: 'GET',
      path: `${path}/:id`,
      scope,
      handle: (call) => {
        const device = settings.devices.find((known) => known.id === idIn(call));
        if (!device) throw notFound('terminal device');
        return one(deviceView(device));
      },
    },
  ];
}

function feedOperations({ events, endpoints, deliveries, behaviour }: ServiceParts): readonly Operation[] {
  const path = '/v2/webhook-endpoints';
  const [read, write] = ['webhooks:read', 'webhooks:write'];
  const create = (call: Call) => endpoints.create(call.body);
  return [
    {
      method: 'GET',
      path: '/v2/events',
      scope: read,
      handle: (call) => list(call, events.list(call.query, behaviour.now)),
    },
    { method: 'POST', path, scope: write, handle: create },
    { method: 'POST', path: '/v1/webhooks', scope: write, handle: create },
    { method: 'GET', path, scope: read, handle: (call) => list(call, endpoints.list(call.query)) },
    { method: 'GET', path: `${path}/:id`, scope: read, handle: (call) => one(endpoints.view(idIn(call))) },
    { method: 'DELETE', path: `${path}/:id`, scope: write, handle: (call) => endpoints.remove(idIn(call)) },
    {
      method: 'GET',
      path: '/v2/webhook-deliveries',
      scope: read,
      handle: (call) => list(call, deliveries.list(call.query)),
    },
  ];
}

function deviceView(device: SandboxDevice): Record<string, unknown> {
  return { id: device.id, name: device.name, terminal_serial: device.terminalSerial ?? null };
}

function one(resource: unknown): Answer {
  return { status: 200, body: { data: resource } };
}

function list(call: Call, page: Page<unknown>): Answer {
  return { status: 200, body: listBody(page, call.version, call.path) };
}

function idIn(call: Call): string {
  return call.params['id'] ?? '';
}
