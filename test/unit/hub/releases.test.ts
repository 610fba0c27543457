import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type listReleases, objectionTo } from '../../../src/hub/releases/releases.ts';
import { type Operator, Shop, type TestHub, testHub } from '../../fleet/hub.ts';

const MINUTE = 60_000;

describe('the releases that shops run', () => {
  let hub: TestHub;
  let viewer: Operator;
  beforeAll(async () => {
    hub = await testHub();
    for (const name of ['Bakery', 'Butcher']) await hub.tenant(name);
    viewer = await hub.operator('Bakery', 'viewer');
  }, 120_000);
  afterAll(() => hub.stop());

  const joined = async (name: string, version: string, state: object, tenant = 'Bakery') => {
    const shop = new Shop(hub.send);
    await shop.join(await hub.invite(tenant, name));
    await shop.exchange({ version, state }, hub.now);
    return shop;
  };
  const releases = async () => (await viewer.ask('GET', '/v1/releases')).body.data;

  it('are counted by what the shop of each agent reports, of one merchant, without agents that were replaced or revoked', async () => {
    const silent = await joined('Berlin 1', '1.4.0', { can_sell: true });
    hub.now += 16 * MINUTE;
    const doubt = { can_sell: false, terminals: [{ in_doubt: true }, { in_doubt: true }] };
    await joined('Berlin 2', '1.4.0', doubt);
    await joined('Berlin 3', '1.4.0', { can_sell: true });
    const replaced = await joined('Berlin 4', '1.4.0', { can_sell: false });
    await joined('Berlin 4', '1.3.0', { can_sell: true });
    await joined('Cologne', '1.4.0', { can_sell: false }, 'Butcher');
    expect(replaced.issuer).toBeDefined();
    expect(await releases()).toEqual([
      { version: '1.4.0', shops: 3, cannot_sell: 1, silent: 1, in_doubt: 1, amiss: 2 },
      { version: '1.3.0', shops: 1, cannot_sell: 0, silent: 0, in_doubt: 0, amiss: 0 },
    ]);
    const admin = await hub.operator('Bakery', 'admin');
    await admin.ask('POST', `/v1/agents/${silent.issuer?.split('/')[1]}/revoke`);
    expect((await releases())[0]).toMatchObject({ version: '1.4.0', shops: 2, silent: 0, amiss: 1 });
  });

  const inUse = (shops: number, amiss: number): Awaited<ReturnType<typeof listReleases>> => [
    { version: '1.4.0', shops, amiss, cannot_sell: amiss, silent: 0, in_doubt: 0 },
  ];
  it.each([
    ['run nowhere', [], { least: 1, mostAmiss: null }, '0 shops run 1.4.0, and 1 were asked for'],
    ['run at too few shops', inUse(19, 0), { least: 20, mostAmiss: null }, '19 shops run 1.4.0'],
    ['are well', inUse(20, 4), { least: 20, mostAmiss: null }, null],
    ['are amiss at five', inUse(20, 5), { least: 1, mostAmiss: null }, '5 of 20 shops'],
    ['are amiss at 2 % of many', inUse(1_000, 20), { least: 1, mostAmiss: null }, null],
    ['are amiss at more of many', inUse(1_000, 21), { least: 1, mostAmiss: null }, '21 of 1000 shops'],
    ['are amiss at most of a few', inUse(3, 2), { least: 1, mostAmiss: null }, '2 of 3 shops'],
    ['are amiss at one, where none may', inUse(20, 1), { least: 1, mostAmiss: 0 }, '1 of 20 shops'],
  ])('that %s', (_, found, gate, objection) => {
    const words = objectionTo('1.4.0', found, gate);
    if (objection === null) expect(words).toBeNull();
    else expect(words).toContain(objection);
  });
});
