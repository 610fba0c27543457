import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/integration/connector.ts';
import type { MirrorPage, MirrorQuery } from '../../../src/integration/views/mirror.ts';
import type { Database } from '../../../src/store/database.ts';
import { SqliteMirrorReader } from '../../../src/store/mirror/sqlite-mirror-reader.ts';
import { mirrorRecords } from '../../support/mirrored.ts';
import { aMirror } from '../../support/sync.ts';

const CUSTOMERS = { integration: 'service', resource: 'customers' } as const;
const NAMES = ['Łukasz Żak', 'Anna Müller', 'ANNA-MARIA de Groß', 'Bob "Tables" O’Neil', 'Anna Mauer'];

const customer = (index: number, more: JsonObject = {}): JsonObject => ({
  id: `cus-${index}`,
  object: 'customer',
  name: NAMES[index] ?? `Customer ${index}`,
  ...more,
});

function readerOf(records: Iterable<JsonObject>, database = aMirror()): SqliteMirrorReader {
  mirrorRecords(database, 'customers', records);
  return new SqliteMirrorReader(database);
}

const ask = (reader: SqliteMirrorReader, query: Partial<MirrorQuery> = {}): MirrorPage =>
  reader.page(CUSTOMERS, { place: { offset: 0 }, limit: 100, isCounted: true, ...query });
const idsOf = ({ rows }: MirrorPage) => rows.map(({ id }) => id);

function* many(count: number, more: (index: number) => JsonObject = () => ({})) {
  for (let index = 0; index < count; index += 1) yield customer(index, more(index));
}

describe('a page of the mirror', () => {
  it('begins at any offset, in the order in which the rows were first read, with the total', () => {
    const reader = readerOf(many(9_000));
    const page = ask(reader, { place: { offset: 8_190 }, limit: 3 });
    expect(idsOf(page)).toEqual(['cus-8190', 'cus-8191', 'cus-8192']);
    expect(page).toMatchObject({ hasMore: true, offset: 8_190, total: 9_000 });
    const last = ask(reader, { place: { offset: 8_999 } });
    expect([idsOf(last), last.hasMore]).toEqual([['cus-8999'], false]);
    expect(ask(reader, { place: { offset: 9_000 } }).rows).toEqual([]);
  });

  it('goes on behind a cursor and before one, and says how many rows stand before it', () => {
    const reader = readerOf(many(5_000));
    const after = ask(reader, { place: { after: 'cus-4497' }, limit: 2 });
    expect([idsOf(after), after.offset, after.hasMore]).toEqual([['cus-4498', 'cus-4499'], 4_498, true]);
    const before = ask(reader, { place: { before: 'cus-2' }, limit: 5 });
    expect([idsOf(before), before.offset, before.hasMore]).toEqual([['cus-0', 'cus-1'], 0, false]);
    expect(() => ask(reader, { place: { after: 'cus-x' } })).toThrowError(
      expect.objectContaining({ code: 'CURSOR_UNKNOWN' }),
    );
  });

  it('counts and leaves out deleted rows, also when one comes back', () => {
    const database = aMirror();
    const reader = readerOf(many(10), database);
    mirrorRecords(database, 'customers', [customer(1, { is_gone: true }), customer(3, { is_gone: true })]);
    expect(ask(reader).total).toBe(8);
    expect(idsOf(ask(reader, { place: { offset: 1 }, limit: 2 }))).toEqual(['cus-2', 'cus-4']);
    expect(idsOf(ask(reader, { search: 'muller' }))).toEqual([]);
    mirrorRecords(database, 'customers', [customer(1)]);
    expect(ask(reader).total).toBe(9);
    expect(idsOf(ask(reader, { search: 'muller' }))).toEqual(['cus-1']);
    database.run('DELETE FROM rows');
    expect([ask(reader).total, ask(reader, { search: 'muller' }).total]).toEqual([0, 0]);
    expect(database.all('SELECT * FROM row_blocks')).toEqual([]);
  });

  it('holds only the generation that readers see', () => {
    const database = aMirror();
    const reader = readerOf(many(10), database);
    const building =
      "INSERT INTO rows (stream, generation, id, hash, fate, sweep, scan, body) SELECT stream, 2, id || 'x', hash, 0, 1, 1, body FROM rows";
    database.run(building);
    expect([ask(reader).total, ask(reader, { search: 'anna' }).total]).toEqual([10, 3]);
    database.run('UPDATE streams SET generation = 2');
    expect(idsOf(ask(reader, { search: 'anna' }))).toEqual(['cus-1x', 'cus-2x', 'cus-4x']);
  });

  it('is filtered by field, by customer, and put into an order of its own', () => {
    const reader = readerOf(
      many(6, (index) => ({
        status: index % 2 === 0 ? 'open' : 'paid',
        currency: index < 4 ? 'EUR' : 'USD',
        ...(index === 5
          ? {}
          : { customer_id: index < 3 ? 'c1' : 'c2', disputed_at: `2026-01-0${(index * 2) % 5}` }),
      })),
    );
    expect(idsOf(ask(reader, { where: { status: 'open' } }))).toEqual(['cus-0', 'cus-2', 'cus-4']);
    expect(ask(reader, { where: { status: 'open', currency: 'EUR' } }).total).toBe(2);
    expect(idsOf(ask(reader, { where: { status: 'open' }, search: 'anna' }))).toEqual(['cus-2', 'cus-4']);
    expect(idsOf(ask(reader, { customerId: 'c2' }))).toEqual(['cus-3', 'cus-4']);
    expect(
      idsOf(ask(reader, { customerId: 'c1', place: { after: 'cus-0' }, where: { status: 'open' } })),
    ).toEqual(['cus-2']);
    const order = { field: 'disputed_at', descending: true };
    expect(idsOf(ask(reader, { order }))).toEqual(['cus-2', 'cus-4', 'cus-1', 'cus-3', 'cus-0', 'cus-5']);
    expect(idsOf(ask(reader, { order: { ...order, descending: false }, where: { status: 'paid' } }))).toEqual(
      ['cus-3', 'cus-1', 'cus-5'],
    );
  });
});

describe('a search in the mirror', () => {
  const reader = () =>
    readerOf(many(2_000, (index) => ({ phone: '+49 30 555', total_minor: 700_000 + index })));

  it.each([
    ['anna', ['cus-1', 'cus-2', 'cus-4']],
    ['ANNA mu', ['cus-1']],
    ['maria anna', ['cus-2']],
    ['MÜLLER', ['cus-1']],
    ['lukasz zak', ['cus-0']],
    ['gross', ['cus-2']],
    ['customer 1999', ['cus-1999']],
    ['7000,01', ['cus-1']],
  ])('finds %s by words that begin so, in any case and with or without accents', (search, ids) => {
    expect(idsOf(ask(reader(), { search, limit: 5 }))).toEqual(ids);
  });

  it.each([
    '"',
    '*',
    'anna"*',
    'NEAR(anna muller)',
    'anna OR bob',
    'words:anna',
    "'; DROP TABLE rows; --",
    'a'.repeat(200),
    'anna\0',
    '\0',
    '=status=open',
    '^anna',
    '-anna',
    '😀',
  ])('takes %j as text, never as syntax', (search) => {
    const page = ask(reader(), { search });
    expect(page.total).toBe(page.rows.length);
    expect(page.rows.every(({ body }) => /anna|bob/i.test(String(body['name'])))).toBe(true);
  });

  it('finds a long word that most rows have, and one that few have, page by page', () => {
    const found = reader();
    const pages = [0, 700, 1_400].flatMap((offset) =>
      idsOf(ask(found, { search: 'customer', limit: 700, place: { offset } })),
    );
    expect(pages).toEqual(Array.from({ length: 1_995 }, (_, index) => `cus-${index + 5}`));
    expect(idsOf(ask(found, { search: 'customer', limit: 2, place: { offset: 4 } }))).toEqual([
      'cus-9',
      'cus-10',
    ]);
    expect(idsOf(ask(found, { search: 'custo 1998' }))).toEqual(['cus-1998']);
    expect(ask(found, { search: 'customex 1998' }).rows).toEqual([]);
    expect(idsOf(ask(found, { search: 'custo', place: { before: 'cus-7' } }))).toEqual(['cus-5', 'cus-6']);
  });

  it('sees a change at once, and finds a row by its id in either form', () => {
    const database: Database = aMirror();
    const id = '0199c0de-0001-7000-8000-00000000000b';
    const found = readerOf([customer(1), { ...customer(2), id }], database);
    mirrorRecords(database, 'customers', [{ ...customer(1), name: 'Zoë' }]);
    expect(idsOf(ask(found, { search: 'zoe' }))).toEqual(['cus-1']);
    expect(idsOf(ask(found, { search: 'muller' }))).toEqual([]);
    expect(idsOf(ask(found, { search: ` ${id.toUpperCase()} ` }))).toEqual([id]);
    expect(ask(found, { search: id, where: { status: 'open' } }).rows).toEqual([]);
  });

  it('finds a row by its public id', () => {
    const found = readerOf([{ ...customer(1), public_id: 'dsp_1' }, customer(2)]);
    expect(found.find(CUSTOMERS, 'dsp_1')?.id).toBe('cus-1');
    expect(found.find(CUSTOMERS, 'dsp_2')).toBeNull();
  });
});
