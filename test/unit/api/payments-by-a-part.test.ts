import { expect, it } from 'vitest';
import { shopWithMirror } from './mirrored-shop.ts';

const invoice = (id: string, number: string, more: object = {}) => ({
  id,
  object: 'invoice',
  number,
  ...more,
});
const INVOICES = [
  invoice('a1', 'RE-2026-0042'),
  invoice('a2', 'RE-2026-0043'),
  invoice('a3', 'RE-2026-0051', { customer_name: '0042' }),
];

it('a part is that of a reference, or of the number of an invoice, and not of what else an invoice says', async () => {
  const { get, payments } = await shopWithMirror({ invoices: INVOICES });
  for (const [text, invoiceIds] of [
    ['0042', ['a1']],
    ['re-2026-004', ['a1', 'a2']],
    ['table', []],
  ] as const) {
    expect((await get(`/v2/terminal-payments?contains=${text}`)).status).toBe(200);
    expect(payments.searches.at(-1)).toMatchObject({ part: { text, invoiceIds } });
  }
  expect((await get('/v2/terminal-payments?contains=42')).status).toBe(400);
});

it('a part is that of a reference alone where no invoices are mirrored', async () => {
  const { get, payments } = await shopWithMirror({});
  expect((await get('/v2/terminal-payments?contains=0042')).status).toBe(200);
  expect(payments.searches.at(-1)).toMatchObject({ part: { text: '0042', invoiceIds: [] } });
});
