import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../../src/hub/database/connect.ts';
import { batch, entries, type Reply, Shop, type TestHub, testHub } from '../../fleet/hub.ts';

const outcome = ({ status, body }: Reply) => [status, body.error?.code];

describe('joining a fleet', () => {
  let test: TestHub;
  beforeAll(async () => {
    test = await testHub();
    await test.tenant('Bakery');
    await test.tenant('Butcher');
  });
  afterAll(() => test.stop());

  it('names the shop and its tenant; the code is good once, for one key, however it is typed', async () => {
    const code = await test.invite('Bakery', 'Berlin 1');
    const shop = new Shop(test.send);
    const first = await shop.join(code.toLowerCase().replaceAll('-', ' '));
    expect(first.body.data).toMatchObject({ shop: { name: 'Berlin 1' }, tenant: { name: 'Bakery' } });
    const again = await new Shop(test.send, shop.key).join(code);
    expect(again).toEqual({ ...first, status: 201 });
    expect(outcome(await new Shop(test.send).join(code))).toEqual([403, 'invitation_invalid']);
  });

  it('is refused after 15 minutes, with a wrong code, and with a key that the request is not signed by', async () => {
    const code = await test.invite('Bakery', 'Berlin 2');
    const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
    const forged = { code, key: { kty: 'OKP', crv: 'Ed25519', x: other.x }, version: '1' };
    expect(outcome(await new Shop(test.send).post('/v1/enrolments', forged))).toEqual([401, 'agent_unknown']);
    expect(outcome(await new Shop(test.send).join('AAAA-BBBB-CCCC'))).toEqual([403, 'invitation_invalid']);
    test.now += 15 * 60_000 + 1;
    expect(outcome(await new Shop(test.send).join(code))).toEqual([403, 'invitation_invalid']);
  });

  it('gives an agent the rows of its own tenant alone, whatever it claims', async () => {
    const [bakery, butcher] = [new Shop(test.send), new Shop(test.send)];
    await bakery.join(await test.invite('Bakery', 'Mine'));
    await butcher.join(await test.invite('Butcher', 'Theirs'));
    await butcher.post('/v1/journal', batch(entries(3), 1, 3));
    const [tenant = '', agent = ''] = bakery.issuer?.split('/') ?? [];
    const [foreignTenant = '', foreignAgent = ''] = butcher.issuer?.split('/') ?? [];
    for (const issuer of [
      `${foreignTenant}/${foreignAgent}`,
      `${foreignTenant}/${agent}`,
      `${tenant}/${foreignAgent}`,
      `${tenant}/${agent}/`,
      `${tenant}`,
      "' OR true --/x",
      undefined,
    ]) {
      bakery.issuer = issuer;
      expect(outcome(await bakery.exchange())).toEqual([401, 'agent_unknown']);
      expect(outcome(await bakery.post('/v1/journal', batch(entries(3), 1, 3)))).toEqual([
        401,
        'agent_unknown',
      ]);
    }
    const seen = await asTenant(test.database, tenant, async (transaction) => ({
      entries: await transaction
        .selectFrom('journal')
        .select('seq')
        .where('agent_id', '=', foreignAgent)
        .execute(),
      agents: (await transaction.selectFrom('agent').select('id').execute()).map(({ id }) => id),
    }));
    expect(seen.entries).toEqual([]);
    expect(seen.agents).toContain(agent);
    expect(seen.agents).not.toContain(foreignAgent);
    const alert = {
      tenant_id: foreignTenant,
      kind: 'x',
      rule: 'x',
      severity: 'info',
      details: '{}',
    } as const;
    const written = asTenant(test.database, tenant, (transaction) =>
      transaction
        .insertInto('alert')
        .values({ ...alert, since: new Date() })
        .execute(),
    );
    await expect(written).rejects.toThrow(/row-level security/);
  });

  it('believes no request that was signed for another one, or by another key', async () => {
    const shop = new Shop(test.send);
    await shop.join(await test.invite('Bakery', 'Signed'));
    const body = batch(entries(2), 1, 2);
    const other = new Shop(test.send);
    other.issuer = shop.issuer;
    expect(outcome(await other.post('/v1/journal', body))).toEqual([401, 'agent_unknown']);
    expect(outcome(await shop.post('/v1/journal', body, { url: '/v1/exchange' }))).toEqual([
      401,
      'agent_unknown',
    ]);
    const changed = { ...body, epoch: 'e2' };
    expect(outcome(await shop.post('/v1/journal', changed, { body }))).toEqual([401, 'agent_unknown']);
    expect((await shop.post('/v1/journal', body)).status).toBe(200);
  });

  it('ends with a revocation, in the next request', async () => {
    const shop = new Shop(test.send);
    await shop.join(await test.invite('Bakery', 'Revoked'));
    expect((await shop.exchange()).status).toBe(200);
    const agent = shop.issuer?.split('/')[1] ?? '';
    await test.database
      .updateTable('agent')
      .set({ revoked_at: new Date() })
      .where('id', '=', agent)
      .execute();
    expect(outcome(await shop.exchange())).toEqual([403, 'agent_revoked']);
    expect(outcome(await shop.post('/v1/journal', batch(entries(1), 1, 1)))).toEqual([403, 'agent_revoked']);
  });
});
