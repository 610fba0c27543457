import { describe, expect, it } from 'vitest';
import { shopWithMirror } from '../api/mirrored-shop.ts';
import { command, documentOf } from './command-line.ts';

const LISTS = {
  customers: Array.from({ length: 25 }, (_, index) => ({
    id: `c${index}`,
    name: index === 7 ? 'Zoë \u001b[31m Müller' : `Customer ${index}`,
    email: `c${index}@shop.example`,
  })),
  invoices: [
    { id: 'i1', number: 'INV-1', status: 'open', currency: 'EUR', total_minor: 1234, amount_due_minor: 34 },
  ],
  disputes: [],
};

async function shop() {
  const { socket } = await shopWithMirror(LISTS);
  return (...words: readonly string[]) => command(['--utc', '--socket', socket, 'mirror', ...words]);
}

/** As a machine in UTC shows it. */
const SHOWN = '2026-11-22 09:00:00Z';

describe('tillctl mirror', () => {
  it('shows what is mirrored, with rows and age', async () => {
    const { exit, out } = await (await shop())();
    expect(exit).toBe(0);
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['LIST', 'ROWS', 'COMPLETE UNTIL', 'READ AT'],
      ['invoices', '1', SHOWN, '/v2/invoices'],
      ['customers', '25', SHOWN, '/v2/customers'],
      ['disputes', '0', SHOWN, '/v2/disputes'],
      [''],
    ]);
  });

  it('shows a list as a table, with amounts in their currency and no control characters', async () => {
    const tillctl = await shop();
    expect((await tillctl('invoices')).out).toContain('INV-1   open    12.34 EUR  0.34 EUR');
    expect((await tillctl('invoices')).out).not.toContain('paid');
    const { out, err } = await tillctl('customers');
    expect(out.trimEnd().split('\n')).toHaveLength(21);
    expect(out).not.toContain('\u001b');
    expect(err).toContain(`Complete until ${SHOWN}.`);
    expect(err).toContain('There are more');
    expect((await tillctl('disputes')).out).toBe('There are no disputes.\n');
  });

  it('searches, and prints what the interface answered', async () => {
    const tillctl = await shop();
    const { out } = await tillctl('customers', '--search', 'MULL zoe', '--json');
    expect(documentOf(out)).toMatchObject({ object: 'list', data: [{ id: 'c7' }], has_more: false });
    expect((await tillctl('customers', '--search', 'nobody')).out).toBe(
      'There are no customers with "nobody".\n',
    );
    expect((await tillctl('customers', '--limit', '2', '--json')).out).toContain('"has_more":true');
  });

  it('says where no list is mirrored at all that these are the lists of the service', async () => {
    const { socket } = await shopWithMirror({});
    const { exit, err } = await command(['--socket', socket, 'mirror', 'customers']);
    expect(exit).toBe(2);
    expect(err).toMatch(
      /only lists of the billing service are shown here.*has no "service".*tillctl integrations PROVIDER/,
    );
  });

  it.each([
    [['payouts'], 'payouts'],
    [['--search', 'x'], '--search needs the list'],
    [['customers', '--limit', '101'], 'limit'],
  ])('refuses %j with words', async (words, printed) => {
    const { exit, err } = await (await shop())(...words);
    expect(exit).toBe(2);
    expect(err).toContain(printed);
  });
});
