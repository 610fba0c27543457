import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { DEVICE, KEY, OUR_ID, withSandbox } from './sandbox-at-work.ts';

const GOOD = { device_id: DEVICE, amount_minor: 1234, currency: 'EUR' };

describe('a body that cannot be used', () => {
  const bodies: readonly [string, unknown, string, string | undefined][] = [
    ['broken JSON', '{"device_id":', 'invalid_request_error', undefined],
    ['an array', [GOOD], 'validation_error', undefined],
    ['null', 'null', 'validation_error', undefined],
    ['no device', { amount_minor: 1, currency: 'EUR' }, 'missing_required_field', 'device_id'],
    ['a device that is no UUID', { ...GOOD, device_id: 'counter' }, 'validation_error', 'device_id'],
    ['amount 0', { ...GOOD, amount_minor: 0 }, 'validation_error', 'amount_minor'],
    ['a negative amount', { ...GOOD, amount_minor: -1 }, 'validation_error', 'amount_minor'],
    ['a fraction', { ...GOOD, amount_minor: 1.5 }, 'validation_error', 'amount_minor'],
    ['an amount as text', { ...GOOD, amount_minor: '1234' }, 'validation_error', 'amount_minor'],
    ['an unsafe integer', { ...GOOD, amount_minor: 2 ** 53 }, 'validation_error', 'amount_minor'],
    ['an unknown currency', { ...GOOD, currency: 'EUX' }, 'validation_error', 'currency'],
    ['a small currency', { ...GOOD, currency: 'eur' }, 'validation_error', 'currency'],
    ['an unknown field', { ...GOOD, amount: 12 }, 'validation_error', 'amount'],
    ['a reference with a control character', { ...GOOD, reference: 'a\nb' }, 'validation_error', 'reference'],
    ['a long reference', { ...GOOD, reference: 'r'.repeat(65) }, 'validation_error', 'reference'],
    ['metadata as a list', { ...GOOD, metadata: [] }, 'validation_error', 'metadata'],
    ['large metadata', { ...GOOD, metadata: { a: 'x'.repeat(9000) } }, 'validation_error', 'metadata'],
    [
      'deep metadata',
      `{"device_id":"${DEVICE}","amount_minor":1,"currency":"EUR","metadata":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`,
      'validation_error',
      'metadata',
    ],
    ['an id that is no UUID', { ...GOOD, id: '1' }, 'validation_error', 'id'],
  ];
  it.each(bodies)('%s: 400 in the envelope, and nothing is created', async (_name, body, code, param) => {
    await withSandbox(async ({ ask, service }) => {
      const reply = await ask('POST', '/v2/terminal-payments', { body });
      expect(reply.status).toBe(400);
      expect(reply.body.error).toMatchObject({ type: 'invalid_request_error', code });
      expect(reply.body.error.param).toBe(param);
      expect(reply.body.error.request_id).toMatch(/^req_/);
      expect(reply.body.error.message).not.toBe('');
      expect(service.control.ledger()).toEqual([]);
    });
  });

  it('is refused with 413 when it is too large', async () => {
    await withSandbox(async ({ ask }) => {
      const reply = await ask('POST', '/v2/terminal-payments', {
        body: { ...GOOD, reference: 'x'.repeat(1_000_000) },
      });
      expect(reply.status).toBe(413);
      expect(reply.body.error.type).toBe('invalid_request_error');
    });
  });

  it.each([
    ['text/plain', 400],
    ['application/jsonp', 400],
    ['application/x-www-form-urlencoded', 400],
    ['application/json; charset=iso-8859-1', 400],
    ['application/json; charset=utf-8', 201],
    ['Application/JSON;charset="UTF-8"', 201],
  ])('that says it is %s: %i', async (type, status) => {
    await withSandbox(async ({ ask }) => {
      const headers = { 'content-type': type };
      const reply = await ask('POST', '/v2/terminal-payments', { body: JSON.stringify(GOOD), headers });
      expect(reply.status).toBe(status);
      if (status === 400) expect(reply.body.error.code).toBe('invalid_request_error');
    });
  });

  it('is refused with 400 when its bytes are no UTF-8, and when there are none', async () => {
    await withSandbox(async ({ service, ask }) => {
      const bytes = Buffer.from(JSON.stringify({ ...GOOD, reference: 'caf\u00e9' }), 'latin1');
      const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
      const url = `${service.url}/v2/terminal-payments`;
      const response = await fetch(url, { method: 'POST', headers, body: bytes });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: 'invalid_request_error' } });
      expect((await ask('POST', '/v2/terminal-payments')).status).toBe(400);
      expect(service.control.ledger()).toEqual([]);
    });
  });
});

describe('what is not there', () => {
  it('an unknown route, a wrong method and HEAD are 404 with a flat error, without asking for a key', async () => {
    await withSandbox(async ({ ask, service }) => {
      for (const [method, path] of [
        ['GET', '/v2/unicorns'],
        ['PUT', '/v2/terminal-payments'],
        ['GET', '/'],
        ['GET', '/v2/terminal-payments/'],
        ['DELETE', '/v2/terminal-payments'],
        ['PATCH', '/v2/events'],
        ['OPTIONS', '/v2/terminal-payments'],
        ['PROPFIND', '/v2/terminal-payments'],
        ['GET', '/v1/webhooks'],
        ['POST', '/v1/terminal-payments'],
        ['POST', '/v2/orders'],
      ] as const) {
        const reply = await ask(method, path, { key: null });
        expect(reply.status, path).toBe(404);
        expect(typeof reply.body.error, path).toBe('string');
      }
      expect((await fetch(`${service.url}/v2/terminal-payments`, { method: 'HEAD' })).status).toBe(404);
    });
  });

  it.each([
    ['GET', `/v2/terminal-payments/${OUR_ID}`],
    ['POST', `/v2/terminal-payments/${OUR_ID}/cancel`],
    ['GET', `/v2/terminal-devices/${OUR_ID}`],
    ['GET', `/v2/webhook-endpoints/${OUR_ID}`],
    ['DELETE', `/v2/webhook-endpoints/${OUR_ID}`],
  ])('%s %s: 404 in the envelope', async (method, path) => {
    await withSandbox(async ({ ask }) => {
      const reply = await ask(method, path);
      expect(reply.status).toBe(404);
      expect(reply.body.error).toMatchObject({ type: 'invalid_request_error', code: 'resource_not_found' });
    });
  });

  it('an unknown device is 404 naming device_id', async () => {
    await withSandbox(async ({ create }) => {
      const reply = await create({ device_id: OUR_ID });
      expect([reply.status, reply.body.error.param]).toEqual([404, 'device_id']);
    });
  });

  it('a path id that is no UUID is 400 naming id', async () => {
    await withSandbox(async ({ ask }) => {
      const reply = await ask('GET', '/v2/terminal-payments/1');
      expect([reply.status, reply.body.error.param]).toEqual([400, 'id']);
    });
  });

  it.each(['refund', 'void'])('a %s of an unknown payment is 404', async (name) => {
    await withSandbox(async ({ ask }) => {
      const reply = await ask('POST', `/v2/terminal-payments/${OUR_ID}/${name}`);
      expect([reply.status, reply.body.error.code]).toEqual([404, 'resource_not_found']);
    });
  });
});

/** Sends a line that `fetch` would not. */
async function send(url: string, target: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(`GET ${target} HTTP/1.1\r\nHost: till\r\nx-api-key: ${KEY}\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

it.each(['/v2/terminal-payments/%zz', `/v2/terminal-payments/${'a'.repeat(300)}`])(
  'a path that cannot be read gets a 400 with version and date as every answer: %s',
  async (target) => {
    await withSandbox(async ({ service }) => {
      const answer = await send(service.url, target);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('service-version: 2026-05-01');
      expect(answer).toContain('date: Mon, 05 Jan 2026 09:00:00 GMT');
      service.control.behave({ offline: true });
      expect(await send(service.url, target)).toBe('');
    });
  },
);

it('a target in absolute form is taken for its path', async () => {
  await withSandbox(async ({ service }) => {
    const answer = await send(service.url, 'http://proxied.example/v2/events?limit=1');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('"url":"/v2/events"');
  });
});

it('headers that are too large get a 431 in the envelope', async () => {
  await withSandbox(async ({ service }) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`GET /v2/events HTTP/1.1\r\nHost: x\r\nx-a: ${'a'.repeat(20_000)}\r\n\r\n`);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('"invalid_request_error"');
  });
});

it('bytes that are not HTTP get a 400 in the envelope with a Date', async () => {
  await withSandbox(async ({ service }) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write('HELLO\r\n\r\n');
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('Date: Mon, 05 Jan 2026 09:00:00 GMT');
    expect(answer).toContain('"invalid_request_error"');
  });
});

it('every answer carries the Date of the service, skew included', async () => {
  await withSandbox(async ({ ask, service }) => {
    expect((await ask('GET', '/v2/terminal-payments')).headers.get('date')).toBe(
      'Mon, 05 Jan 2026 09:00:00 GMT',
    );
    service.control.behave({ clock_skew_ms: 60_000 });
    for (const path of ['/v2/terminal-payments', '/nowhere', '/sandbox']) {
      expect((await ask('GET', path, { key: null })).headers.get('date')).toBe(
        'Mon, 05 Jan 2026 09:01:00 GMT',
      );
    }
  });
});
