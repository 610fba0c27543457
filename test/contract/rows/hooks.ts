import type { z } from 'zod';
import { hold } from '../breach.ts';
import { shapeOf } from '../expect.ts';
import { ask } from '../row.ts';
import { Delivery, dataOf, EndpointWithSecret, listOf } from '../shapes.ts';
import type { Side } from '../sides/side.ts';
import { requested } from './sales.ts';

export const ENDPOINTS = '/v2/webhook-endpoints';
export const DELIVERIES = '/v2/webhook-deliveries';
/** Nobody listens there: every attempt fails at once. */
const DEAD_URL = 'http://127.0.0.1:1/hook';

/** Registers an endpoint; its secret is in the answer, and nowhere else. */
export async function registered(
  side: Side,
  more: Readonly<Record<string, unknown>> = {},
): Promise<z.output<typeof EndpointWithSecret>> {
  const body = { url: 'https://shop.example/hook', events: ['terminal_payment.requested'], ...more };
  const answer = await ask(side, { method: 'POST', path: ENDPOINTS, body }, { status: 201 });
  return shapeOf('the new endpoint', dataOf(EndpointWithSecret), answer.json).data;
}

/** The deliveries to an endpoint, newest first. */
export async function deliveriesTo(side: Side, endpointId: string): Promise<readonly Delivery[]> {
  const path = `${DELIVERIES}?limit=100&endpoint_id=${endpointId}`;
  const answer = await ask(side, { path }, { status: 200 });
  return shapeOf('the deliveries', listOf(Delivery), answer.json).data;
}

/** A delivery that waits for its next attempt, to an endpoint where nobody answers. */
export async function firstDeliveryTo(side: Side, url = DEAD_URL): Promise<Delivery> {
  const { id } = await registered(side, { url });
  await requested(side);
  const [first] = await deliveriesTo(side, id);
  hold(first !== undefined, () => 'an event that an endpoint wants makes no delivery to it');
  return first;
}
