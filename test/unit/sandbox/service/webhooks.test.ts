import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../support/virtual-clock.ts';
import { type AtWork, textMemory, withSandbox } from './sandbox-at-work.ts';

const MINUTE = 60_000;

/** A receiver that answers `status` to everything and remembers what came. */
let received: { headers: IncomingHttpHeaders; body: string }[] = [];
let status = 200;
let server: Server;
let url: string;

beforeEach(async () => {
  received = [];
  status = 200;
  server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      response.writeHead(status, { location: '/elsewhere' }).end('ignored');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/hook`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function register({ ask }: AtWork, events = ['terminal_payment.requested']) {
  return (await ask('POST', '/v2/webhook-endpoints', { body: { url, events } })).body.data;
}

/** Lets the timers that are due fire, then waits until the newest delivery shows `attempts`. */
async function attempted({ ask, clock }: AtWork, attempts: number) {
  await clock.advance(0);
  for (;;) {
    await clock.settle();
    const [delivery] = (await ask('GET', '/v2/webhook-deliveries')).body.data;
    if (delivery?.attempts === attempts) return delivery;
  }
}

describe('a webhook', () => {
  it('carries the event as the feed has it, signed over time and body', async () => {
    await withSandbox(async (at) => {
      const { secret } = await register(at);
      await at.create();
      expect(await attempted(at, 1)).toMatchObject({ status: 'delivered', response_status: 200 });
      const [call] = received;
      expect(JSON.parse(call?.body ?? '')).toEqual((await at.ask('GET', '/v2/events')).body.data[0]);
      const seconds = at.clock.now() / 1000;
      const expected = createHmac('sha256', secret).update(`${seconds}.${call?.body}`).digest('hex');
      expect(call?.headers['x-service-signature']).toBe(`t=${seconds},v1=${expected}`);
    });
  });

  it('is tried six times, at 0, 5 and 30 minutes, 2, 8 and 24 hours, then has failed', async () => {
    status = 500;
    await withSandbox(async (at) => {
      await register(at);
      await at.create();
      await attempted(at, 1);
      const start = at.clock.now();
      for (const [index, minutes] of [5, 30, 120, 480, 1440].entries()) {
        await at.clock.advance(start + minutes * MINUTE - 1 - at.clock.now());
        await at.clock.settle();
        expect(received).toHaveLength(index + 1);
        await at.clock.advance(1);
        await attempted(at, index + 2);
      }
      const [delivery] = (await at.ask('GET', '/v2/webhook-deliveries')).body.data;
      expect(delivery).toMatchObject({ status: 'failed', attempts: 6, last_error: 'status 500' });
      await at.clock.advance(48 * 60 * MINUTE);
      expect(received).toHaveLength(6);
    });
  });

  it('goes on with its schedule after a restart', async () => {
    const world = { memory: textMemory(), clock: new VirtualClock() };
    status = 503;
    await withSandbox(
      async (at) => {
        await register(at);
        await at.create();
        await attempted(at, 1);
      },
      {},
      world,
    );
    await world.clock.advance(7 * MINUTE);
    expect(received).toHaveLength(1);
    status = 204;
    await withSandbox(
      async (at) => expect(await attempted(at, 2)).toMatchObject({ status: 'delivered' }),
      {},
      world,
    );
    expect(received).toHaveLength(2);
  });

  it('takes a redirect for a no', async () => {
    status = 302;
    await withSandbox(async (at) => {
      await register(at);
      await at.create();
      expect(await attempted(at, 1)).toMatchObject({ status: 'pending', response_status: 302 });
      expect(received).toHaveLength(1);
    });
  });

  it('goes only to endpoints that asked for its type', async () => {
    await withSandbox(async (at) => {
      await register(at, ['terminal_payment.cancelled']);
      const { id } = (await at.create()).body.data;
      await at.ask('POST', `/v2/terminal-payments/${id}/cancel`);
      await attempted(at, 1);
      expect(received.map(({ body }) => JSON.parse(body).type)).toEqual(['terminal_payment.cancelled']);
    });
  });

  it('comes twice from a service that duplicates, and not at all from one that is offline', async () => {
    await withSandbox(async (at) => {
      await register(at);
      at.service.control.behave({ duplicate: true });
      await at.create();
      await attempted(at, 1);
      expect(received).toHaveLength(2);
      expect(received[0]?.body).toBe(received[1]?.body);
      await at.create();
      at.service.control.behave({ offline: true, duplicate: false });
      const line = () => at.service.control.overview();
      await at.clock.advance(0);
      at.service.control.behave({ offline: false });
      expect(await attempted(at, 1)).toMatchObject({ status: 'pending', last_error: 'offline' });
      expect(received).toHaveLength(2);
      expect(line()['held']).toMatchObject({ webhook_deliveries: 2 });
    });
  });
});

describe('a webhook endpoint', () => {
  it('shows its secret once, is listed, retrieved and deleted', async () => {
    await withSandbox(async (at) => {
      const { secret, ...endpoint } = await register(at);
      expect(secret).toMatch(/^whsec_[0-9a-f]{48}$/);
      expect((await at.ask('GET', '/v2/webhook-endpoints')).body.data).toEqual([endpoint]);
      const path = `/v2/webhook-endpoints/${endpoint.id}`;
      expect((await at.ask('GET', path)).body.data).toEqual(endpoint);
      await at.create();
      expect((await at.ask('DELETE', path)).status).toBe(200);
      expect((await at.ask('GET', path)).status).toBe(404);
      await at.clock.advance(1000);
      const [delivery] = (await at.ask('GET', '/v2/webhook-deliveries')).body.data;
      expect([delivery.status, received]).toEqual(['failed', []]);
    });
  });

  it('may be registered under /v1/webhooks', async () => {
    await withSandbox(async ({ ask }) => {
      const body = { url: 'https://till.example/hook', events: ['invoice.paid', 'subscription.cancelled'] };
      const reply = await ask('POST', '/v1/webhooks', { body });
      expect([reply.status, reply.body.data.url]).toEqual([201, body.url]);
    });
  });

  it.each([
    [{ url: 'http://till.example/hook', events: ['invoice.paid'] }, 'url'],
    [{ url: 'ftp://till.example/hook', events: ['invoice.paid'] }, 'url'],
    [{ url: 'https://me:secret@till.example/', events: ['invoice.paid'] }, 'url'],
    [{ url: 'http://127.0.0.1.till.example/', events: ['invoice.paid'] }, 'url'],
    [{ events: ['invoice.paid'] }, 'url'],
    [{ url: 'https://till.example/', events: [] }, 'events'],
    [{ url: 'https://till.example/', events: ['invoice.eaten'] }, 'events.0'],
    [{ url: 'https://till.example/', events: ['invoice.paid'], colour: 'red' }, 'colour'],
  ])('%j is refused naming %s', async (body, param) => {
    await withSandbox(async ({ ask }) => {
      const reply = await ask('POST', '/v2/webhook-endpoints', { body });
      expect([reply.status, reply.body.error.param]).toEqual([400, param]);
    });
  });
});
