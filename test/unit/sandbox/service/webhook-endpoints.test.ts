import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../support/virtual-clock.ts';
import { aReceiver, deliveriesTo, register, until } from './receiver.ts';
import { OUR_ID, textMemory, withSandbox } from './sandbox-at-work.ts';

const LIST = '/v2/webhook-endpoints';
const HOOK = { url: 'https://till.example/hook', events: ['invoice.paid'] };

describe('a webhook endpoint', () => {
  it('is changed field by field, and says when', async () => {
    await withSandbox(async ({ ask, clock }) => {
      const { secret, ...made } = (await ask('POST', LIST, { body: HOOK })).body.data;
      expect(made).toEqual({
        ...HOOK,
        id: expect.any(String),
        object: 'webhook_endpoint',
        status: 'enabled',
        created_at: '2026-01-05T09:00:00.000Z',
        updated_at: '2026-01-05T09:00:00.000Z',
      });
      await clock.advance(60_000);
      const path = `${LIST}/${made.id}`;
      const steps = [
        { url: 'https://other.example/hook' },
        { events: ['invoice.paid', 'order.paid', 'invoice.paid'] },
        { status: 'disabled' },
      ];
      for (const body of steps) {
        const reply = await ask('PATCH', path, { body });
        expect(reply.status).toBe(200);
        expect(reply.body.data).toMatchObject({ updated_at: '2026-01-05T09:01:00.000Z' });
        expect(JSON.stringify(reply.body)).not.toContain(secret);
      }
      expect((await ask('GET', path)).body.data).toMatchObject({
        url: 'https://other.example/hook',
        events: ['invoice.paid', 'order.paid'],
        status: 'disabled',
        created_at: made.created_at,
      });
    });
  });

  it.each([
    [{}, undefined],
    [{ url: 'http://till.example/' }, 'url'],
    [{ url: null }, 'url'],
    [{ events: [] }, 'events'],
    [{ events: ['invoice.eaten'] }, 'events.0'],
    [{ status: 'asleep' }, 'status'],
    [{ secret: 'whsec_mine' }, 'secret'],
    [[], undefined],
  ])('is not changed by %j: 400', async (body, param) => {
    await withSandbox(async ({ ask }) => {
      const { id } = (await ask('POST', LIST, { body: HOOK })).body.data;
      const reply = await ask('PATCH', `${LIST}/${id}`, { body });
      expect([reply.status, reply.body.error.code, reply.body.error.param]).toEqual([
        400,
        'validation_error',
        param,
      ]);
      expect((await ask('GET', `${LIST}/${id}`)).body.data).toMatchObject({ ...HOOK, status: 'enabled' });
    });
  });

  it.each([
    ['PATCH', LIST, { status: 'disabled' }],
    ['PATCH', `${LIST}/${OUR_ID}`, { status: 'disabled' }],
    ['POST', `${LIST}/${OUR_ID}/roll-secret`, undefined],
  ])('%s %s: 404', async (method, path, body) => {
    await withSandbox(async ({ ask }) => expect((await ask(method, path, { body })).status).toBe(404));
  });

  it('rolls its secret: the new one is shown once and signs from the next attempt on, retries included', async () => {
    await withSandbox(async (at) => {
      let status = 500;
      const { url, received } = await aReceiver((response) => void response.writeHead(status).end());
      const { id, secret } = await register(at, url);
      await at.create();
      await until(at, id, ({ attempts }) => attempts === 1);
      const rolled = await at.ask('POST', `${LIST}/${id}/roll-secret`);
      expect(rolled.status).toBe(200);
      expect(rolled.body.data.secret).toMatch(/^whsec_/);
      expect(rolled.body.data.secret).not.toBe(secret);
      expect('secret' in (await at.ask('GET', `${LIST}/${id}`)).body.data).toBe(false);
      status = 200;
      await at.clock.advance(5 * 60_000);
      await until(at, id, ({ attempts }) => attempts === 2);
      for (const [index, signedBy] of [secret, rolled.body.data.secret].entries()) {
        const call = received[index];
        const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(
          String(call?.headers['x-service-signature']),
        ) ?? ['', '', ''];
        const expected = createHmac('sha256', signedBy).update(`${seconds}.${call?.body}`).digest('hex');
        expect(signature).toBe(expected);
      }
    });
  });

  it('that is disabled gets no new events, and what was pending fails when it falls due', async () => {
    await withSandbox(async (at) => {
      const { url, received } = await aReceiver((response) => void response.writeHead(500).end());
      const { id } = await register(at, url);
      await at.create();
      await until(at, id, ({ attempts }) => attempts === 1);
      await at.ask('PATCH', `${LIST}/${id}`, { body: { status: 'disabled' } });
      await at.create();
      expect(await deliveriesTo(at, id)).toHaveLength(1);
      await at.clock.advance(5 * 60_000);
      expect((await deliveriesTo(at, id))[0]).toMatchObject({
        status: 'failed',
        attempts: 1,
        last_error: 'the endpoint is disabled',
        next_attempt_at: null,
      });
      expect(received).toHaveLength(1);
    });
  });

  it('that was disabled for a while only keeps its schedule', async () => {
    await withSandbox(async (at) => {
      let status = 500;
      const { url } = await aReceiver((response) => void response.writeHead(status).end());
      const { id } = await register(at, url);
      await at.create();
      await until(at, id, ({ attempts }) => attempts === 1);
      for (const next of ['disabled', 'enabled'])
        await at.ask('PATCH', `${LIST}/${id}`, { body: { status: next } });
      status = 204;
      await at.clock.advance(5 * 60_000);
      await until(at, id, (delivery) => delivery.status === 'delivered');
    });
  });

  it('is as it was after a restart: status, time of the change, and the rolled secret', async () => {
    const world = { memory: textMemory(), clock: new VirtualClock() };
    const { url, received } = await aReceiver();
    let secret = '';
    let shown: unknown;
    await withSandbox(
      async (at) => {
        const { id } = await register(at, url);
        await at.clock.advance(1000);
        secret = (await at.ask('POST', `${LIST}/${id}/roll-secret`)).body.data.secret;
        await at.ask('POST', LIST, { body: HOOK });
        await at.ask('PATCH', `${LIST}/${id}`, { body: { status: 'enabled' } });
        shown = (await at.ask('GET', LIST)).body;
      },
      {},
      world,
    );
    await withSandbox(
      async (at) => {
        const list = (await at.ask('GET', LIST)).body;
        expect(list).toEqual(shown);
        await at.create();
        await until(at, list.data[0].id, ({ status }) => status === 'delivered');
        const seconds = at.clock.now() / 1000;
        const v1 = createHmac('sha256', secret).update(`${seconds}.${received[0]?.body}`).digest('hex');
        expect(received[0]?.headers['x-service-signature']).toBe(`t=${seconds},v1=${v1}`);
      },
      {},
      world,
    );
  });
});

describe('Idempotency-Key', () => {
  it('is honoured on PATCH, DELETE and roll-secret: done once, the first answer again', async () => {
    await withSandbox(async ({ ask }) => {
      const create = () => ask('POST', LIST, { body: HOOK, idempotencyKey: 'create' });
      const { id, secret } = (await create()).body.data;
      expect((await create()).body.data.secret).toBe(secret);
      const path = `${LIST}/${id}`;
      const roll = () => ask('POST', `${path}/roll-secret`, { idempotencyKey: 'roll' });
      expect((await roll()).body).toEqual((await roll()).body);
      const disable = () => ask('PATCH', path, { body: { status: 'disabled' }, idempotencyKey: 'disable' });
      const first = await disable();
      await ask('PATCH', path, { body: { status: 'enabled' } });
      expect((await disable()).body).toEqual(first.body);
      expect((await ask('GET', path)).body.data.status).toBe('enabled');
      const remove = () => ask('DELETE', path, { idempotencyKey: 'remove' });
      const removed = await remove();
      expect([removed.status, removed.body]).toEqual([
        200,
        { data: { id, object: 'webhook_endpoint', deleted: true } },
      ]);
      expect((await remove()).body).toEqual(removed.body);
      expect((await ask('DELETE', path)).status).toBe(404);
      expect((await ask('DELETE', path, { idempotencyKey: 'create' })).body.code).toBe(
        'IDEMPOTENCY_KEY_MISMATCH',
      );
    });
  });
});

it.each(['DELETE', 'roll-secret'])('%s takes no body', async (name) => {
  await withSandbox(async ({ ask }) => {
    const { id } = (await ask('POST', LIST, { body: HOOK })).body.data;
    const [method, path] = name === 'DELETE' ? ['DELETE', ''] : ['POST', `/${name}`];
    const reply = await ask(method, `${LIST}/${id}${path}`, { body: { force: true } });
    expect([reply.status, reply.body.error.param]).toEqual([400, 'force']);
    expect((await ask(method, `${LIST}/${id}${path}`, { body: {} })).status).toBe(200);
  });
});
