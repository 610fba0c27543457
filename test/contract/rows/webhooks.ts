import type { z } from 'zod';
import type { Ask } from '../ask.ts';
import { hold } from '../breach.ts';
import { shapeOf } from '../expect.ts';
import { EVENT_TYPES, REGISTRATION_BODY } from '../interface.ts';
import { ask, type Group, type Row } from '../row.ts';
import { DeletedEndpoint, dataOf, Endpoint, EndpointWithSecret } from '../shapes.ts';
import type { Side } from '../sides/side.ts';
import { DEAD, ENDPOINTS, noDeliveryTo, onlyDeliveryTo, registered, tidied } from './hooks.ts';
import { requested } from './sales.ts';
import { endpointRefusals } from './webhook-refusals.ts';

const SECTION = 'Webhooks and events (paths not shown)';
const REGISTRATION = 'Events: Registration';
const TYPES = 'Events: Event types';
const ALL_TYPES = EVENT_TYPES.flat();
/** An open set: outcomes that the interface names for payments only. */
const BY_ANALOGY = ['refund', 'void'].map((way) =>
  ['declined', 'cancelled', 'error'].map((end) => `terminal_${way}.${end}`),
);
const URL_OK = 'https://shop.example/hook';
const [url, events] = REGISTRATION_BODY;

export const webhookGroup: Group = {
  name: 'webhook endpoints',
  rows: [
    row('create', 'an endpoint is created enabled, and its secret is in the answer', async (side) => {
      const body = { [url]: URL_OK, [events]: ['payment.succeeded', 'terminal_payment.succeeded'] };
      const answer = await ask(side, create(body), { status: 201, body: dataOf(EndpointWithSecret) });
      const { data } = shapeOf('the endpoint', dataOf(EndpointWithSecret), answer.json);
      hold(data.url === URL_OK && data.status === 'enabled', () => `it is ${data.status} at ${data.url}`);
      hold(data.events.join() === body[events].join(), () => `its events are ${data.events.join()}`);
    }),
    row(
      'v1',
      'POST /v1/webhooks registers an endpoint as the current version does',
      async (side) => {
        const body = { url: URL_OK, events: ['payment.succeeded'] };
        const answer = await ask(side, { ...create(body), path: '/v1/webhooks' }, { status: 201 });
        const { data } = shapeOf('the endpoint', dataOf(EndpointWithSecret), answer.json);
        await ask(side, { path: `${ENDPOINTS}/${data.id}` }, { status: 200, body: dataOf(Endpoint) });
      },
      REGISTRATION,
    ),
    secretOnceRow(),
    row('secrets-differ', 'every endpoint has a secret of its own', async (side) => {
      const made = [await registered(side), await registered(side)];
      hold(new Set(made.map(({ secret }) => secret)).size === 2, () => 'two endpoints have one secret');
    }),
    row('prefixed', 'an event type may have the prefix billing.: it is the plain one', async (side) => {
      const events = [
        'billing.terminal_payment.succeeded',
        'terminal_payment.succeeded',
        'billing.refund.created',
      ];
      const { events: kept } = await registered(side, { events });
      hold(
        kept.join() === 'terminal_payment.succeeded,refund.created',
        () => `its events are ${kept.join()}`,
      );
    }),
    row('merged', 'an event type that is named twice is wanted once', async (side) => {
      const { events: kept } = await registered(side, {
        events: ['payment.failed', 'payment.failed', 'order.paid'],
      });
      hold(kept.join() === 'payment.failed,order.paid', () => `its events are ${kept.join()}`);
    }),
    ...EVENT_TYPES.map(typesRow),
    ...BY_ANALOGY.map(typesRow),
    row(
      'all-types',
      `all ${ALL_TYPES.length} event types may be wanted at once`,
      async (side) => {
        const { events: kept } = await registered(side, { events: ALL_TYPES });
        hold(kept.length === ALL_TYPES.length, () => `it keeps ${kept.length}`);
      },
      TYPES,
    ),
    ...[
      'https://shop.example:8443/hook?till=1',
      'http://127.0.0.1:9/hook',
      'http://localhost:9/hook',
      'http://[::1]:9/hook',
    ].map(goodUrlRow),
    ...endpointRefusals,
    row(
      'patch-url',
      'the URL of an endpoint can be changed, and nothing else changes with it',
      async (side) => {
        const { secret, ...before } = await registered(side);
        await side.pass(5000);
        const after = await patched(side, before.id, { url: 'https://other.example/hook' });
        hold(after.updated_at > before.updated_at, () => 'updated_at did not move');
        const wanted = { ...before, url: 'https://other.example/hook', updated_at: after.updated_at };
        hold(
          JSON.stringify(sorted(after)) === JSON.stringify(sorted(wanted)),
          () => `it became ${JSON.stringify(after)}`,
        );
        hold(secret.length > 0, () => 'no secret');
      },
    ),
    row('patch-events', 'the events of an endpoint can be changed, and count from then on', async (side) => {
      const { id } = await registered(side, { ...DEAD, events: ['payment.succeeded'] });
      await requested(side);
      await noDeliveryTo(side, id);
      await patched(side, id, { events: ['terminal_payment.requested'] });
      await requested(side);
      await onlyDeliveryTo(side, id);
    }),
    row(
      'patch-status',
      'a disabled endpoint gets no new deliveries, until it is enabled again',
      async (side) => {
        const { id } = await registered(side, DEAD);
        hold(
          (await patched(side, id, { status: 'disabled' })).status === 'disabled',
          () => 'it is not disabled',
        );
        await requested(side);
        await noDeliveryTo(side, id);
        await patched(side, id, { status: 'enabled' });
        await requested(side);
        await onlyDeliveryTo(side, id);
      },
    ),
    ...badPatches().map(([id, body, param]) =>
      row(
        `patch-refuses-${id}`,
        `a change with ${id.replaceAll('-', ' ')} is 400, and changes nothing`,
        async (side) => {
          const { secret, ...before } = await registered(side);
          const code = ['validation_error', 'missing_required_field'];
          await ask(
            side,
            { method: 'PATCH', path: `${ENDPOINTS}/${before.id}`, body },
            { status: 400, error: { type: 'invalid_request_error', code, param } },
          );
          const { data } = shapeOf(
            'the endpoint',
            dataOf(Endpoint),
            (await ask(side, { path: `${ENDPOINTS}/${before.id}` }, { status: 200 })).json,
          );
          hold(
            JSON.stringify(sorted(data)) === JSON.stringify(sorted(before)),
            () => `it became ${JSON.stringify(data)} ${secret.length}`,
          );
        },
      ),
    ),
    row(
      'delete',
      'a deleted endpoint says so, is gone, and what was still to be delivered to it has failed',
      async (side) => {
        const { id } = await registered(side, DEAD);
        await requested(side);
        await onlyDeliveryTo(side, id);
        const answer = await ask(
          side,
          { method: 'DELETE', path: `${ENDPOINTS}/${id}` },
          { status: 200, body: dataOf(DeletedEndpoint) },
        );
        hold(answer.text.includes(id), () => 'it names another endpoint');
        for (const method of ['GET', 'DELETE'] as const)
          await ask(side, { method, path: `${ENDPOINTS}/${id}` }, { status: 404 });
        const delivery = await onlyDeliveryTo(side, id);
        hold(
          delivery.status === 'failed' && delivery.next_attempt_at === null,
          () => `its delivery is ${delivery.status}`,
        );
      },
    ),
    row('roll-secret', 'a rolled secret is a new one, shown in that answer only', async (side) => {
      const before = await registered(side);
      const answer = await ask(
        side,
        { method: 'POST', path: `${ENDPOINTS}/${before.id}/roll-secret` },
        { status: 200, body: dataOf(EndpointWithSecret) },
      );
      const { data } = shapeOf('the endpoint', dataOf(EndpointWithSecret), answer.json);
      hold(data.secret !== before.secret && data.id === before.id, () => 'the secret is the old one');
    }),
  ].map(tidied),
};

function row(
  id: string,
  what: string,
  run: Row['run'],
  section = SECTION,
  covers: readonly string[] = ['body:url', 'body:events'],
): Row {
  return { id: `webhook/${id}`, section, what, covers, run };
}

function create(body: unknown): Ask {
  return { method: 'POST', path: ENDPOINTS, body };
}

async function patched(side: Side, id: string, body: unknown): Promise<z.output<typeof Endpoint>> {
  const answer = await ask(side, { method: 'PATCH', path: `${ENDPOINTS}/${id}`, body }, { status: 200 });
  return shapeOf('the endpoint', dataOf(Endpoint), answer.json).data;
}

function sorted(value: Readonly<Record<string, unknown>>) {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}

function secretOnceRow(): Row {
  return row('secret-once', 'after its creation no answer shows the secret again', async (side) => {
    const { id, secret } = await registered(side);
    const answers = [
      await ask(side, { path: `${ENDPOINTS}/${id}` }, { status: 200, body: dataOf(Endpoint) }),
      await ask(side, { path: `${ENDPOINTS}?limit=100` }, { status: 200 }),
      await ask(
        side,
        { method: 'PATCH', path: `${ENDPOINTS}/${id}`, body: { status: 'disabled' } },
        { status: 200, body: dataOf(Endpoint) },
      ),
      await ask(side, { path: '/v2/webhook-deliveries?limit=100' }, { status: 200 }),
      await ask(side, { method: 'DELETE', path: `${ENDPOINTS}/${id}` }, { status: 200 }),
    ];
    for (const { text, asked } of answers)
      hold(
        !text.includes(secret) && !text.includes('"secret"'),
        () => `${asked.method ?? 'GET'} ${asked.path} shows a secret`,
      );
  });
}

function typesRow(types: readonly string[]): Row {
  const covers = types.map((type) => `event:${type}`);
  return row(
    `types-${types[0]}`,
    `an endpoint may want ${types.join(', ')}`,
    async (side) => {
      for (const type of types) {
        const { events: kept } = await registered(side, { events: [type] });
        hold(kept.join() === type, () => `for ${type} it keeps ${kept.join()}`);
      }
    },
    TYPES,
    covers,
  );
}

function goodUrlRow(address: string, index: number): Row {
  return row(
    `url-${index + 1}`,
    `${address} may be registered`,
    async (side) => {
      const { url: kept } = await registered(side, { url: address });
      hold(kept === address, () => `it keeps ${kept}`);
    },
    REGISTRATION,
  );
}

function badPatches(): readonly (readonly [id: string, body: unknown, param: string | null])[] {
  return [
    ['nothing', {}, null],
    ['a-foreign-status', { status: 'paused' }, 'status'],
    ['a-forbidden-url', { url: 'http://shop.example/hook' }, 'url'],
    ['an-unknown-event-type', { events: ['payment.imagined'] }, 'events.0'],
    ['a-secret', { secret: 'whsec_mine' }, 'secret'],
    ['an-id', { id: '0198c5a0-0000-7000-8000-0000000000aa' }, 'id'],
  ];
}
