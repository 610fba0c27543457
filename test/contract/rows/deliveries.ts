import { hold } from '../breach.ts';
import { shapeOf } from '../expect.ts';
import { EVENT_ENVELOPE } from '../interface.ts';
import { arrival } from '../receiver.ts';
import { ask, type Group, type Row } from '../row.ts';
import { Delivery, dataOf, Event, listOf } from '../shapes.ts';
import type { Side } from '../sides/side.ts';
import { afterAttempt, withFirstEvent } from './first-event.ts';
import { DELIVERIES, deliveriesTo, ENDPOINTS, firstDeliveryTo, onlyDeliveryTo, tidied } from './hooks.ts';

const SECTION = 'Webhooks and events (paths not shown)';

export const deliveryGroup: Group = {
  name: 'webhook deliveries',
  rows: [
    row(
      'post',
      'an event is sent as a POST of its envelope, and its delivery names it',
      sent,
      'Events: Envelope',
      ['event:terminal_payment.requested'],
    ),
    row('as-listed', 'what is sent is the event as GET /v2/events lists it', asListed, 'Events: Envelope'),
    row(
      'unwanted',
      'an endpoint is sent nothing but what it wants',
      (side) =>
        withFirstEvent(side, async ({ endpoint, payment, receiver }) => {
          await afterAttempt(side, endpoint.id, 1);
          await side.finish(payment.id, 'declined');
          await side.pass(1000);
          hold(
            receiver.arrivals.length === 1,
            () => `it was sent ${receiver.arrivals.at(-1)?.raw.slice(0, 120)}`,
          );
        }),
      'Events: Registration',
    ),
    row('filters', 'deliveries are listed by endpoint, by event and by status', filters),
    row('bad-status', 'a status that no delivery has is 400 and named', async (side) => {
      const error = { type: 'invalid_request_error', code: 'validation_error', param: 'status' } as const;
      await ask(side, { path: `${DELIVERIES}?status=lost` }, { status: 400, error });
    }),
    row(
      'redeliver',
      'a delivery can be made once more: a new one of the same event with attempts of its own',
      redeliver,
    ),
    row(
      'redeliver-disabled',
      'to a disabled endpoint nothing is delivered again: 400 invalid_status',
      async (side) => {
        const { id, endpoint_id } = await firstDeliveryTo(side);
        const body = { status: 'disabled' };
        await ask(side, { method: 'PATCH', path: `${ENDPOINTS}/${endpoint_id}`, body }, { status: 200 });
        await refusesRedelivery(side, id);
      },
      SECTION,
      ['operation:GET /v2/webhook-deliveries', 'code:400 invalid_status'],
    ),
    row(
      'redeliver-gone',
      'to a deleted endpoint nothing is delivered again: 400 invalid_status',
      async (side) => {
        const { id, endpoint_id } = await firstDeliveryTo(side);
        await ask(side, { method: 'DELETE', path: `${ENDPOINTS}/${endpoint_id}` }, { status: 200 });
        await refusesRedelivery(side, id);
      },
    ),
  ].map(tidied),
};

function row(
  id: string,
  what: string,
  run: Row['run'],
  section = SECTION,
  covers = ['operation:GET /v2/webhook-deliveries'],
): Row {
  return { id: `delivery/${id}`, section, what, covers, run };
}

function sent(side: Side): Promise<void> {
  return withFirstEvent(side, async ({ endpoint, payment, first }) => {
    hold(first.method === 'POST' && first.path === '/hook', () => `it was ${first.method} ${first.path}`);
    hold(
      /^application\/json/.test(first.headers['content-type'] ?? ''),
      () => `content-type is ${first.headers['content-type']}`,
    );
    const json: unknown = JSON.parse(first.raw);
    hold(
      Object.keys(Object(json)).sort().join() === [...EVENT_ENVELOPE].sort().join(),
      () => 'the envelope has other fields',
    );
    const { id, type, data } = shapeOf('the event', Event, json);
    hold(
      type === 'terminal_payment.requested' && data['id'] === payment.id,
      () => `it is ${type} of ${String(data['id'])}`,
    );
    const delivery = await onlyDeliveryTo(side, endpoint.id);
    hold(
      delivery.event_id === id && delivery.event_type === type,
      () => `its delivery is ${JSON.stringify(delivery)}`,
    );
  });
}

function asListed(side: Side): Promise<void> {
  return withFirstEvent(side, async ({ first }) => {
    const event = shapeOf('the event', Event, JSON.parse(first.raw));
    const { json } = await ask(side, { path: '/v2/events?limit=100' }, { status: 200 });
    const listed = shapeOf('the events', listOf(Event), json).data.find(({ id }) => id === event.id);
    hold(
      listed?.type === event.type && listed.created === event.created,
      () => 'it is not in the list as it was sent',
    );
    hold(
      listed.data['id'] === event.data['id'] && listed.data['status'] === event.data['status'],
      () => 'its data differ',
    );
  });
}

async function filters(side: Side): Promise<void> {
  const one = await firstDeliveryTo(side);
  const other = await firstDeliveryTo(side);
  const { endpoint_id, event_id } = one;
  for (const query of [
    `endpoint_id=${endpoint_id}`,
    `event_id=${event_id}&endpoint_id=${endpoint_id}`,
    `status=pending&endpoint_id=${endpoint_id}`,
  ]) {
    const { text } = await ask(side, { path: `${DELIVERIES}?limit=100&${query}` }, { status: 200 });
    hold(text.includes(one.id) && !text.includes(other.id), () => `${query} gives ${text.slice(0, 200)}`);
  }
  for (const query of [
    `status=delivered&endpoint_id=${endpoint_id}`,
    `event_id=${other.event_id}&endpoint_id=${endpoint_id}&status=delivered`,
  ]) {
    const { text } = await ask(side, { path: `${DELIVERIES}?limit=100&${query}` }, { status: 200 });
    hold(!text.includes(one.id), () => `${query} gives it all the same`);
  }
}

function redeliver(side: Side): Promise<void> {
  return withFirstEvent(side, async ({ endpoint, first, receiver }) => {
    const done = await afterAttempt(side, endpoint.id, 1);
    const asked = { method: 'POST', path: `${DELIVERIES}/${done.id}/redeliver` } as const;
    const answer = await ask(side, asked, { status: 201, body: dataOf(Delivery) });
    const { data } = shapeOf('the new delivery', dataOf(Delivery), answer.json);
    const isNew = data.id !== done.id && data.status === 'pending' && data.attempts === 0;
    hold(
      isNew && data.event_id === done.event_id && data.endpoint_id === endpoint.id,
      () => `it is ${JSON.stringify(data)}`,
    );
    const second = await arrival(side, receiver, 1);
    hold(second.raw === first.raw, () => 'it sends other bytes');
    hold((await deliveriesTo(side, endpoint.id)).length === 2, () => 'there are not two deliveries');
  });
}

async function refusesRedelivery(side: Side, id: string): Promise<void> {
  const error = { type: 'invalid_request_error', code: 'invalid_status', param: null } as const;
  await ask(side, { method: 'POST', path: `${DELIVERIES}/${id}/redeliver` }, { status: 400, error });
}
