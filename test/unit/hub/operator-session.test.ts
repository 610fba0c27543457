import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../../src/hub/database/connect.ts';
import { removeOperator } from '../../../src/hub/operators/operators.ts';
import { tenantId } from '../../../src/hub/shops/invite.ts';
import { type Operator, type Reply, type TestHub, testHub } from '../../fleet/hub.ts';

const outcome = ({ status, body }: Reply) => [status, body?.error?.code];
const PAGE = { host: 'hub.example', origin: 'https://hub.example', authorization: '' };

describe('a page that signs in', () => {
  let test: TestHub;
  let anna: Operator;
  beforeAll(async () => {
    test = await testHub();
    await test.tenant('Bakery');
    anna = await test.operator('Bakery', 'operator');
  });
  afterAll(() => test.stop());

  async function signedIn(headers: Readonly<Record<string, string>> = PAGE) {
    const reply = await anna.ask('POST', '/v1/session', { headers, body: { token: anna.token } });
    expect(reply.body).toEqual({ data: { name: anna.name, role: 'operator' } });
    const cookie = String(reply.headers['set-cookie']);
    return { cookie, headers: { ...headers, cookie: cookie.split(';')[0] ?? '' } };
  }

  it('gets a cookie that no script reads and no other site sends, over TLS alone unless it is loopback', async () => {
    const { cookie } = await signedIn();
    expect(cookie).toMatch(
      /^__Host-tillhub=ths_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/,
    );
    const local = await signedIn({ ...PAGE, host: '127.0.0.1:8490', origin: 'http://127.0.0.1:8490' });
    expect(local.cookie).toMatch(
      /^tillhub=ths_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
    );
    const { rows } = await test.database.executeQuery<{ session_hash: string }>(
      test.database.selectFrom('operator_session').select('session_hash').compile(),
    );
    for (const { session_hash } of rows) expect(cookie).not.toContain(session_hash);
  });

  it('reads with it, and writes with it from its own origin alone', async () => {
    const { headers } = await signedIn();
    expect((await anna.ask('GET', '/v1/session', { headers })).body.data.name).toBe(anna.name);
    expect((await anna.ask('PUT', '/v1/shops/one', { headers })).status).toBe(200);
    for (const origin of ['https://evil.example', 'null', 'https://hub.example:444', '']) {
      const foreign = { headers: { ...headers, origin } };
      expect(outcome(await anna.ask('PUT', '/v1/shops/two', foreign))).toEqual([403, 'origin_foreign']);
      expect(outcome(await anna.ask('DELETE', '/v1/session', foreign))).toEqual([403, 'origin_foreign']);
    }
    const login = { headers: { ...PAGE, origin: 'https://evil.example' }, body: { token: anna.token } };
    expect(outcome(await anna.ask('POST', '/v1/session', login))).toEqual([403, 'origin_foreign']);
  });

  it('is signed out after twelve hours, by itself, and when its operator is removed', async () => {
    const first = await signedIn();
    test.now += 12 * 3_600_000;
    expect(outcome(await anna.ask('GET', '/v1/session', first))).toEqual([401, 'operator_unknown']);
    const second = await signedIn();
    expect((await anna.ask('DELETE', '/v1/session', second)).status).toBe(204);
    expect(outcome(await anna.ask('GET', '/v1/session', second))).toEqual([401, 'operator_unknown']);
    const third = await signedIn();
    const tenant = await tenantId(test.database, 'Bakery');
    await asTenant(test.database, tenant, (transaction) =>
      removeOperator(transaction, tenant, anna.name, 'test'),
    );
    expect(outcome(await anna.ask('GET', '/v1/session', third))).toEqual([401, 'operator_unknown']);
    expect(outcome(await anna.ask('GET', '/v1/session'))).toEqual([401, 'operator_unknown']);
  });

  it('is refused a token that is wrong, and words that are none', async () => {
    const wrong = { headers: PAGE, body: { token: 'tho_x' } };
    expect(outcome(await anna.ask('POST', '/v1/session', wrong))).toEqual([401, 'operator_unknown']);
    expect(outcome(await anna.ask('POST', '/v1/session', { headers: PAGE, body: 5 }))).toEqual([
      400,
      'request_invalid',
    ]);
  });
});
