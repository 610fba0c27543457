import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually } from '../support/daemon.ts';
import { Description } from '../support/described.ts';
import { type Reply, Till } from '../support/till.ts';

const NOBODY = '0198c5a0-cccc-7000-8000-000000000009';
const AT_DEVICE = `/terminal-devices/${DEVICE_ID}`;

it('a daemon answers through a whole day as its own OpenAPI document says', async () => {
  const daemon = await Daemon.start(await aWorld());
  const till = await Till.at(daemon);
  const description = new Description((await till.ask('GET', '/openapi.json')).body);
  const statuses = new Set<number>();
  const ask = async (method: string, path: string, body?: unknown, headers = {}): Promise<Reply> => {
    const reply = await till.ask(method, path, body, headers);
    const answer = {
      status: reply.status,
      headers: Object.fromEntries(reply.headers),
      text: JSON.stringify(reply.body),
    };
    expect(description.faultsOf(method, `/v2${path}`, answer), `${method} ${path} ${answer.text}`).toEqual(
      [],
    );
    statuses.add(reply.status);
    return reply;
  };
  // Ten times a second, and not faster: that is what a key may ask.
  const until = (path: string, isEnough: (resource: { status: string }) => boolean) =>
    eventually(async () => {
      await setTimeout(100);
      const { data } = (await ask('GET', path)).body;
      return isEnough(data) && data;
    });
  const final = (id: string) =>
    until(`/terminal-payments/${id}`, ({ status }) => ['succeeded', 'declined'].includes(status));
  const sale = { device_id: DEVICE_ID, amount_minor: 1234, currency: 'EUR', reference: 'order 1' };
  const keyed = { 'idempotency-key': 'order 1' };

  await ask('GET', '/terminal-devices?limit=1');
  await ask('GET', AT_DEVICE);
  const { body } = await ask('POST', '/terminal-payments', sale, keyed);
  expect(await final(body.data.id)).toMatchObject({ charged: 'yes' });
  await ask('POST', '/terminal-payments', sale, keyed);
  await ask('POST', '/terminal-payments', { ...sale, amount_minor: 1 }, keyed);
  await ask('POST', '/terminal-payments', { ...sale, colour: 'red' });
  await ask('POST', '/terminal-payments', { ...sale, device_id: NOBODY });
  await ask('POST', `/terminal-payments/${body.data.id}/cancel`);
  const refund = await ask('POST', `/terminal-payments/${body.data.id}/refund`, { amount_minor: 34 });
  await final(refund.body.data.id);
  await ask('GET', `/terminal-payments/${body.data.id}/explain`);
  await ask('GET', '/terminal-payments?limit=2');
  await ask('POST', `${AT_DEVICE}/reconcile`);
  await ask('POST', `${AT_DEVICE}/reprint`);
  const day = await ask('POST', `${AT_DEVICE}/end-of-day`);
  await until(`/terminal-settlements/${day.body.data.id}`, ({ status }) => status === 'succeeded');
  await ask('GET', `${AT_DEVICE}/settlements`);
  await ask('GET', '/terminal-tasks');
  await ask('GET', '/events?limit=100');
  await ask('GET', '/events?starting_after=evt_nothing');
  expect([...statuses].sort()).toEqual([200, 201, 202, 400, 404, 409, 422]);
}, 60_000);
