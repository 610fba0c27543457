import type { z } from 'zod';
import { hold } from '../breach.ts';
import { shapeOf } from '../expect.ts';
import { ask, type Row } from '../row.ts';
import { Delivery, dataOf, Endpoint, EndpointWithSecret, listOf } from '../shapes.ts';
import type { Side } from '../sides/side.ts';
import { requested } from './sales.ts';

export const ENDPOINTS = '/v2/webhook-endpoints';
export const DELIVERIES = '/v2/webhook-deliveries';
/** Nobody listens there: every attempt fails at once, and nobody is asked for a name. */
export const DEAD = { url: 'https://127.0.0.1:1/hook', events: ['terminal_payment.requested'] };
/** An endpoint that nothing is ever sent to. */
const QUIET = { url: 'https://shop.example/hook', events: ['customer.created'] };

/** Registers an endpoint; its secret is in the answer, and nowhere else. */
export async function registered(
  side: Side,
  more: Readonly<Record<string, unknown>> = {},
): Promise<z.output<typeof EndpointWithSecret>> {
  const body = { ...QUIET, ...more };
  const answer = await ask(side, { method: 'POST', path: ENDPOINTS, body }, { status: 201 });
  return shapeOf('the new endpoint', dataOf(EndpointWithSecret), answer.json).data;
}

/** A row that leaves no endpoint behind: each side keeps only so many. What cannot be deleted is the affair of the row about deleting. */
export function tidied(row: Row): Row {
  const run = async (side: Side) => {
    try {
      await row.run(side);
    } finally {
      await deleteAll(side).catch(() => undefined);
    }
  };
  return { ...row, run };
}

async function deleteAll(side: Side): Promise<void> {
  const { json } = await ask(side, { path: `${ENDPOINTS}?limit=100` }, { status: 200 });
  for (const { id } of shapeOf('the endpoints', listOf(Endpoint), json).data)
    await ask(side, { method: 'DELETE', path: `${ENDPOINTS}/${id}` }, { status: 200 });
}

/** The deliveries to an endpoint, newest first. */
export async function deliveriesTo(side: Side, endpointId: string): Promise<readonly Delivery[]> {
  const path = `${DELIVERIES}?limit=100&endpoint_id=${endpointId}`;
  const answer = await ask(side, { path }, { status: 200 });
  return shapeOf('the deliveries', listOf(Delivery), answer.json).data;
}

/** The delivery to an endpoint that has one, once it is noted. */
export async function onlyDeliveryTo(side: Side, endpointId: string): Promise<Delivery> {
  await side.until('a delivery', async () => (await deliveriesTo(side, endpointId)).length > 0);
  const [first, ...others] = await deliveriesTo(side, endpointId);
  hold(
    first !== undefined && others.length === 0,
    () => `there are ${others.length + 1} deliveries, not one`,
  );
  return first;
}

/** Time for an event to become a delivery, and more. @throws Breach when one does */
export async function noDeliveryTo(side: Side, endpointId: string): Promise<void> {
  await side.pass(1000);
  const found = await deliveriesTo(side, endpointId);
  hold(found.length === 0, () => `there are ${found.length} deliveries, and none was to be`);
}

/** A delivery that waits for its next attempt, to an endpoint where nobody answers. */
export async function firstDeliveryTo(side: Side): Promise<Delivery> {
  const { id } = await registered(side, DEAD);
  await requested(side);
  return onlyDeliveryTo(side, id);
}
