import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batch, entries, Shop, type TestHub, testHub } from '../../fleet/hub.ts';

describe('the journal of a shop at the hub', () => {
  let test: TestHub;
  beforeAll(async () => {
    test = await testHub();
    await test.tenant('Bakery');
  });
  afterAll(() => test.stop());

  async function joined(name: string): Promise<Shop> {
    const shop = new Shop(test.send);
    expect((await shop.join(await test.invite('Bakery', name))).status).toBe(201);
    return shop;
  }
  const sent = (shop: Shop, body: unknown) => shop.post('/v1/journal', body);
  const stored = async (shop: Shop) => {
    const agent = shop.issuer?.split('/')[1];
    const { rows } = await sql<{ branch: number; seqs: string; texts: string }>`SELECT branch,
      string_agg(seq::text, ' ' ORDER BY seq) AS seqs, min(details) AS texts FROM journal WHERE agent_id = ${agent}
      GROUP BY branch ORDER BY branch`.execute(test.database);
    return rows.map(({ branch, seqs }) => [branch, seqs]);
  };

  it('has each entry once, in order, whatever is sent again, late, or in overlapping parts', async () => {
    const shop = await joined('once');
    const all = entries(30);
    const cursors: number[] = [];
    for (const [from, to] of [
      [1, 10],
      [1, 10],
      [5, 15],
      [11, 20],
      [3, 7],
      [16, 30],
      [1, 30],
    ] as const)
      cursors.push((await sent(shop, batch(all, from, to))).body.data.next_seq);
    expect(cursors).toEqual([11, 11, 16, 21, 21, 31, 31]);
    expect(await stored(shop)).toEqual([[0, all.map(({ seq }) => seq).join(' ')]]);
  });

  it('keeps every byte of an entry, so that its hash can be computed again', async () => {
    const shop = await joined('bytes');
    const [entry] = entries(1);
    await sent(shop, batch(entries(1), 1, 1));
    const agent = shop.issuer?.split('/')[1] ?? '';
    const row = await test.database
      .selectFrom('journal')
      .selectAll()
      .where('agent_id', '=', agent)
      .executeTakeFirst();
    expect(row).toMatchObject({ ...entry, epoch: 'e1', branch: 0 });
  });

  it('asks for what is missing, and stores nothing behind a gap', async () => {
    const shop = await joined('gap');
    const all = entries(20);
    await sent(shop, batch(all, 1, 5));
    const reply = await sent(shop, batch(all, 8, 12));
    expect([reply.status, reply.body.error.code, reply.body.error.details]).toEqual([
      409,
      'journal_gap',
      { next_seq: 6 },
    ]);
    expect(await stored(shop)).toEqual([[0, '1 2 3 4 5']]);
    expect((await shop.exchange()).body.data.journal).toEqual({ next_seq: 6 });
  });

  it('begins where the shop begins: a shop that joins later has older entries in its archive', async () => {
    const shop = await joined('later');
    const all = entries(90);
    expect((await sent(shop, batch(all, 41, 60))).body.data).toMatchObject({ next_seq: 61, stored: 20 });
  });

  it('refuses an entry that was changed, and stores nothing of its batch', async () => {
    const shop = await joined('changed');
    const all = entries(10);
    const forged = all.map((entry) => (entry.seq === 4 ? { ...entry, to_state: 'declined' } : entry));
    const reply = await sent(shop, batch(forged, 1, 10));
    expect([reply.status, reply.body.error.code, reply.body.error.details]).toEqual([
      422,
      'journal_misfit',
      { seq: 4 },
    ]);
    expect(await stored(shop)).toEqual([]);
  });

  it('refuses what no database keeps as it is: its hash could never be computed again', async () => {
    const shop = await joined('characters');
    for (const text of ['a\u0000b', 'half \ud83d']) {
      const reply = await sent(shop, batch(entries(1, 1, undefined, text), 1, 1));
      expect([reply.status, reply.body.error.code]).toEqual([400, 'request_invalid']);
    }
  });

  it('keeps a history that contradicts a stored one apart, withholds commands, and raises one alert', async () => {
    const shop = await joined('two histories');
    const all = entries(20);
    const other = [...all.slice(0, 8), ...entries(12, 9, all[7]?.hash, 'declined')];
    await sent(shop, batch(all, 1, 12));
    expect((await sent(shop, batch(other, 7, 16))).body.data).toMatchObject({ branch: 1, next_seq: 17 });
    expect((await sent(shop, batch(all, 13, 20))).body.data).toMatchObject({ branch: 0, next_seq: 21 });
    expect((await sent(shop, batch(other, 17, 20))).body.data).toMatchObject({ branch: 1, next_seq: 21 });
    expect(await stored(shop)).toEqual([
      [0, all.map(({ seq }) => seq).join(' ')],
      [1, '7 8 9 10 11 12 13 14 15 16 17 18 19 20'],
    ]);
    expect((await shop.exchange()).body.data.quarantined).toBe('journal_contradicts');
    const agent = shop.issuer?.split('/')[1] ?? '';
    const alerts = await test.database
      .selectFrom('alert')
      .select('kind')
      .where('agent_id', '=', agent)
      .execute();
    expect(alerts).toEqual([{ kind: 'journal_contradicts' }]);
  });

  it('refuses the ninth history of one epoch: that is no copy any more', async () => {
    const shop = await joined('many histories');
    const replies = [];
    for (let no = 0; no < 9; no += 1)
      replies.push(await sent(shop, batch(entries(2, 1, undefined, `e${no}`), 1, 2)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 409]);
    expect(replies.at(-1)?.body.error.code).toBe('journal_branches');
  });

  it('stores each entry once when copies of one batch come at the same time', async () => {
    const shop = await joined('at once');
    const all = entries(40);
    const parts = [
      [1, 20],
      [1, 20],
      [11, 30],
      [1, 40],
      [1, 40],
    ] as const;
    // Its first entry may be any one; these follow it.
    await sent(shop, batch(all, 1, 1));
    const replies = await Promise.all(parts.map(([from, to]) => sent(shop, batch(all, from, to))));
    for (const { status } of replies) expect([200, 409]).toContain(status);
    await sent(shop, batch(all, 1, 40));
    expect((await stored(shop)).at(0)).toEqual([0, all.map(({ seq }) => seq).join(' ')]);
  });

  it('keeps a row that is damaged at the shop as such, with what stands behind it, and raises an alert', async () => {
    const shop = await joined('damaged');
    const all = entries(5);
    const whole = batch(all, 1, 5);
    const hash = all[2]?.hash;
    const damaged = {
      seq: 3,
      damaged: 'the row does not fit its hash',
      attempt_id: 'a3',
      content: '{"x":1}',
      hash,
    };
    const mixed = { ...whole, entries: whole.entries.map((entry) => (entry.seq === 3 ? damaged : entry)) };
    expect((await sent(shop, mixed)).body.data.next_seq).toBe(6);
    const rows = await test.database
      .selectFrom('journal')
      .select(['seq', 'damaged', 'details'])
      .where('agent_id', '=', shop.issuer?.split('/')[1] ?? '')
      .orderBy('seq')
      .execute();
    expect(rows.map((row) => row.damaged)).toEqual([null, null, damaged.damaged, null, null]);
    expect(rows[2]?.details).toBe('{"x":1}');
    const alerts = await test.database
      .selectFrom('alert')
      .select('kind')
      .where('agent_id', '=', shop.issuer?.split('/')[1] ?? '')
      .execute();
    expect(alerts).toEqual([{ kind: 'journal_damaged' }]);
  });
});
