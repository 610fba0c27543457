import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batch, entries, type Reply, type Send, Shop, type TestHub, testHub } from '../../fleet/hub.ts';

const outcome = ({ status, body }: Reply) => [status, body.error?.code];

describe('the exchange of an agent with its hub', () => {
  let test: TestHub;
  beforeAll(async () => {
    test = await testHub();
    await test.tenant('Bakery');
  });
  afterAll(() => test.stop());

  async function joined(name: string): Promise<Shop> {
    const shop = new Shop(test.send);
    await shop.join(await test.invite('Bakery', name));
    return shop;
  }
  const alerts = async (shop: Shop) => {
    const agent = shop.issuer?.split('/')[1] ?? '';
    const rows = await test.database
      .selectFrom('alert')
      .select('kind')
      .where('agent_id', '=', agent)
      .execute();
    return rows.map(({ kind }) => kind);
  };

  it('says what the hub has: nothing of the journal, no state; then the state that was sent', async () => {
    const shop = await joined('state');
    const first = await shop.exchange({}, test.now);
    expect(first.body.data).toEqual({
      journal: null,
      has_state: false,
      now: test.now,
      quarantined: null,
      commands: [],
    });
    expect((await shop.exchange({ state: { can_sell: true } }, test.now)).body.data.has_state).toBe(true);
    expect((await shop.exchange({}, test.now)).body.data.has_state).toBe(true);
  });

  it('counts a later request of one process, and refuses an earlier one that comes after it', async () => {
    const shop = await joined('order');
    await shop.exchange();
    await shop.exchange();
    shop.exchanges = 1;
    expect(outcome(await shop.exchange())).toEqual([409, 'exchange_superseded']);
  });

  it('takes a clock that is wrong by a year as it is, and raises one alert', async () => {
    const shop = await joined('clock');
    const year = 365 * 86_400_000;
    expect((await shop.exchange({}, test.now - year)).status).toBe(200);
    expect((await shop.exchange({}, test.now + year)).status).toBe(200);
    expect(await alerts(shop)).toEqual(['clock_wrong']);
  });

  it('withholds commands from two processes on one folder, and not from a restart', async () => {
    const first = await joined('copy');
    await first.exchange();
    const second = new Shop(test.send, first.key);
    second.issuer = first.issuer;
    await second.exchange();
    expect((await first.exchange()).body.data.quarantined).toBeNull();
    expect((await second.exchange()).body.data.quarantined).toBeNull();
    expect((await second.exchange()).body.data.quarantined).toBeNull();
    expect((await first.exchange()).body.data.quarantined).toBe('two_processes');
    expect(await alerts(first)).toEqual(['two_processes']);
  });

  it('takes no exchange of an earlier process again: what was replayed changes nothing, and no quarantine comes of it', async () => {
    const captured: [Record<string, string>, string][] = [];
    const keep: Send = (url, headers, payload) => {
      captured.push([headers, payload]);
      return test.send(url, headers, payload);
    };
    const before = new Shop(keep);
    await before.join(await test.invite('Bakery', 'replayed'));
    captured.length = 0;
    for (const version of ['1.0.0', '1.0.1']) await before.exchange({ version, state: { can_sell: false } });
    const shop = new Shop(test.send, before.key);
    shop.issuer = before.issuer;
    await shop.exchange({ version: '2.0.0', state: { can_sell: true } });
    for (let turn = 0; turn < 3; turn += 1) {
      for (const [headers, payload] of captured)
        expect(outcome(await test.send('/v1/exchange', headers, payload))).toEqual([
          409,
          'exchange_superseded',
        ]);
      expect((await shop.exchange()).body.data.quarantined).toBeNull();
    }
    const agent = await test.database
      .selectFrom('agent')
      .select(['run_id', 'state'])
      .where('id', '=', shop.issuer?.split('/')[1] ?? '')
      .executeTakeFirst();
    expect(agent).toEqual({ run_id: shop.runId, state: { can_sell: true } });
  });

  it('of a newer agent is taken: what this release does not know is left out, and kept in the state', async () => {
    const shop = await joined('newer');
    const state = { can_sell: true, moon: 1, terminals: [{ name: 'Till 1', tilt: 3 }] };
    const outcomes = [{ id: randomUUID(), state: 'postponed', details: null, until: 3 }];
    expect((await shop.exchange({ unknown: 1, state, outcomes })).status).toBe(200);
    const whole = batch(entries(2), 1, 2);
    const mixed = whole.entries.map((entry) => ({ ...entry, note: 'x' }));
    const damaged = { ...mixed[1], damaged: 'the row does not fit its hash', content: null };
    const sent = { ...whole, note: 'x', entries: [mixed[0], damaged] };
    expect((await shop.post('/v1/journal', sent)).body.data).toMatchObject({ next_seq: 3 });
    const agent = shop.issuer?.split('/')[1] ?? '';
    const kept = await test.database
      .selectFrom('agent')
      .select('state')
      .where('id', '=', agent)
      .executeTakeFirst();
    expect(kept).toEqual({ state });
    const rows = await test.database
      .selectFrom('journal')
      .select('damaged')
      .where('agent_id', '=', agent)
      .orderBy('seq')
      .execute();
    expect(rows).toEqual([{ damaged: null }, { damaged: damaged.damaged }]);
    const newcomer = new Shop(test.send);
    const key = { kty: 'OKP', crv: 'Ed25519', x: newcomer.x, kid: '1' };
    const enrolment = { code: await test.invite('Bakery', 'newcomer'), key, version: '9', tpm: true };
    expect((await newcomer.post('/v1/enrolments', enrolment)).status).toBe(201);
  });

  it('refuses what it does not know, in words, and stores nothing of it', async () => {
    const shop = await joined('wrong');
    expect(outcome(await shop.exchange({ state: { long: 'x'.repeat(40_000) } }))).toEqual([
      413,
      'state_too_large',
    ]);
    for (const state of [{ text: 'a\u0000' }, { text: '\ud800' }, { ['k\udc00']: 1 }])
      expect(outcome(await shop.exchange({ state }))).toEqual([400, 'request_invalid']);
    expect((await shop.exchange({ state: { path: 'C:\\u0000' } })).status).toBe(200);
    expect(outcome(await shop.exchange({ epoch: 'e\u0000' }))).toEqual([400, 'request_invalid']);
    for (const state of [{ can_sell: 'yes' }, { terminals: {} }, { outbox: { pending: -1 } }])
      expect(outcome(await shop.exchange({ state }))).toEqual([400, 'request_invalid']);
    expect(outcome(await shop.post('/v1/exchange', 'text'))).toEqual([400, 'request_invalid']);
    expect(outcome(await shop.post('/v1/payments', {}))).toEqual([404, 'route_unknown']);
    expect((await shop.exchange()).body.data.has_state).toBe(true);
  });
});
