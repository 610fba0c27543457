import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { hold } from '../breach.ts';
import { shapeOf } from '../expect.ts';
import { DELIVERY_MINUTES, EVENT_ENVELOPE, SIGNATURE } from '../interface.ts';
import { type Arrival, type Receiver, withReceiver } from '../receiver.ts';
import { ask, type Group, type Row } from '../row.ts';
import { Delivery, dataOf, EndpointWithSecret, Event } from '../shapes.ts';
import type { Side } from '../sides/side.ts';
import { DELIVERIES, deliveriesTo, ENDPOINTS, firstDeliveryTo, registered } from './hooks.ts';
import { requested } from './sales.ts';

const DELIVERY = 'Events: Delivery';
const SIGNATURES = 'Events: Signature';
const SECTION = 'Webhooks and events (paths not shown)';
const SIGNATURE_HEADER = SIGNATURE.header.toLowerCase();
const ATTEMPTS = DELIVERY_MINUTES.length;
const covers = ['limit:Webhook delivery attempts'];

export const deliveryGroups: readonly Group[] = [
  {
    name: 'webhook deliveries',
    rows: [
      row(
        'post',
        'an event is sent at once as a POST of its envelope, and a 2xx acknowledges it',
        ['event-envelope', 'event:terminal_payment.requested'],
        sentRow,
      ),
      row(
        'as-listed',
        'what is sent is the event as GET /v2/events lists it',
        ['event-envelope'],
        asListedRow,
      ),
      row(
        'signature',
        'the signature is HMAC-SHA256 over timestamp, dot and raw body',
        ['header:X-Service-Signature', 'limit:Webhook timestamp tolerance'],
        signatureRow,
        SIGNATURES,
      ),
      row(
        'openssl',
        'openssl dgst finds the same signature, where it is installed',
        ['header:X-Service-Signature'],
        opensslRow,
        SIGNATURES,
      ),
      row(
        'rolled',
        'after its secret was rolled an attempt is signed with the new one alone',
        ['header:X-Service-Signature'],
        rolledRow,
        SIGNATURES,
      ),
      ...[200, 201, 204].map(acknowledgedRow),
      ...[301, 307, 400, 410, 500].map(notAcknowledgedRow),
      row('filters', 'deliveries are listed by endpoint, by event and by status', covers, filterRow, SECTION),
      row('bad-status', 'a status that no delivery has is 400 and named', covers, badStatusRow, SECTION),
      row(
        'redeliver',
        'a delivery can be made once more: a new one of the same event with attempts of its own',
        covers,
        redeliverRow,
        SECTION,
      ),
      row(
        'redeliver-disabled',
        'to a disabled endpoint nothing is delivered again: 409 invalid_status',
        covers,
        redeliverDisabledRow,
        SECTION,
      ),
      row(
        'redeliver-gone',
        'to a deleted endpoint nothing is delivered again: 409 invalid_status',
        covers,
        redeliverGoneRow,
        SECTION,
      ),
    ],
  },
  {
    name: 'webhook attempts',
    rows: [
      row(
        'six-attempts',
        `${ATTEMPTS} attempts at ${DELIVERY_MINUTES.join(', ')} minutes, then it has failed`,
        covers,
        sixRow,
      ),
    ],
  },
];

function row(id: string, what: string, held: readonly string[], run: Row['run'], section = DELIVERY): Row {
  return { id: `delivery/${id}`, section, what, covers: held, run };
}

/** An endpoint of a receiver, and the first event that it is sent. */
async function firstArrival(side: Side, receiver: Receiver) {
  const endpoint = await registered(side, { url: receiver.url });
  const payment = await requested(side);
  await arrived(side, receiver, 1);
  return { endpoint, payment, arrival: arrivalAt(receiver, 0) };
}

function arrived(side: Side, receiver: Receiver, count: number): Promise<void> {
  return side.until(`arrival ${count}`, () => receiver.arrivals.length >= count);
}

function arrivalAt({ arrivals }: Receiver, index: number): Arrival {
  const arrival = arrivals[index];
  hold(arrival !== undefined, () => `there is no arrival ${index + 1}`);
  return arrival;
}

function sentRow(side: Side): Promise<void> {
  return withReceiver(async (receiver) => {
    const { endpoint, payment, arrival } = await firstArrival(side, receiver);
    hold(
      arrival.method === 'POST' && arrival.path === '/hook',
      () => `it was ${arrival.method} ${arrival.path}`,
    );
    hold(
      /^application\/json/.test(arrival.headers['content-type'] ?? ''),
      () => `content-type is ${arrival.headers['content-type']}`,
    );
    const event = shapeOf('the event', Event, JSON.parse(arrival.raw));
    hold(
      Object.keys(JSON.parse(arrival.raw)).sort().join() === [...EVENT_ENVELOPE].sort().join(),
      () => 'the envelope has other fields',
    );
    hold(
      event.type === 'terminal_payment.requested' && event.data['id'] === payment.id,
      () => `it is ${event.type} of ${String(event.data['id'])}`,
    );
    await side.until(
      'its acknowledgement',
      async () => (await deliveriesTo(side, endpoint.id))[0]?.status === 'delivered',
    );
    const [delivery] = await deliveriesTo(side, endpoint.id);
    const { attempts, response_status, delivered_at, next_attempt_at, last_error, event_id, event_type } =
      delivery ?? Object(null);
    hold(
      attempts === 1 && response_status === 200 && delivered_at !== null,
      () => `the delivery is ${JSON.stringify(delivery)}`,
    );
    hold(
      next_attempt_at === null && last_error === null,
      () => `the delivery is ${JSON.stringify(delivery)}`,
    );
    hold(
      event_id === event.id && event_type === event.type,
      () => `the delivery is ${JSON.stringify(delivery)}`,
    );
    await side.pass(3_600_000);
    hold(receiver.arrivals.length === 1, () => 'what was acknowledged is sent again');
  });
}

function asListedRow(side: Side): Promise<void> {
  return withReceiver(async (receiver) => {
    const { arrival } = await firstArrival(side, receiver);
    const sent = shapeOf('the event', Event, JSON.parse(arrival.raw));
    const { text } = await ask(side, { path: '/v2/events?limit=100' }, { status: 200 });
    hold(text.includes(sent.id), () => 'the event is not in the list');
    const listed = JSON.parse(text).data.find(({ id }: { id: string }) => id === sent.id);
    hold(
      JSON.stringify(listed.type) === JSON.stringify(sent.type) && listed.created === sent.created,
      () => 'type or moment differ',
    );
    hold(
      listed.data.id === sent.data['id'] && listed.data.status === sent.data['status'],
      () => 'the data differ',
    );
  });
}

function signatureRow(side: Side): Promise<void> {
  return withReceiver(async (receiver) => {
    const { endpoint, arrival } = await firstArrival(side, receiver);
    const { seconds, hex } = signatureOf(arrival);
    hold(hex === hmac(endpoint.secret, seconds, arrival.raw), () => 'the signature is another one');
    hold(
      hex !== hmac(endpoint.secret, seconds, `${arrival.raw} `),
      () => 'the signature does not depend on the body',
    );
    hold(
      Math.abs(side.now() / 1000 - Number(seconds)) <= SIGNATURE.toleranceS,
      () => `t=${seconds} is not now`,
    );
  });
}

function opensslRow(side: Side): Promise<void> {
  return withReceiver(async (receiver) => {
    const { endpoint, arrival } = await firstArrival(side, receiver);
    const { seconds, hex } = signatureOf(arrival);
    const found = openssl(endpoint.secret, `${seconds}.${arrival.raw}`);
    hold(found === null || found === hex, () => `openssl finds ${found}`);
  });
}

/** What `openssl dgst` makes of a message; null where there is no openssl. */
function openssl(secret: string, message: string): string | null {
  try {
    const out = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret], {
      input: message,
      encoding: 'utf8',
    });
    return /([0-9a-f]{64})\s*$/.exec(out)?.[1] ?? out;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function rolledRow(side: Side): Promise<void> {
  return withReceiver(async (receiver) => {
    receiver.answer = 500;
    const { endpoint } = await firstArrival(side, receiver);
    const path = `${ENDPOINTS}/${endpoint.id}/roll-secret`;
    const { json } = await ask(side, { method: 'POST', path }, { status: 200 });
    const { secret } = shapeOf('the endpoint', dataOf(EndpointWithSecret), json).data;
    await side.until(
      'the first attempt',
      async () => (await deliveriesTo(side, endpoint.id))[0]?.attempts === 1,
    );
    await side.pass(5 * 60_000);
    await arrived(side, receiver, 2);
    const second = arrivalAt(receiver, 1);
    const { seconds, hex } = signatureOf(second);
    hold(hex === hmac(secret, seconds, second.raw), () => 'it is not signed with the new secret');
  });
}

function acknowledgedRow(status: number): Row {
  return row(`acknowledged-${status}`, `a ${status} acknowledges`, covers, (side) =>
    withReceiver(async (receiver) => {
      receiver.answer = status;
      const { endpoint } = await firstArrival(side, receiver);
      await side.until(
        'its acknowledgement',
        async () => (await deliveriesTo(side, endpoint.id))[0]?.status === 'delivered',
      );
    }),
  );
}

function notAcknowledgedRow(status: number): Row {
  return row(
    `not-acknowledged-${status}`,
    `a ${status} does not acknowledge${status < 400 ? ', and is not followed' : ''}`,
    covers,
    (side) =>
      withReceiver(async (receiver) => {
        receiver.answer = status;
        const { endpoint } = await firstArrival(side, receiver);
        await side.until('its end', async () => (await deliveriesTo(side, endpoint.id))[0]?.attempts === 1);
        const [delivery] = await deliveriesTo(side, endpoint.id);
        const told =
          delivery?.status === 'pending' &&
          delivery.response_status === status &&
          delivery.last_error !== null;
        hold(told && delivery.next_attempt_at !== null, () => `the delivery is ${JSON.stringify(delivery)}`);
        hold(receiver.arrivals.length === 1, () => 'it was sent somewhere else, or again');
      }),
  );
}

async function sixRow(side: Side): Promise<void> {
  await withReceiver(async (receiver) => {
    receiver.answer = 503;
    const { endpoint } = await firstArrival(side, receiver);
    const [made] = await deliveriesTo(side, endpoint.id);
    hold(made !== undefined, () => 'there is no delivery');
    for (const [index, minutes] of DELIVERY_MINUTES.entries()) {
      const due = Date.parse(made.created_at) + minutes * 60_000;
      if (index > 0) {
        await side.pass(due - 2000 - side.now());
        hold(
          receiver.arrivals.length === index,
          () => `before ${minutes} minutes there are ${receiver.arrivals.length} attempts`,
        );
        await side.pass(4000);
      }
      await arrived(side, receiver, index + 1);
      await side.until(
        `attempt ${index + 1}`,
        async () => (await deliveriesTo(side, endpoint.id))[0]?.attempts === index + 1,
      );
      const [now] = await deliveriesTo(side, endpoint.id);
      const last = index === ATTEMPTS - 1;
      hold(
        now?.status === (last ? 'failed' : 'pending'),
        () => `after attempt ${index + 1} it is ${now?.status}`,
      );
      hold(
        (now?.next_attempt_at === null) === last,
        () => `after attempt ${index + 1} the next one is ${now?.next_attempt_at}`,
      );
    }
    await side.pass(48 * 3_600_000);
    hold(receiver.arrivals.length === ATTEMPTS, () => 'there is a seventh attempt');
    const sent = receiver.arrivals.map(({ raw }) => raw);
    hold(
      new Set(sent).size === 1,
      () => 'the attempts do not send the same bytes: the id is the de-duplication key',
    );
    for (const arrival of receiver.arrivals) {
      const { seconds, hex } = signatureOf(arrival);
      hold(
        hex === hmac(endpoint.secret, seconds, arrival.raw),
        () => 'an attempt is not signed with its own moment',
      );
    }
  });
}

async function filterRow(side: Side): Promise<void> {
  const one = await firstDeliveryTo(side);
  const other = await firstDeliveryTo(side);
  for (const [name, value] of [
    ['endpoint_id', one.endpoint_id],
    ['event_id', one.event_id],
    ['status', one.status],
  ] as const) {
    const { text } = await ask(side, { path: `${DELIVERIES}?limit=100&${name}=${value}` }, { status: 200 });
    hold(text.includes(one.id), () => `by ${name} it is not found`);
    hold(name === 'status' || !text.includes(other.id), () => `by ${name} another one is found`);
  }
  const { text } = await ask(
    side,
    { path: `${DELIVERIES}?status=delivered&endpoint_id=${one.endpoint_id}` },
    { status: 200 },
  );
  hold(!text.includes(one.id), () => 'by a status that it has not it is found');
}

async function badStatusRow(side: Side): Promise<void> {
  const error = { type: 'invalid_request_error', code: 'validation_error', param: 'status' } as const;
  await ask(side, { path: `${DELIVERIES}?status=lost` }, { status: 400, error });
}

function redeliverRow(side: Side): Promise<void> {
  return withReceiver(async (receiver) => {
    const { endpoint } = await firstArrival(side, receiver);
    const [first] = await deliveriesTo(side, endpoint.id);
    hold(first !== undefined, () => 'there is no delivery');
    const answer = await ask(
      side,
      { method: 'POST', path: `${DELIVERIES}/${first.id}/redeliver` },
      { status: 201, body: dataOf(Delivery) },
    );
    const { data } = shapeOf('the new delivery', dataOf(Delivery), answer.json);
    const isNew = data.id !== first.id && data.status === 'pending' && data.attempts === 0;
    hold(
      isNew && data.event_id === first.event_id && data.endpoint_id === endpoint.id,
      () => `it is ${JSON.stringify(data)}`,
    );
    await arrived(side, receiver, 2);
    hold(arrivalAt(receiver, 1).raw === arrivalAt(receiver, 0).raw, () => 'it sends other bytes');
    hold((await deliveriesTo(side, endpoint.id)).length === 2, () => 'there are not two deliveries');
  });
}

async function redeliverDisabledRow(side: Side): Promise<void> {
  const { id, endpoint_id } = await firstDeliveryTo(side);
  await ask(
    side,
    { method: 'PATCH', path: `${ENDPOINTS}/${endpoint_id}`, body: { status: 'disabled' } },
    { status: 200 },
  );
  await refusesRedelivery(side, id);
}

async function redeliverGoneRow(side: Side): Promise<void> {
  const { id, endpoint_id } = await firstDeliveryTo(side);
  await ask(side, { method: 'DELETE', path: `${ENDPOINTS}/${endpoint_id}` }, { status: 200 });
  await refusesRedelivery(side, id);
}

async function refusesRedelivery(side: Side, id: string): Promise<void> {
  const error = { type: 'invalid_request_error', code: 'invalid_status', param: null } as const;
  await ask(side, { method: 'POST', path: `${DELIVERIES}/${id}/redeliver` }, { status: 409, error });
}

function signatureOf({ headers }: Arrival): { readonly seconds: string; readonly hex: string } {
  const sent = String(headers[SIGNATURE_HEADER]);
  const [, seconds = '', hex = ''] = SIGNATURE.form.exec(sent) ?? [];
  hold(hex !== '', () => `${SIGNATURE.header} is ${sent}`);
  return { seconds, hex };
}

function hmac(secret: string, seconds: string, raw: string): string {
  return createHmac('sha256', secret).update(`${seconds}.${raw}`).digest('hex');
}
