import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addressAllowed } from '../../../src/api/keys/address.ts';
import { hashOfKey } from '../../../src/api/keys/secret.ts';
import { KeyShop } from './key-shop.ts';
import { KEYS, startShop } from './shop.ts';

const DEVICES = '/v2/terminal-devices';
const NOT_OURS = {
  'no key at all': 'sesame',
  'a key that nobody knows': `rk_sandbox_${'0'.repeat(32)}`,
  'a key of the other environment': `rk_live_${'0'.repeat(32)}`,
  'a key that is one character short': `rk_sandbox_${'0'.repeat(31)}`,
  'a key with something behind it': `rk_sandbox_${'0'.repeat(33)}`,
  'something very long': 'x'.repeat(8000),
} as const;

describe('a credential that is not ours', () => {
  it('is refused with one code, one body and one look-up, whatever it is', async () => {
    const shop = new KeyShop();
    await shop.make();
    const answers = [];
    for (const key of Object.values(NOT_OURS)) {
      const { status, text, headers } = await shop.till(DEVICES, { key });
      expect(text).not.toContain(key.slice(0, 20));
      expect(headers['www-authenticate']).toBe('Bearer realm="tilld"');
      answers.push(`${status} ${text.replace(/req_[0-9a-f-]+/, '')}`);
    }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('invalid_api_key');
  });

  it('is looked up by its hash even when it cannot be a key, so that it costs as much as one that can', async () => {
    const shop = new KeyShop();
    const asked: string[] = [];
    const { byHash } = shop.keys;
    shop.keys.byHash = (hash) => {
      asked.push(hash);
      return byHash.call(shop.keys, hash);
    };
    for (const key of Object.values(NOT_OURS)) await shop.till(DEVICES, { key });
    expect(asked).toEqual(Object.values(NOT_OURS).map(hashOfKey));
  });

  it('a live key that a sandbox has in its books opens nothing there, and everything when it is live again', async () => {
    const shop = new KeyShop({ environment: 'live' });
    const { id, key } = await shop.make();
    expect(key).toMatch(/^rk_live_/);
    expect(await shop.fate(key)).toBe(200);
    shop.restart({ environment: 'sandbox' });
    const { status, json } = await shop.till(DEVICES, { key });
    expect([status, json.error.code]).toEqual([401, 'invalid_api_key']);
    expect(json.error.message).toContain('rk_sandbox_');
    expect(shop.keys.find(id)?.revokedAt).toBeNull();
    shop.restart({ environment: 'live' });
    expect(await shop.fate(key)).toBe(200);
  });
});

describe('a request shows one key', () => {
  it.each([
    ['in two headers that agree', (a: string) => ({ 'x-api-key': a, authorization: `Bearer ${a}` }), 200],
    ['twice in one header', (a: string) => ({ 'x-api-key': `${a}, ${a}` }), 200],
    [
      'beside a scheme that we do not know',
      (a: string) => ({ 'x-api-key': a, authorization: 'Basic eDp5' }),
      200,
    ],
    ['and another one', (a: string, b: string) => ({ 'x-api-key': a, 'x-service-key': b }), 401],
    ['and another one in the same header', (a: string, b: string) => ({ 'x-api-key': `${a}, ${b}` }), 401],
    [
      'and another one as Bearer',
      (a: string, b: string) => ({ 'x-api-key': a, authorization: `Bearer ${b}` }),
      401,
    ],
    ['and another Bearer', (a: string, b: string) => ({ authorization: `Bearer ${a}, Bearer ${b}` }), 401],
    ['that is empty', () => ({ 'x-api-key': ' ' }), 401],
    ['that is empty, as Bearer', () => ({ authorization: 'Bearer ' }), 401],
  ])('%s', async (_how, headers, status) => {
    const shop = new KeyShop();
    const [one, two] = [await shop.make(), await shop.make()];
    const answer = await shop.till(DEVICES, { headers: headers(one.key, two.key) });
    expect(answer.status).toBe(status);
    if (status === 401) expect(answer.json.error.code).toBe('authentication_failed');
  });

  it.each(['Authorization', 'X-Api-Key'])(
    'two %s headers that differ are refused, over real HTTP',
    async (name) => {
      const { api } = await startShop();
      onTestFinished(() => api.stop());
      const value = (key: string) => (name === 'Authorization' ? `Bearer ${key}` : key);
      const two = [KEYS.full, KEYS.other].map((key) => `${name}: ${value(key)}\r\n`).join('');
      const { hostname, port } = new URL(api.url);
      const answered = await new Promise<string>((resolve, reject) => {
        let text = '';
        const socket = connect(Number(port), hostname, () =>
          socket.write(`GET ${DEVICES} HTTP/1.1\r\nHost: ${hostname}\r\n${two}Connection: close\r\n\r\n`),
        );
        socket.setEncoding('utf8').on('data', (more: string) => {
          text += more;
        });
        socket.once('error', reject).once('close', () => resolve(text));
      });
      expect(answered).toMatch(/^HTTP\/1\.1 401 /);
      expect(answered).toContain('authentication_failed');
    },
  );
});

describe('where a key may be used from', () => {
  it.each<[readonly string[], string, boolean]>([
    [[], '203.0.113.9', true],
    [['10.0.0.5'], '10.0.0.5', true],
    [['10.0.0.5'], '10.0.0.6', false],
    [['10.0.0.5'], '::ffff:10.0.0.5', true],
    [['10.0.0.0/8'], '::ffff:a00:5', true],
    [['::ffff:10.0.0.5'], '10.0.0.5', true],
    [['0:0:0:0:0:ffff:a00:5'], '10.0.0.5', true],
    [['::ffff:10.0.0.0/104'], '10.9.9.9', true],
    [['::ffff:10.0.0.0/104'], '11.0.0.1', false],
    [['10.1.2.3/8'], '10.9.9.9', true],
    [['0.0.0.0/0'], '203.0.113.9', true],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['::/0'], '2001:db8::1', true],
    [['::/0'], '203.0.113.9', false],
    [['::/0'], '::ffff:203.0.113.9', false],
    [['::/8'], '10.0.0.1', false],
    [['fe80::/10'], 'fe80::1%eth0', true],
    [['2001:db8::/32'], '2001:0DB8:0:0::9', true],
    [['2001:db8::/32'], '2001:db9::9', false],
    [['10.0.0.5', 'fd00::/8'], 'fd12::1', true],
    [['10.0.0.5'], '', false],
    [['10.0.0.5'], 'unix', false],
  ])('%j lets %s in: %s', (allow, address, allowed) => {
    expect(addressAllowed(allow, address)).toBe(allowed);
  });

  it.each([
    '::ffff:10.0.0.0/8',
    '::FFFF:0:0/95',
    '0:0:0:0:0:ffff:a00:0/24',
    '10.0.0.0/33',
    '10.0.0',
    'fe80::1%eth0',
    'shop',
  ])('%s is refused when a key is made', async (range) => {
    const shop = new KeyShop();
    const body = { scopes: ['payments:read'], allow: [range] };
    expect(await shop.socket('POST', '/v2/keys', body)).toMatchObject({
      status: 400,
      json: { error: { param: 'allow.0' } },
    });
  });

  it('a wrong place tells nothing of scopes, and costs the key nothing of its budget', async () => {
    const shop = new KeyShop({ rateLimit: { perMinute: 1, burst: 1 } });
    const { key } = await shop.make({ scopes: ['settings:read'], allow: ['10.0.0.1'] });
    for (let time = 0; time < 5; time += 1) expect(await shop.fate(key, '10.0.0.2')).toBe('ip_not_allowed');
    const { text } = await shop.till('/v2/terminal-payments', { key, address: '10.0.0.2' });
    expect(text).not.toContain('payments:read');
    expect(text).not.toContain('required');
    expect(await shop.fate(key, '10.0.0.1')).toBe('insufficient_permissions');
  });
});

describe('a flood of keys that nobody knows', () => {
  it('writes nothing, holds up no good key, and is one line a minute in the log', async () => {
    const shop = new KeyShop();
    const { key } = await shop.make();
    await shop.fate(key);
    const edition = shop.database.writeCounter;
    for (let time = 0; time < 500; time += 1)
      expect(await shop.fate(`rk_sandbox_${String(time).padStart(32, '0')}`, `10.0.0.${time % 250}`)).toBe(
        'invalid_api_key',
      );
    expect(await shop.fate(key)).toBe(200);
    expect(shop.database.writeCounter).toBe(edition);
    expect(shop.shop.logged).toHaveLength(1);
    await shop.clock.advance(60_000);
    await shop.fate('sesame');
    expect(shop.shop.logged).toHaveLength(2);
    expect(shop.shop.logged[1]).toContain('"times":500');
  });

  it('does not hide that a till of ours is refused, and the line names its key by its id alone', async () => {
    const shop = new KeyShop();
    const { id, key } = await shop.make();
    await shop.fate('sesame');
    await shop.revoke(id);
    for (let time = 0; time < 50; time += 1) await shop.fate(key);
    expect(shop.shop.logged).toHaveLength(2);
    expect(shop.shop.logged[1]).toContain(id);
    expect(shop.shop.logged[1]).toContain('CREDENTIAL_REVOKED');
    expect(shop.shop.logged.join()).not.toContain(key);
    expect(shop.shop.logged.join()).not.toContain(hashOfKey(key));
  });

  it('a disk that refuses the note of a last use is tried once a minute, and the till sells on', async () => {
    const shop = new KeyShop();
    const { key } = await shop.make();
    shop.database.run("CREATE TRIGGER full BEFORE UPDATE ON api_keys BEGIN SELECT RAISE(ABORT, 'no'); END");
    const edition = shop.database.writeCounter;
    for (let time = 0; time < 20; time += 1) expect(await shop.fate(key)).toBe(200);
    expect(shop.database.writeCounter).toBe(edition + 1);
    expect(shop.shop.logged).toHaveLength(1);
  });
});
