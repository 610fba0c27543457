import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RawClient, rawRequest } from './raw.ts';
import { KEYS, sale, startShop } from './shop.ts';

const PAYMENTS = '/v2/terminal-payments';
const KEY = `x-api-key: ${KEYS.full}`;

let started: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  started = await startShop({ rateLimit: { perMinute: 60_000, burst: 5_000 } });
});
afterAll(() => started.api.stop());

async function heard(text: string): Promise<string> {
  const client = new RawClient(started.api.url);
  const answered = await client.say(text);
  client.leave();
  return answered;
}

const post = (lines: readonly string[], body = sale()) => rawRequest(PAYMENTS, lines, 'POST', body);

describe('a head that two readers would read differently charges nobody', () => {
  it.each([
    ['two Hosts', [KEY, 'Host: evil.example'], '400'],
    ['two keys', [KEY, `x-api-key: ${KEYS.other}`], '401'],
    ['two Authorization headers', [`Authorization: Bearer ${KEYS.full}`, 'Authorization: Bearer x'], '401'],
    ['two idempotency keys', [KEY, 'Idempotency-Key: a', 'Idempotency-Key: b'], '400'],
    ['two content types', [KEY, 'Content-Type: text/plain'], '400'],
    ['more than 100 headers', [KEY, ...Array.from({ length: 101 }, () => 'a: b')], '431'],
    ['a header named constructor, twice', ['constructor: a', 'constructor: b'], '401'],
    ['a header named __proto__, twice', ['__proto__: a', '__proto__: b'], '401'],
  ])('%s', async (_name, lines, status) => {
    expect(await heard(post(lines))).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(started.shop.payments.attempts).toEqual([]);
  });

  it.each(['HTTP/2.0', 'HTTP/0.9'])('%s in words', async (version) => {
    expect(await heard(post([KEY]).replace('HTTP/1.1', version))).toMatch(/^HTTP\/1\.1 400 /);
    expect(started.shop.payments.attempts).toEqual([]);
  });

  it('chunks in HTTP/1.0', async () => {
    const text = rawRequest(PAYMENTS, [KEY, 'Transfer-Encoding: chunked'], 'POST');
    expect(await heard(text.replace('HTTP/1.1', 'HTTP/1.0'))).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('a header that nobody reads may come twice', async () => {
    expect(await heard(rawRequest('/v2/terminal-devices', [KEY, 'Cookie: a', 'Cookie: b']))).toMatch(
      /^HTTP\/1\.1 200 /,
    );
  });
});

describe('a tag of a foreign page, which sends no Origin', () => {
  it.each([
    ['cross-site', '403'],
    ['same-site', '403'],
    ['something new', '403'],
    ['same-origin', '200'],
    ['none', '200'],
  ])('Sec-Fetch-Site: %s is answered %s', async (site, status) => {
    for (const target of ['/healthz', '/metrics', '/v2/openapi.json']) {
      const answered = await heard(rawRequest(target, [`Sec-Fetch-Site: ${site}`]));
      expect(answered).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(answered).toMatch(/^cross-origin-resource-policy: same-origin\r$/im);
    }
  });
});

describe('a body that will not be read', () => {
  it('is refused by its length alone, and the connection ends', async () => {
    const client = new RawClient(started.api.url);
    expect(await client.say(rawRequest(PAYMENTS, [KEY, 'Content-Length: 1000000000'], 'POST'))).toMatch(
      /^HTTP\/1\.1 413 /,
    );
    await client.closed;
  });

  it('is not asked for: without a key the answer to Expect is no', async () => {
    const lines = ['Expect: 100-continue', 'Content-Length: 9'];
    expect(await heard(rawRequest(PAYMENTS, lines, 'POST'))).toMatch(/^HTTP\/1\.1 401 /);
    expect(await heard(rawRequest(PAYMENTS, [KEY, ...lines], 'POST'))).toMatch(/^HTTP\/1\.1 100 /);
  });
});

describe('a field that occurs twice', () => {
  it.each([
    ['the amount', sale().replace('{', '{"amount_minor":1,')],
    ['the amount in escapes', sale().replace('{', '{"\\u0061mount_minor":1,')],
    ['deep inside', sale({ metadata: 0 }).replace('"metadata":0', '"metadata":{"a":[{"b":1, "b" :2}]}')],
    ['an empty name', sale({ metadata: 0 }).replace('"metadata":0', '"metadata":{"":1,"":2}')],
  ])('is refused: %s', async (_name, body) => {
    const answered = await heard(post([KEY], body));
    expect(answered).toMatch(/^HTTP\/1\.1 400 /);
    expect(answered).toContain('"code":"invalid_request_error"');
    expect(started.shop.payments.attempts).toEqual([]);
  });

  it('is no field twice: the same name in two objects, and text that looks like one', async () => {
    const metadata = {
      a: { b: 1 },
      c: { b: '"b":1,"b":2' },
      d: ['b', 'b', { b: 1 }, { b: 2 }],
      '"b\\"': 'b',
    };
    expect(await heard(post([KEY], sale({ metadata })))).toMatch(/^HTTP\/1\.1 201 /);
    started.shop.payments.attempts.length = 0;
  });
});

describe('a key', () => {
  it('of the other environment is refused, even where it is known', async () => {
    const live = KEYS.full.replace('rk_sandbox_', 'rk_live_');
    expect(await heard(rawRequest('/v2/terminal-devices', [`x-api-key: ${live}`]))).toMatch(
      /^HTTP\/1\.1 401 [\s\S]*"code":"invalid_api_key"/,
    );
  });

  it('that somebody sends as the name of a field does not come back', async () => {
    const answered = await heard(post([KEY], `{"${KEYS.other}":1}`));
    expect(answered).toMatch(/^HTTP\/1\.1 400 /);
    expect(answered).not.toContain(KEYS.other);
    const asked = await heard(rawRequest(`${PAYMENTS}?${KEYS.other}=1`, [KEY]));
    expect(asked).toContain('rk_sandbox_[cut]');
    expect(asked).not.toContain(KEYS.other);
  });
});
