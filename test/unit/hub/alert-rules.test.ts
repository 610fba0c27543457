import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Beat } from '../../../src/hub/beat.ts';
import { live, pass, testBeat } from '../../fleet/alerts.ts';
import { batch, entries, type Operator, type Reply, Shop, type TestHub, testHub } from '../../fleet/hub.ts';

const outcome = ({ status, body }: Reply) => [status, body?.error?.code];

describe('the alert rules of a tenant', () => {
  let test: TestHub;
  let beat: Beat;
  let tenants = 0;
  let tenant: string;
  let admin: Operator;
  beforeAll(async () => {
    test = await testHub();
    beat = testBeat(test.database);
  });
  afterAll(() => test.stop());
  beforeEach(async () => {
    tenants += 1;
    tenant = `Bakery ${tenants}`;
    await test.tenant(tenant);
    admin = await test.operator(tenant, 'admin');
    await beat.evaluate();
  });

  async function joined(name: string): Promise<Shop> {
    const shop = new Shop(test.send);
    expect((await shop.join(await test.invite(tenant, name))).status).toBe(201);
    return shop;
  }
  const put = async (name: string, body: object) =>
    expect([name, (await admin.ask('PUT', `/v1/alert-rules/${name}`, { body })).body.error]).toEqual([
      name,
      undefined,
    ]);
  /** Shop, rule and whether it is open, the oldest first. */
  const alerts = async () => {
    const { body } = await admin.ask('GET', '/v1/alerts?limit=500');
    return body.data
      .map((one: Record<string, unknown>) => [one['shop'], one['rule'], one['ended_at'] === null])
      .toReversed();
  };
  const report = (shop: Shop, state: object) => shop.exchange({ state }, test.now);

  it('are there for a new tenant: what was an alert before is one as before', async () => {
    const { body } = await admin.ask('GET', '/v1/alert-rules');
    expect(
      body.data.map(({ name, kind, minutes }: Record<string, unknown>) => [name, kind, minutes]),
    ).toEqual([
      ['cannot_report', 'cannot_report', 60],
      ['cannot_sell', 'cannot_sell', 10],
      ['clock_wrong', 'clock_wrong', 0],
      ['in_doubt', 'in_doubt', 15],
      ['journal_contradicts', 'journal_contradicts', 0],
      ['journal_damaged', 'journal_damaged', 0],
      ['not_fresh', 'not_fresh', 1440],
      ['rollout_paused', 'rollout_paused', 0],
      ['silent', 'silent', 30],
      ['two_processes', 'two_processes', 0],
    ]);
    for (const rule of body.data)
      expect(rule).toMatchObject({ enabled: true, shops: null, destinations: [] });
  });

  it.each([
    ['cannot_sell', { can_sell: false }, { can_sell: true }],
    ['cannot_report', { can_report: false }, { can_report: true }],
    ['not_fresh', { is_fresh: false }, {}],
    [
      'in_doubt',
      { terminals: [{ in_doubt: false }, { in_doubt: true }] },
      { terminals: [{ in_doubt: false }] },
    ],
  ])('raise %s once while it lasts, and end it when it is over', async (kind, bad, good) => {
    await put(kind, { kind, minutes: 5 });
    const shop = await joined('Berlin 1');
    await joined('Berlin 2');
    await report(shop, bad);
    await live(test.database, beat, 1);
    await live(test.database, beat, 4);
    expect(await alerts()).toEqual([]);
    await live(test.database, beat, 2);
    await report(shop, { ...bad, more: 1 });
    await live(test.database, beat, 2);
    expect(await alerts()).toEqual([['Berlin 1', kind, true]]);
    const [raised] = (await admin.ask('GET', '/v1/alerts')).body.data;
    expect(Date.parse(raised.raised_at) - Date.parse(raised.since)).toBeGreaterThanOrEqual(5 * 60_000);
    await report(shop, good);
    await live(test.database, beat, 1);
    expect(await alerts()).toEqual([['Berlin 1', kind, false]]);
    await report(shop, bad);
    await live(test.database, beat, 2);
    await live(test.database, beat, 4);
    expect(await alerts()).toHaveLength(1);
    await live(test.database, beat, 2);
    expect(await alerts()).toEqual([
      ['Berlin 1', kind, false],
      ['Berlin 1', kind, true],
    ]);
  });

  it('raise the silence of a shop, also of one that never spoke, whatever its own clock says', async () => {
    await put('silent', { kind: 'silent', minutes: 5 });
    const shop = await joined('Berlin 1');
    await joined('Berlin 2');
    await shop.exchange({}, test.now + 400 * 86_400_000);
    await live(test.database, beat, 4);
    expect((await alerts()).filter(([, rule]: [string, string]) => rule === 'silent')).toEqual([]);
    await live(test.database, beat, 3);
    const silent = async () =>
      (await alerts()).filter(([, rule]: [string, string]) => rule === 'silent').toSorted();
    expect(await silent()).toEqual([
      ['Berlin 1', 'silent', true],
      ['Berlin 2', 'silent', true],
    ]);
    await shop.exchange({}, test.now - 400 * 86_400_000);
    await live(test.database, beat, 1);
    expect(await silent()).toEqual([
      ['Berlin 1', 'silent', false],
      ['Berlin 2', 'silent', true],
    ]);
  });

  it('blame no shop for a silence in which no hub ran, and end no alert by it', async () => {
    await put('silent', { kind: 'silent', minutes: 5 });
    const shop = await joined('Berlin 1');
    await joined('Berlin 2');
    await live(test.database, beat, 4);
    await shop.exchange({}, test.now);
    await live(test.database, beat, 3);
    expect(await alerts()).toEqual([['Berlin 2', 'silent', true]]);
    await pass(test.database, 60);
    await beat.evaluate();
    await live(test.database, beat, 3);
    expect(await alerts()).toEqual([['Berlin 2', 'silent', true]]);
    await shop.exchange({}, test.now);
    await live(test.database, beat, 3);
    expect(await alerts()).toEqual([['Berlin 2', 'silent', true]]);
  });

  it('watch the agent that a shop has now: those that were revoked or replaced raise nothing, and theirs end', async () => {
    await put('cannot_sell', { kind: 'cannot_sell', minutes: 2 });
    const shop = await joined('Berlin 1');
    await report(shop, { can_sell: false });
    await live(test.database, beat, 1);
    await live(test.database, beat, 3);
    expect(await alerts()).toEqual([['Berlin 1', 'cannot_sell', true]]);
    await joined('Berlin 1');
    await live(test.database, beat, 1);
    expect(await alerts()).toEqual([['Berlin 1', 'cannot_sell', false]]);
    const revoked = await joined('Hamburg');
    await report(revoked, { can_sell: false });
    await live(test.database, beat, 1);
    await live(test.database, beat, 3);
    expect((await alerts())[1]).toEqual(['Hamburg', 'cannot_sell', true]);
    await admin.ask('POST', `/v1/agents/${revoked.issuer?.split('/')[1]}/revoke`);
    await live(test.database, beat, 4);
    expect((await alerts())[1]).toEqual(['Hamburg', 'cannot_sell', false]);
    expect(await alerts()).toHaveLength(2);
  });

  it('are several for one condition, each with its own shops, minutes and severity', async () => {
    await admin.ask('DELETE', '/v1/alert-rules/cannot_sell');
    await put('berlin', { kind: 'cannot_sell', minutes: 0, shops: 'Berlin *', severity: 'info' });
    await put('later', { kind: 'cannot_sell', minutes: 5, severity: 'critical' });
    await put('odd', { kind: 'cannot_sell', minutes: 0, shops: '100%_\\*' });
    await put('off', { kind: 'cannot_sell', minutes: 0, enabled: false });
    for (const name of ['Berlin 1', 'Hamburg', '100 one', '100%_ two'])
      await report(await joined(name), { can_sell: false });
    await test.database
      .updateTable('shop')
      .set({ name: '100%_\\ two' })
      .where('name', '=', '100%_ two')
      .execute();
    await pass(test.database, 1);
    await beat.evaluate();
    expect((await alerts()).toSorted()).toEqual([
      ['100%_\\ two', 'odd', true],
      ['Berlin 1', 'berlin', true],
    ]);
    await live(test.database, beat, 6);
    expect(await alerts()).toHaveLength(6);
    await put('later', { kind: 'cannot_sell', minutes: 5, enabled: false });
    await admin.ask('DELETE', '/v1/alert-rules/odd');
    await live(test.database, beat, 1);
    expect((await alerts()).filter(([, , open]: [string, string, boolean]) => open)).toEqual([
      ['Berlin 1', 'berlin', true],
    ]);
  });

  it('decide also of what a request shows: one that is off, or of other shops, raises nothing', async () => {
    await put('clock_wrong', { kind: 'clock_wrong', shops: 'Hamburg*', severity: 'info' });
    await put('journal_damaged', { kind: 'journal_damaged', enabled: false });
    const [berlin, hamburg] = [await joined('Berlin'), await joined('Hamburg')];
    for (const shop of [berlin, hamburg]) {
      await shop.exchange({}, test.now + 86_400_000);
      const damaged = { ...entries(1)[0], damaged: 'the row does not fit its hash', content: null };
      expect(
        (await shop.post('/v1/journal', { ...batch(entries(1), 1, 1), entries: [damaged] })).status,
      ).toBe(200);
    }
    expect(await alerts()).toEqual([['Hamburg', 'clock_wrong', true]]);
    await hamburg.exchange({}, test.now + 1_000);
    await live(test.database, beat, 1);
    expect(await alerts()).toEqual([['Hamburg', 'clock_wrong', false]]);
  });

  it('are evaluated by one hub of several, once a minute', async () => {
    await put('cannot_sell', { kind: 'cannot_sell', minutes: 0 });
    await report(await joined('Berlin 1'), { can_sell: false });
    const beats = Array.from({ length: 8 }, () => testBeat(test.database));
    await beat.evaluate();
    expect(await alerts()).toEqual([]);
    await pass(test.database, 1);
    await sql`CREATE TABLE beats (tenant_id uuid)`.execute(test.database);
    await sql`CREATE FUNCTION count_beat() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
      $$ BEGIN INSERT INTO beats VALUES (NEW.tenant_id); RETURN NULL; END $$`.execute(test.database);
    await sql`CREATE TRIGGER counted AFTER UPDATE ON alert_beat FOR EACH ROW EXECUTE FUNCTION count_beat()`.execute(
      test.database,
    );
    await Promise.all(beats.map((one) => one.evaluate()));
    expect(await alerts()).toEqual([['Berlin 1', 'cannot_sell', true]]);
    const { rows } =
      await sql`SELECT count(*)::int AS n FROM beats GROUP BY tenant_id HAVING count(*) > 1`.execute(
        test.database,
      );
    expect(rows).toEqual([]);
    await sql`DROP TRIGGER counted ON alert_beat`.execute(test.database);
  });

  it('change nothing and say nothing when they are put again; each change is in the audit', async () => {
    const rule = {
      kind: 'silent',
      minutes: 7,
      shops: 'B*',
      severity: 'info',
      enabled: true,
      destinations: [],
    };
    const first = await admin.ask('PUT', '/v1/alert-rules/own', { body: rule });
    expect(first.body.data).toEqual({ name: 'own', ...rule });
    expect((await admin.ask('PUT', '/v1/alert-rules/own', { body: rule })).body).toEqual(first.body);
    await admin.ask('PUT', '/v1/alert-rules/own', { body: { ...rule, minutes: 8 } });
    expect((await admin.ask('GET', '/v1/alert-rules/own')).body.data.minutes).toBe(8);
    expect((await admin.ask('DELETE', '/v1/alert-rules/own')).body.data).toEqual({
      name: 'own',
      deleted: true,
    });
    expect(outcome(await admin.ask('GET', '/v1/alert-rules/own'))).toEqual([404, 'resource_missing']);
    expect(outcome(await admin.ask('DELETE', '/v1/alert-rules/own'))).toEqual([404, 'resource_missing']);
    const { body } = await admin.ask('GET', '/v1/audit-entries?limit=3');
    expect(body.data.map(({ action, details }: Reply['body']) => [action, details.minutes])).toEqual([
      ['alert_rule_removed', 8],
      ['alert_rule_changed', 8],
      ['alert_rule_changed', 7],
    ]);
  });

  it('refuse in words what cannot be', async () => {
    const refused = async (name: string, body: object) =>
      outcome(await admin.ask('PUT', `/v1/alert-rules/${encodeURIComponent(name)}`, { body }));
    const invalid = [400, 'request_invalid'];
    expect(await refused('a', { kind: 'moon' })).toEqual(invalid);
    expect(await refused('a', { kind: 'clock_wrong', minutes: 5 })).toEqual(invalid);
    expect(await refused('a', { kind: 'silent', minutes: 43_201 })).toEqual(invalid);
    expect(await refused('a', { kind: 'in_doubt', minutes: -1 })).toEqual(invalid);
    expect(await refused('a', { kind: 'silent' })).toEqual(invalid);
    expect(await refused('a', { kind: 'silent', minutes: 4 })).toEqual(invalid);
    expect(await refused('a', { kind: 'silent', minutes: 5, shops: 'x'.repeat(101) })).toEqual(invalid);
    expect(await refused('a', { kind: 'silent', minutes: 5, shops: 'a\u0000' })).toEqual(invalid);
    for (const name of ['x'.repeat(101), 'a b', 'a/b', '.a', 'a\r\nb', 'ü'])
      expect([name, ...(await refused(name, { kind: 'in_doubt' }))]).toEqual([name, ...invalid]);
    expect(await refused('a', { kind: 'in_doubt', destinations: ['nowhere'] })).toEqual([
      422,
      'destination_unknown',
    ]);
    expect(outcome(await admin.ask('GET', '/v1/alert-rules/a'))).toEqual([404, 'resource_missing']);
    expect(await refused('a', { kind: 'rollout_paused', shops: 'Berlin *' })).toEqual(invalid);
    for (const name of Array.from({ length: 90 }, (_, no) => `r${no}`)) await put(name, { kind: 'in_doubt' });
    expect(await refused('one-more', { kind: 'in_doubt' })).toEqual([422, 'alert_limit']);
  });
});
