import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  batch,
  type Entries,
  entries,
  type Operator,
  type Reply,
  Shop,
  type TestHub,
  testHub,
} from '../../fleet/hub.ts';

const outcome = ({ status, body }: Reply) => [status, body?.error?.code];
const ALL = 'from=2000-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';

describe('an agent in quarantine', () => {
  let test: TestHub;
  let admin: Operator;
  let operator: Operator;
  beforeAll(async () => {
    test = await testHub();
    await test.tenant('Bakery');
    await test.tenant('Butcher');
    admin = await test.operator('Bakery', 'admin');
    operator = await test.operator('Bakery', 'operator');
  });
  afterAll(() => test.stop());

  const idOf = (shop: Shop) => shop.issuer?.split('/')[1] ?? '';
  const viewOf = async (shop: string) =>
    (await operator.ask('GET', `/v1/shops/${encodeURIComponent(shop)}`)).body.data.agents[0];
  const released = (shop: Shop, body: object, by = admin) =>
    by.ask('POST', `/v1/agents/${idOf(shop)}/release`, { body });
  const auditOf = async (action: string, shop: Shop) =>
    (await admin.ask('GET', '/v1/audit-entries?limit=500')).body.data.filter(
      (entry: { action: string; details: { agent: string } }) =>
        entry.action === action && entry.details.agent === idOf(shop),
    );

  async function joined(name: string): Promise<Shop> {
    const shop = new Shop(test.send);
    await shop.join(await test.invite('Bakery', name));
    return shop;
  }

  /** Two histories that part at entry 9; the hub saw the second one from entry 7 on. */
  async function contradicting(name: string): Promise<{ shop: Shop; first: Entries; second: Entries }> {
    const shop = await joined(name);
    await shop.exchange();
    const first = entries(20);
    const second = [...first.slice(0, 8), ...entries(22, 9, first[7]?.hash, 'declined')];
    await shop.post('/v1/journal', batch(first, 1, 12));
    await shop.post('/v1/journal', batch(second, 7, 16));
    expect((await shop.exchange()).body.data.quarantined).toBe('journal_contradicts');
    return { shop, first, second };
  }

  it('shows the entry at which its journal contradicts itself, and is trusted again from a named one on', async () => {
    const { shop, first, second } = await contradicting('put back');
    const broken = { epoch: 'e1', branch: 1, seq: 9 };
    const hashes = { stored_hash: first[8]?.hash, sent_hash: second[8]?.hash };
    expect(await viewOf('put back')).toMatchObject({
      quarantined: 'journal_contradicts',
      breaks: [{ ...broken, ...hashes }],
      releases: [],
    });
    const reason = 'the shop was put back to yesterday; its old machine is gone';
    const position = { epoch: 'e1', branch: 1, seq: 16 };
    const reply = await released(shop, { ...position, reason });
    expect([reply.status, reply.body.data]).toMatchObject([
      200,
      {
        quarantined: null,
        breaks: [{ ...broken, ...hashes }],
        releases: [{ ...position, reason, hash: second[15]?.hash, quarantined: 'journal_contradicts' }],
      },
    ]);
    const { body } = await shop.exchange();
    expect(body.data).toMatchObject({ quarantined: null, journal: { next_seq: 17 } });
    await shop.post('/v1/journal', batch(second, 17, 20));
    await shop.post('/v1/journal', batch(first, 1, 12));
    expect((await shop.exchange()).body.data).toMatchObject({ quarantined: null, journal: { next_seq: 21 } });
    expect((await operator.ask('GET', '/v1/alerts?open=true&shop=put%20back')).body.data).toEqual([]);
  });

  it('keeps for ever where the journal broke: in the shop, the export and the audit', async () => {
    const { shop, second } = await contradicting('evidence');
    await released(shop, { epoch: 'e1', branch: 1, seq: 16, reason: 'found' });
    await shop.post('/v1/journal', batch(second, 17, 30));
    expect((await viewOf('evidence')).breaks).toMatchObject([{ branch: 1, seq: 9 }]);
    const lines = (await operator.ask('GET', `/v1/exports/journal?${ALL}`)).body.trimEnd().split('\n');
    const chains = lines
      .map((line: string) => JSON.parse(line))
      .filter(
        (line: { record: string; shop: string }) => line.record === 'chain' && line.shop === 'evidence',
      );
    expect(chains).toMatchObject([
      { branch: 0, rows: 12, break_seq: null, trusted_seq: null, trusted_at: null },
      { branch: 1, rows: 24, break_seq: 9, trusted_seq: 16, trusted_at: new Date(test.now).toISOString() },
    ]);
    const broke = { epoch: 'e1', branch: 1, seq: 7, break_seq: 9, reason: 'journal_contradicts' };
    expect(await auditOf('agent_quarantined', shop)).toMatchObject([{ actor: 'hub', details: broke }]);
    expect(await auditOf('agent_released', shop)).toMatchObject([
      {
        actor: `operator ${admin.name}`,
        details: { branch: 1, seq: 16, hash: second[15]?.hash, reason: 'found' },
      },
    ]);
  });

  it('is in quarantine again when the other history goes on, or a third one comes', async () => {
    for (const third of [false, true]) {
      const { shop, first, second } = await contradicting(`again ${third}`);
      await released(shop, { epoch: 'e1', branch: 1, seq: 16, reason: 'found' });
      const other = third ? [...second.slice(0, 12), ...entries(4, 13, second[11]?.hash, 'x')] : first;
      await shop.post('/v1/journal', batch(other, 13, 16));
      expect((await shop.exchange()).body.data.quarantined).toBe('journal_contradicts');
      expect((await viewOf(`again ${third}`)).releases).toHaveLength(1);
      expect(await auditOf('agent_quarantined', shop)).toHaveLength(2);
    }
  });

  it('is released by an administrator, with a reason, at an entry that the hub has', async () => {
    const { shop } = await contradicting('refused');
    const asked = { epoch: 'e1', branch: 1, seq: 16, reason: 'found' };
    expect(outcome(await released(shop, asked, operator))).toEqual([403, 'role_too_small']);
    expect(outcome(await released(shop, asked, await test.operator('Butcher', 'admin')))).toEqual([
      404,
      'resource_missing',
    ]);
    for (const wrong of [{ reason: '' }, { reason: undefined }, { seq: -1 }])
      expect(outcome(await released(shop, { ...asked, ...wrong }))).toEqual([400, 'request_invalid']);
    for (const wrong of [{ seq: 17 }, { seq: 0 }, { branch: 2 }, { epoch: 'e0' }])
      expect(outcome(await released(shop, { ...asked, ...wrong }))).toEqual([422, 'position_unknown']);
    expect((await shop.exchange()).body.data.quarantined).toBe('journal_contradicts');
    expect(await auditOf('agent_released', shop)).toEqual([]);
    expect((await released(shop, asked)).status).toBe(200);
    expect(outcome(await released(shop, asked))).toEqual([409, 'agent_not_quarantined']);
  });

  it('that two processes have used is released, too, also before its first entry; three more turns withhold again', async () => {
    const shop = await joined('two');
    const second = new Shop(test.send, shop.key);
    second.issuer = shop.issuer;
    const turns = async () => {
      for (let turn = 0; turn < 2; turn += 1) for (const one of [shop, second]) await one.exchange();
      return (await shop.exchange()).body.data.quarantined;
    };
    expect(await turns()).toBe('two_processes');
    expect(
      (await released(shop, { epoch: 'e1', branch: 0, seq: 0, reason: 'the copy is ended' })).status,
    ).toBe(200);
    expect((await shop.exchange()).body.data.quarantined).toBeNull();
    expect(await turns()).toBe('two_processes');
  });
});
