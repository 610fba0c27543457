import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../support/virtual-clock.ts';
import { aReceiver, deliveriesTo, register, until } from './receiver.ts';
import { OUR_ID, textMemory, withSandbox } from './sandbox-at-work.ts';

const LIST = '/v2/webhook-deliveries';
const MINUTE = 60_000;

describe('a delivery', () => {
  it('tells its event, its type and when it was taken', async () => {
    await withSandbox(async (at) => {
      const { url } = await aReceiver();
      const { id } = await register(at, url);
      await at.create();
      const [pending] = await deliveriesTo(at, id);
      const [event] = (await at.ask('GET', '/v2/events')).body.data;
      const delivery = await until(at, id, ({ status }) => status !== 'pending');
      expect(delivery).toEqual({
        id: pending.id,
        object: 'webhook_delivery',
        event_id: event.id,
        event_type: 'terminal_payment.requested',
        endpoint_id: id,
        status: 'delivered',
        attempts: 1,
        next_attempt_at: null,
        response_status: 200,
        last_error: null,
        created_at: '2026-01-05T09:00:00.000Z',
        delivered_at: '2026-01-05T09:00:00.000Z',
      });
    });
  });

  it('is found by endpoint, event and status, newest first', async () => {
    await withSandbox(async (at) => {
      const good = await aReceiver();
      const bad = await aReceiver((response) => void response.writeHead(500).end());
      const ids: string[] = [];
      for (const { url } of [good, bad]) ids.push((await register(at, url)).id);
      const [first, second] = ids;
      for (let count = 0; count < 2; count += 1) await at.create();
      for (const id of ids) await until(at, id, ({ attempts }) => attempts === 1);
      const [event] = (await at.ask('GET', '/v2/events')).body.data;
      const found = async (query: string) =>
        (await at.ask('GET', `${LIST}?${query}`)).body.data.map((one: Record<string, string>) => [
          one['endpoint_id'],
          one['event_id'] === event.id,
          one['status'],
        ]);
      expect(await found(`event_id=${event.id}`)).toEqual([
        [second, true, 'pending'],
        [first, true, 'delivered'],
      ]);
      expect(await found('status=delivered')).toEqual([
        [first, false, 'delivered'],
        [first, true, 'delivered'],
      ]);
      expect(await found(`endpoint_id=${second?.toUpperCase()}&status=delivered`)).toEqual([]);
      expect(await found('event_id=evt_none')).toEqual([]);
      const page = (await at.ask('GET', `${LIST}?endpoint_id=${first}&limit=1`)).body;
      expect(page.has_more).toBe(true);
      const rest = await at.ask('GET', `${LIST}?endpoint_id=${first}&starting_after=${page.data[0].id}`);
      expect(rest.body.data).toHaveLength(1);
    });
  });

  it.each([
    ['status=lost', 'validation_error', 'status'],
    ['endpoint_id=1', 'validation_error', 'endpoint_id'],
    ['event_id=a&event_id=b', 'validation_error', 'event_id'],
    [`starting_after=${OUR_ID}`, 'resource_missing', 'starting_after'],
    ['colour=red', 'validation_error', 'colour'],
  ])('is not looked for by ?%s: 400', async (query, code, param) => {
    await withSandbox(async ({ ask }) => {
      const reply = await ask('GET', `${LIST}?${query}`);
      expect([reply.status, reply.body.error.code, reply.body.error.param]).toEqual([400, code, param]);
    });
  });

  it('that was taken or has failed is made again as a new one, with six attempts of its own', async () => {
    await withSandbox(async (at) => {
      const { url, received } = await aReceiver((response) => void response.writeHead(500).end());
      const { id } = await register(at, url);
      await at.create();
      const old = await until(at, id, ({ attempts }) => attempts === 1);
      await at.clock.advance(MINUTE);
      const reply = await at.ask('POST', `${LIST}/${old.id}/redeliver`);
      expect(reply.status).toBe(201);
      expect(reply.body.data).toMatchObject({
        event_id: old.event_id,
        event_type: old.event_type,
        endpoint_id: id,
        status: 'pending',
        attempts: 0,
        created_at: '2026-01-05T09:01:00.000Z',
      });
      expect(reply.body.data.id).not.toBe(old.id);
      const again = await until(at, id, ({ attempts }) => attempts === 1);
      expect(again).toMatchObject({ id: reply.body.data.id, next_attempt_at: '2026-01-05T09:06:00.000Z' });
      expect(received[1]?.body).toBe(received[0]?.body);
      const listed = await deliveriesTo(at, id);
      expect(listed.map((one) => one.attempts)).toEqual([1, 1]);
    });
  });

  it('is made again once for one Idempotency-Key', async () => {
    await withSandbox(async (at) => {
      const { url } = await aReceiver();
      const { id } = await register(at, url);
      await at.create();
      const old = await until(at, id, ({ status }) => status === 'delivered');
      const redeliver = () => at.ask('POST', `${LIST}/${old.id}/redeliver`, { idempotencyKey: 'again' });
      expect((await redeliver()).body).toEqual((await redeliver()).body);
      expect(await deliveriesTo(at, id)).toHaveLength(2);
    });
  });

  it('is not made again when it is unknown (404), or its endpoint is disabled or gone (400)', async () => {
    await withSandbox(async (at) => {
      const { url } = await aReceiver();
      const { id } = await register(at, url);
      await at.create();
      const old = await until(at, id, ({ status }) => status === 'delivered');
      const redeliver = (delivery: string) => at.ask('POST', `${LIST}/${delivery}/redeliver`);
      expect((await redeliver(OUR_ID)).status).toBe(404);
      expect((await redeliver('1')).status).toBe(400);
      const path = `/v2/webhook-endpoints/${id}`;
      await at.ask('PATCH', path, { body: { status: 'disabled' } });
      const disabled = await redeliver(old.id);
      await at.ask('DELETE', path);
      const gone = await redeliver(old.id);
      for (const { status, body } of [disabled, gone])
        expect([status, body.error.code]).toEqual([400, 'invalid_status']);
      expect(await deliveriesTo(at, id)).toHaveLength(1);
    });
  });
});

describe('a receiver', () => {
  it('that never answers holds no other endpoint, and is given up after ten seconds', async () => {
    await withSandbox(async (at) => {
      const dead = await aReceiver(() => undefined);
      const good = await aReceiver();
      const [deadId, goodId] = [(await register(at, dead.url)).id, (await register(at, good.url)).id];
      for (let count = 0; count < 3; count += 1) await at.create();
      await until(at, goodId, ({ status }) => status === 'delivered');
      expect((await deliveriesTo(at, goodId)).map(({ status }) => status)).toEqual([
        'delivered',
        'delivered',
        'delivered',
      ]);
      expect((await deliveriesTo(at, deadId)).map(({ attempts }) => attempts)).toEqual([0, 0, 0]);
      while (dead.received.length === 0) await at.clock.settle();
      await at.clock.advance(10_000);
      const oldest = await (async () => {
        for (;;) {
          await at.clock.settle();
          const one = (await deliveriesTo(at, deadId)).at(-1);
          if (one.attempts === 1) return one;
        }
      })();
      expect(oldest).toMatchObject({
        status: 'pending',
        response_status: null,
        last_error: 'no answer in time',
      });
    });
  });

  it.each([
    ['says 200 and then never ends its body', 200],
    ['says 500 and then never ends its body', 500],
  ])('that %s is judged by its status, and its body is not read', async (_, status) => {
    await withSandbox(async (at) => {
      let closed = false;
      const { url } = await aReceiver((response) => {
        response.on('close', () => {
          closed = true;
        });
        response.writeHead(status);
        const flood = () => {
          while (!closed && response.write('x'.repeat(65_536)));
        };
        response.on('drain', flood);
        flood();
      });
      const { id } = await register(at, url);
      await at.create();
      const delivery = await until(at, id, ({ attempts }) => attempts === 1);
      expect([delivery.status, delivery.response_status]).toEqual([
        status === 200 ? 'delivered' : 'pending',
        status,
      ]);
      while (!closed) await at.clock.settle();
    });
  });

  it('that cuts the connection, or floods its headers, has not taken it', async () => {
    await withSandbox(async (at) => {
      const cuts = await aReceiver((response) => void response.socket?.destroy());
      const floods = await aReceiver((response) => {
        response.socket?.write(`HTTP/1.1 200 OK\r\n${`x-flood: ${'y'.repeat(8000)}\r\n`.repeat(20)}\r\n`);
      });
      for (const { url } of [cuts, floods]) {
        const { id } = await register(at, url);
        await at.create();
        const delivery = await until(at, id, ({ attempts }) => attempts === 1);
        expect(delivery).toMatchObject({ status: 'pending', response_status: null });
        expect(delivery.last_error).not.toBe('');
        await at.ask('DELETE', `/v2/webhook-endpoints/${id}`);
      }
    });
  });
});

it('attempts that a long restart made late come one by one, at least five minutes apart', async () => {
  const world = { memory: textMemory(), clock: new VirtualClock() };
  const { url, received } = await aReceiver((response) => void response.writeHead(503).end());
  let id = '';
  await withSandbox(
    async (at) => {
      id = (await register(at, url)).id;
      await at.create();
      await until(at, id, ({ attempts }) => attempts === 1);
    },
    {},
    world,
  );
  await world.clock.advance(30 * 60 * MINUTE);
  await withSandbox(
    async (at) => {
      for (let attempts = 2; attempts <= 6; attempts += 1) {
        await until(at, id, (delivery) => delivery.attempts === attempts);
        await at.clock.advance(5 * MINUTE - 1);
        await at.clock.settle();
        expect(received).toHaveLength(attempts);
        await at.clock.advance(1);
      }
      expect((await deliveriesTo(at, id))[0]).toMatchObject({ status: 'failed', attempts: 6 });
    },
    {},
    world,
  );
});
