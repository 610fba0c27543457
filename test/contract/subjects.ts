import { randomUUID } from 'node:crypto';
import type { Ask } from './ask.ts';
import { EVENT_TYPES, OPERATIONS, type Operation } from './interface.ts';
import { ENDPOINTS, firstDeliveryTo, registered } from './rows/hooks.ts';
import { ended, requested, saleOf } from './rows/sales.ts';
import type { Side } from './sides/side.ts';

/** How an operation is called by its name: `POST /v2/terminal-payments`. */
export function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** @throws when the interface has no such operation */
export function operationOf(name: string): Operation {
  const found: Operation | undefined = OPERATIONS.find((one) => nameOf(one) === name);
  if (!found) throw new Error(`the interface has no operation ${name}`);
  return found;
}

/** A request for an operation that asks for nothing that exists. */
export function aimless(operation: Operation): Ask {
  return {
    method: operation.method,
    path: pathWith(operation, randomUUID()),
    ...bodyFor(operation, bodyOf(operation)),
  };
}

/** A request for an operation on something that is there, so that it succeeds. */
export async function aimed(side: Side, operation: Operation): Promise<Ask> {
  const { method } = operation;
  const path = pathWith(operation, await subjectOf(side, operation));
  const isSale = operation.path === '/v2/terminal-payments' && method === 'POST';
  return { method, path, ...bodyFor(operation, isSale ? saleOf(side) : bodyOf(operation)) };
}

/** The path with another word for its id. */
export function pathWith({ path }: Operation, id: string): string {
  return path.replace('{id}', id);
}

/** Any body that the operation takes. */
function bodyOf({ method, path }: Operation): unknown {
  if (path === '/v2/terminal-payments')
    return { device_id: randomUUID(), amount_minor: 100, currency: 'EUR' };
  if (path === ENDPOINTS || path === '/v1/webhooks')
    return { url: 'https://shop.example/hook', events: [EVENT_TYPES[0]?.[0]] };
  return method === 'PATCH' ? { status: 'disabled' } : {};
}

function bodyFor({ method, bodyless }: Operation, body: unknown): Pick<Ask, 'body'> {
  return method === 'GET' || method === 'DELETE' || bodyless ? {} : { body };
}

/** The id of something that the operation can be asked of. */
async function subjectOf(side: Side, { path }: Operation): Promise<string> {
  if (!path.includes('{id}')) return '';
  if (path.startsWith('/v2/terminal-devices')) return side.devices[0] ?? '';
  if (path.startsWith(ENDPOINTS)) return (await registered(side)).id;
  if (path.startsWith('/v2/webhook-deliveries')) return (await firstDeliveryTo(side)).id;
  if (/\/(refund|void)$/.test(path)) return (await ended(side, 'succeeded')).id;
  const { id } = await requested(side);
  await side.begin(id);
  return id;
}
