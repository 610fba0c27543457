import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batch, CHAIN_START, entries, type Operator, Shop, type TestHub, testHub } from '../../fleet/hub.ts';

const ALL = 'from=2000-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';

describe('the export of the journal', () => {
  let test: TestHub;
  let viewer: Operator;
  beforeAll(async () => {
    test = await testHub();
    await test.tenant('Bakery');
    viewer = await test.operator('Bakery', 'viewer');
  });
  afterAll(() => test.stop());

  async function joined(name: string): Promise<Shop> {
    const shop = new Shop(test.send);
    await shop.join(await test.invite('Bakery', name));
    return shop;
  }
  const exported = async (query = ALL) =>
    (await viewer.ask('GET', `/v1/exports/journal?${query}`)).body
      .trimEnd()
      .split('\n')
      .map((line: string) => JSON.parse(line));

  it('proves by its last lines that each chain is whole', async () => {
    const [first, second] = [await joined('one'), await joined('=two')];
    await joined('silent');
    const all = entries(60);
    await first.post('/v1/journal', batch(all, 1, 50));
    await first.post('/v1/journal', batch(all, 51, 60));
    await second.post('/v1/journal', batch(all, 41, 60));
    const lines = await exported();
    expect(lines.at(-1)).toEqual({ record: 'end', rows: 80, chains: 2 });
    const chains = lines.filter(({ record }: { record: string }) => record === 'chain');
    expect(chains).toMatchObject([
      { shop: '=two', first_seq: 41, last_seq: 60, rows: 20, previous_hash: null, head_seq: 60 },
      {
        shop: 'one',
        first_seq: 1,
        last_seq: 60,
        rows: 60,
        last_hash: all[59]?.hash,
        head_hash: all[59]?.hash,
      },
    ]);
    let last = CHAIN_START;
    for (const row of lines.filter(
      (line: { shop: string; record: string }) => line.shop === 'one' && line.record === 'entry',
    )) {
      const { seq, attempt_id, at, event, from_state, to_state, details } = row;
      const fields = JSON.stringify([seq, attempt_id, at, event, from_state, to_state, details]);
      last = createHash('sha256').update(`${last}\n${fields}`).digest('hex');
      expect(row.hash).toBe(last);
    }
    expect(last).toBe(all[59]?.hash);
  });

  it('joins the period before: the next one begins behind it, with its hash', async () => {
    const shop = await joined('periods');
    const all = entries(30);
    await shop.post('/v1/journal', batch(all, 1, 20));
    await new Promise((resolve) => setTimeout(resolve, 5));
    await shop.post('/v1/journal', batch(all, 21, 30));
    const rows = await exported();
    const border = rows.find(
      ({ shop: name, seq }: { shop: string; seq: number }) => name === 'periods' && seq === 21,
    ).received_at;
    const part = async (query: string) =>
      (await exported(query)).find(
        (line: { shop: string; record: string }) => line.shop === 'periods' && line.record === 'chain',
      );
    expect(await part(`from=2000-01-01T00:00:00Z&to=${border}`)).toMatchObject({
      first_seq: 1,
      last_seq: 20,
      rows: 20,
      head_seq: 30,
    });
    expect(await part(`from=${border}&to=2100-01-01T00:00:00Z`)).toMatchObject({
      first_seq: 21,
      last_seq: 30,
      previous_hash: all[19]?.hash,
    });
    expect(await part('from=2000-01-01T00:00:00Z&to=2001-01-01T00:00:00Z')).toMatchObject({
      rows: 0,
      head_seq: 30,
    });
  });

  it('is CSV that no spreadsheet takes for a formula', async () => {
    const { body, headers } = await viewer.ask('GET', `/v1/exports/journal?${ALL}&format=csv`);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    const lines = body.split('\r\n');
    expect(lines[0]).toMatch(/^record,shop,agent_id,epoch/);
    expect(body).toContain("entry,'=two,");
    expect(body).not.toMatch(/(^|,)[=+@]/m);
    expect(lines.at(-1)).toBe('');
    expect(lines.at(-2)).toMatch(/^end,/);
  });

  it('is in the audit, under the name of the operator', async () => {
    const { body } = await viewer.ask('GET', '/v1/audit-entries?limit=1');
    expect(body.data[0]).toMatchObject({ actor: `operator ${viewer.name}`, action: 'journal_exported' });
  });
});
