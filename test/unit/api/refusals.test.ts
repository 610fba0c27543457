import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ErrorEnvelope } from '../../../src/api/contract/error.ts';
import { AppError } from '../../../src/base/errors.ts';
import { DEVICE_ID } from './memory-payments.ts';
import { type Ask, ask, sale, startShop } from './shop.ts';

const PAYMENTS = '/v2/terminal-payments';
const NOBODY = '0198c5a0-cccc-7000-8000-000000000009';

let started: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  started = await startShop({ rateLimit: { perMinute: 60_000, burst: 5_000 } });
});
afterAll(() => started.api.stop());
afterEach(() => {
  expect(started.shop.payments.attempts).toEqual([]);
});

const post = (body: string | Buffer, headers = {}): Ask => ({
  method: 'POST',
  path: PAYMENTS,
  body,
  headers,
});
const raw = (fields: string) => post(`{"device_id":"${DEVICE_ID}","currency":"EUR",${fields}}`);

describe('bad input gets the envelope with its parameter, and nothing is written', () => {
  const cases: readonly (readonly [string, Ask, number, string, string | undefined])[] = [
    ['amount 0', post(sale({ amount_minor: 0 })), 400, 'validation_error', 'amount_minor'],
    ['a negative amount', post(sale({ amount_minor: -5 })), 400, 'validation_error', 'amount_minor'],
    ['amount 1.5', post(sale({ amount_minor: 1.5 })), 400, 'validation_error', 'amount_minor'],
    ['amount "1e3" as text', post(sale({ amount_minor: '1e3' })), 400, 'validation_error', 'amount_minor'],
    ['amount null', post(sale({ amount_minor: null })), 400, 'validation_error', 'amount_minor'],
    [
      'amount beyond a safe integer',
      raw('"amount_minor":9007199254740993'),
      400,
      'validation_error',
      'amount_minor',
    ],
    ['amount 1e999', raw('"amount_minor":1e999'), 400, 'validation_error', 'amount_minor'],
    ['no amount', raw('"reference":"x"'), 400, 'missing_required_field', 'amount_minor'],
    ['an unknown currency', post(sale({ currency: 'XYZ' })), 400, 'validation_error', 'currency'],
    [
      'a currency that is an object method',
      post(sale({ currency: 'toString' })),
      400,
      'validation_error',
      'currency',
    ],
    [
      'another currency than the device has',
      post(sale({ currency: 'USD' })),
      422,
      'currency_not_accepted',
      'currency',
    ],
    [
      'a device that is no UUID',
      post(sale({ device_id: 'counter-1' })),
      400,
      'validation_error',
      'device_id',
    ],
    ['an unknown device', post(sale({ device_id: NOBODY })), 404, 'resource_not_found', 'device_id'],
    ['an unknown field', post(sale({ amout: 5 })), 400, 'validation_error', 'amout'],
    [
      'a reference with a control character',
      post(sale({ reference: 'a\u0007b' })),
      400,
      'validation_error',
      'reference',
    ],
    [
      'a reference of 65 characters',
      post(sale({ reference: 'x'.repeat(65) })),
      400,
      'validation_error',
      'reference',
    ],
    ['metadata that is a list', post(sale({ metadata: [] })), 400, 'validation_error', 'metadata'],
    [
      'metadata over 8 KiB',
      post(sale({ metadata: { a: 'x'.repeat(9_000) } })),
      400,
      'validation_error',
      'metadata',
    ],
    ['a list as the body', post('[]'), 400, 'validation_error', ''],
    ['no body at all', { method: 'POST', path: PAYMENTS }, 400, 'missing_required_field', 'device_id'],
    ['no body with a JSON content type', post(''), 400, 'missing_required_field', 'device_id'],
    ['broken JSON', post('{"device_id":'), 400, 'invalid_request_error', undefined],
    [
      'a body that is not UTF-8',
      post(Buffer.from([0x22, 0xff, 0x22])),
      400,
      'invalid_request_error',
      undefined,
    ],
    ['nesting without end', post('['.repeat(60_000)), 400, 'invalid_request_error', undefined],
    [
      'closed deep nesting',
      post(`${'['.repeat(9_000)}${']'.repeat(9_000)}`),
      400,
      'invalid_request_error',
      undefined,
    ],
    [
      'a __proto__ field',
      raw('"amount_minor":1,"metadata":{"__proto__":{"a":1}}'),
      400,
      'invalid_request_error',
      undefined,
    ],
    ['a body of 64 KiB and one byte', post(' '.repeat(65_537)), 413, 'payload_too_large', undefined],
    ['a body of 1 MB', post(sale({ reference: 'x'.repeat(1_000_000) })), 413, 'payload_too_large', undefined],
    [
      'a form',
      post('device_id=1', { 'content-type': 'application/x-www-form-urlencoded' }),
      415,
      'invalid_request_error',
      undefined,
    ],
    [
      'text that looks like JSON',
      post(sale(), { 'content-type': 'text/plain' }),
      415,
      'invalid_request_error',
      undefined,
    ],
    [
      'a content type that is none',
      post(sale(), { 'content-type': '???' }),
      415,
      'invalid_request_error',
      undefined,
    ],
    [
      'a compressed body',
      post(sale(), { 'content-encoding': 'gzip' }),
      415,
      'invalid_request_error',
      undefined,
    ],
    ['a payment id that is no UUID', { path: `${PAYMENTS}/1` }, 400, 'validation_error', 'id'],
    [
      'a payment id of 10,000 characters',
      { path: `${PAYMENTS}/${'a'.repeat(10_000)}` },
      400,
      'validation_error',
      'id',
    ],
    ['an unknown payment', { path: `${PAYMENTS}/${NOBODY}` }, 404, 'resource_not_found', 'id'],
    [
      'the timeline of an unknown payment',
      { path: `${PAYMENTS}/${NOBODY}/explain` },
      404,
      'resource_not_found',
      'id',
    ],
    ['an unknown device id', { path: `/v2/terminal-devices/${NOBODY}` }, 404, 'resource_not_found', 'id'],
    ['limit 0', { path: `${PAYMENTS}?limit=0` }, 400, 'validation_error', 'limit'],
    ['limit 101', { path: '/v2/events?limit=101' }, 400, 'validation_error', 'limit'],
    ['limit twice', { path: `${PAYMENTS}?limit=1&limit=2` }, 400, 'validation_error', 'limit'],
    ['a negative offset', { path: '/v2/terminal-devices?offset=-1' }, 400, 'validation_error', 'offset'],
    ['an unknown query parameter', { path: `${PAYMENTS}?colour=red` }, 400, 'validation_error', 'colour'],
    [
      'a __proto__ query parameter',
      { path: `${PAYMENTS}?__proto__=red` },
      400,
      'validation_error',
      '__proto__',
    ],
    ['an unknown status', { path: `${PAYMENTS}?status=paid` }, 400, 'validation_error', 'status'],
    [
      'a cursor that names no payment',
      { path: `${PAYMENTS}?starting_after=${NOBODY}` },
      400,
      'resource_missing',
      'starting_after',
    ],
    [
      'a cursor that is no id of a payment at all',
      { path: `${PAYMENTS}?starting_after=evt_0` },
      400,
      'resource_missing',
      'starting_after',
    ],
    [
      'a cursor that names no event',
      { path: '/v2/events?starting_after=evt_0' },
      400,
      'resource_missing',
      'starting_after',
    ],
    [
      'an older cursor that names no event',
      { path: '/v2/events?ending_before=evt_0' },
      400,
      'resource_missing',
      'ending_before',
    ],
    [
      'both cursors',
      { path: '/v2/events?starting_after=a&ending_before=b' },
      400,
      'parameter_invalid',
      'ending_before',
    ],
    [
      'a stream from an unknown event',
      { path: '/v2/events/stream?starting_after=evt_0' },
      400,
      'resource_missing',
      'starting_after',
    ],
  ];

  it.each(cases)('%s', async (_name, request, status, code, param) => {
    const answer = await ask(started.api.url, request);
    const { error } = ErrorEnvelope.parse(answer.json);
    expect({ status: answer.status, code: error.code, param: error.param }).toEqual({ status, code, param });
    expect(error.request_id).toBe(answer.headers['x-request-id']);
    expect(answer.headers['service-version']).toBe('2026-05-01');
  });

  it('names every issue, at most twenty of them', async () => {
    const wrong = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`f${index}`, index]));
    const { json } = await ask(started.api.url, post(JSON.stringify({ ...wrong, amount_minor: 'x' })));
    expect(json.error.details.issues.length).toBeLessThanOrEqual(20);
    expect(json.error.details.issues.map(({ path }: { path: string }) => path)).toContain('amount_minor');
  });
});

describe('unknown addresses get the flat error', () => {
  const cases: readonly Ask[] = [
    { path: '/' },
    { path: '/v2' },
    { path: '/v1/terminal-payments' },
    { path: '/v2/terminal-payments/' },
    { path: '//v2/terminal-payments' },
    { path: '/v2/../v2/terminal-payments' },
    { path: '/v2/%74erminal-payments' },
    { path: '/V2/terminal-payments' },
    { path: '/v2/%zz' },
    { path: '/v2/terminal-payments/%zz' },
    { path: '/v2/nothing', key: null },
    { method: 'DELETE', path: PAYMENTS },
    { method: 'PUT', path: PAYMENTS, body: '{}' },
    { method: 'OPTIONS', path: PAYMENTS },
    { method: 'PROPFIND', path: PAYMENTS },
    { method: 'POST', path: '/v2/nothing', body: 'x'.repeat(100_000) },
  ];
  it.each(cases)('$method $path', async (request) => {
    const answer = await ask(started.api.url, request);
    expect(answer.status).toBe(404);
    expect(answer.json).toEqual({ error: expect.any(String), request_id: answer.headers['x-request-id'] });
  });

  it('names the methods that the address knows', async () => {
    const answer = await ask(started.api.url, { method: 'DELETE', path: PAYMENTS });
    expect(answer.headers['allow']).toBe('POST, GET');
  });
});

describe('versions', () => {
  it.each([
    ['2026-05-01', '2026-05-01'],
    ['2027-01-01', '2026-05-01'],
    ['2026-04-30', '2026-01-15'],
    ['2026-01-15', '2026-01-15'],
  ])('%s is answered as %s', async (asked, effective) => {
    const answer = await ask(started.api.url, { path: PAYMENTS, headers: { 'service-version': asked } });
    expect(answer).toMatchObject({ status: 200, headers: { 'service-version': effective } });
    const sunset = effective === '2026-01-15' ? 'Sun, 15 Nov 2026 00:00:00 GMT' : undefined;
    expect([answer.headers['sunset'], answer.headers['deprecation']]).toEqual([sunset, sunset]);
  });

  it.each(['2026-01-14', '2026-13-01', '2026-02-30', 'latest', '', '2026-5-1'])(
    '"%s" is refused',
    async (asked) => {
      const answer = await ask(started.api.url, { path: `${PAYMENTS}?version=${asked}` });
      expect(answer.json.error).toMatchObject({
        type: 'invalid_request_error',
        code: 'invalid_request_error',
        param: 'Service-Version',
      });
      expect(answer.status).toBe(400);
    },
  );

  it('the header wins over the query', async () => {
    const answer = await ask(started.api.url, {
      path: `${PAYMENTS}?version=2026-01-15`,
      headers: { 'service-version': '2026-05-01' },
    });
    expect(answer.json.object).toBe('list');
  });
});

describe('what fails inside stays inside', () => {
  it('an unknown error becomes internal_error without its words, and is logged', async () => {
    const { payments, logged } = started.shop;
    payments.list = () => {
      throw new Error('secret words 4111111111111111');
    };
    const answer = await ask(started.api.url, { path: PAYMENTS });
    expect(answer).toMatchObject({
      status: 500,
      json: { error: { type: 'api_error', code: 'internal_error' } },
    });
    expect(answer.text).not.toContain('secret words');
    expect(logged.join()).toContain('secret words');
    expect(logged.join()).not.toContain('4111111111111111');
  });

  it.each([
    ['STORAGE_FULL', 503, 'storage_full'],
    ['DRAINING', 503, 'draining'],
    ['SHUTTING_DOWN', 503, 'shutting_down'],
    ['TERMINAL_NOT_READY', 409, 'terminal_not_ready'],
    ['TERMINAL_IN_DOUBT', 409, 'terminal_in_doubt'],
    ['WRONG_TERMINAL', 409, 'wrong_terminal'],
    ['LANE_FULL', 409, 'terminal_busy'],
    ['PAYMENT_ALREADY_PAID', 409, 'payment_already_paid'],
    ['INVOICE_ALREADY_PAID', 409, 'invoice_already_paid'],
    ['INVOICE_ALREADY_VOIDED', 409, 'invoice_already_voided'],
    ['INVOICE_NOT_FINALIZED', 409, 'invoice_not_finalized'],
    ['AMOUNT_EXCEEDS_DUE', 422, 'amount_exceeds_due'],
    ['SPLIT_EXCEEDED', 422, 'split_exceeded'],
    ['AMOUNT_OUT_OF_RANGE', 422, 'amount_out_of_range'],
    ['INVARIANT_BROKEN', 500, 'internal_error'],
  ])('%s is %i %s', async (thrown, status, code) => {
    const { payments } = started.shop;
    const create = payments.create.bind(payments);
    payments.create = () => {
      throw new AppError(thrown, 'words', { context: { details: { id: NOBODY } } });
    };
    const answer = await ask(started.api.url, post(sale()));
    payments.create = create;
    expect({ status: answer.status, code: answer.json.error.code }).toEqual({ status, code });
  });
});

describe('what is not HTTP', () => {
  const speak = (text: string) =>
    new Promise<string>((resolve) => {
      const { hostname, port } = new URL(started.api.url);
      const socket = connect(Number(port), hostname, () => socket.write(text));
      let heard = '';
      socket.on('data', (chunk) => {
        heard += chunk;
      });
      socket.once('error', () => resolve(heard));
      socket.once('close', () => resolve(heard));
    });

  it.each([
    ['garbage', '\x02\x03\x00garbage\r\n\r\n', '400'],
    ['headers of 20 KiB', `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, '431'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx',
      '400',
    ],
    [
      'a length beside chunks',
      'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      '400',
    ],
    [
      'an absolute address',
      'GET http://evil.example/v2/terminal-payments HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
      '404',
    ],
    ['HTTP/1.0 without Host', 'GET /healthz HTTP/1.0\r\n\r\n', '421'],
  ])('%s is refused and the connection ends', async (_name, text, status) => {
    expect((await speak(text)).split(' ')[1]).toBe(status);
  });
});

describe('the largest body', () => {
  it('is as large as the configuration says', async () => {
    const { api } = await startShop({ maxBodyBytes: 2_048 });
    const sent = (bytes: number) => ask(api.url, post(sale({ amount_minor: 0 }).padEnd(bytes)));
    const [refused, read] = [await sent(2_049), await sent(2_048)];
    await api.stop();
    expect(refused).toMatchObject({ status: 413, json: { error: { details: { max_bytes: 2_048 } } } });
    expect(read.status).toBe(400);
  });
});
