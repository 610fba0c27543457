import { z } from 'zod';
import { hold } from '../breach.ts';
import { shapeOf } from '../expect.ts';
import { ask, type Group, type Row } from '../row.ts';
import { dataOf, Payment, PaymentTotals } from '../shapes.ts';
import type { Side } from '../sides/side.ts';
import { ended, PAYMENTS } from './sales.ts';

const OPERATION = 'operation:GET /v2/terminal-payments';
const INVOICE = '0198c5a0-0000-7000-8000-0000000000ab';
/** tilld's own: the interface has the list alone. */
const EXEMPT = {
  sandbox: 'The interface shows no filter of this list: “GET | /terminal-payments | list”',
} as const;
const Found = z.looseObject({ data: z.array(Payment), has_more: z.boolean() });
/** What tilld adds to a payment, as far as it is searched. */
const Own = z.looseObject({ masked_pan: z.string(), receipt_number: z.string() });

/** Finding a payment by what a customer or a receipt says of it. */
export const paymentSearchGroup: Group = {
  name: 'finding payments',
  rows: [
    searchRow('amount', 'a payment is found by its amount', async (side) => {
      const { id, amount_minor } = await ended(side, 'succeeded');
      await isOnly(side, `amount_minor=${amount_minor}`, id);
    }),
    searchRow('card', 'a payment is found by the last four digits of its card', async (side) => {
      const { id, masked_pan } = await ownOf(side);
      const ids = await found(side, `card_last4=${masked_pan.slice(-4)}`);
      hold(ids.includes(id), () => `card_last4=${masked_pan.slice(-4)} does not give ${id}`);
    }),
    searchRow(
      'receipt',
      'a payment is found by its receipt number, with zeros before it or not',
      async (side) => {
        const { id, receipt_number: number } = await ownOf(side);
        for (const form of [number, String(Number(number)), `00${number}`]) {
          const ids = await found(side, `receipt_number=${form}`);
          hold(ids.includes(id), () => `receipt_number=${form} does not give ${id}, number ${number}`);
        }
      },
    ),
    searchRow(
      'reference',
      'a payment is found by its whole reference, in any letters, and by no part of it',
      async (side) => {
        const { id } = await ended(side, 'declined', { reference: 'Table 44' });
        await isOnly(side, 'reference=table%2044', id);
        hold(
          (await found(side, 'reference=table')).length === 0,
          () => 'a part of a reference gives payments',
        );
      },
    ),
    searchRow('invoice', 'a payment is found by its invoice, capitals or not', async (side) => {
      const { id } = await ended(side, 'declined', { invoice_id: INVOICE });
      for (const form of [INVOICE, INVOICE.toUpperCase()]) await isOnly(side, `invoice_id=${form}`, id);
    }),
    searchRow('span', 'a span has its beginning and not its end', async (side) => {
      const { id, created_at } = await ended(side, 'declined');
      const at = Date.parse(String(created_at));
      const [begin, end] = [new Date(at).toISOString(), new Date(at + 1).toISOString()];
      await isOnly(side, `created_gte=${begin}&created_lt=${end}`, id);
      const before = await found(side, `created_lt=${begin}`);
      hold(!before.includes(id), () => 'the end of a span is in it');
    }),
    searchRow('all', 'a payment is found that fits every filter', async (side) => {
      const { id, amount_minor } = await ended(side, 'declined');
      await isOnly(side, `amount_minor=${amount_minor}&status=declined&on=today`, id);
      for (const other of ['status=succeeded', 'on=yesterday'])
        hold(
          (await found(side, `amount_minor=${amount_minor}&${other}`)).length === 0,
          () => `${other} gives a payment that does not fit it`,
        );
    }),
    searchRow('pages', 'pages of a search give every payment that fits once and in order', async (side) => {
      const amount_minor = side.freshAmount();
      const made: string[] = [];
      for (let no = 0; no < 3; no += 1) made.unshift((await ended(side, 'declined', { amount_minor })).id);
      const walked: string[] = [];
      for (let more = true; more; ) {
        const cursor = walked.length === 0 ? '' : `&starting_after=${walked.at(-1)}`;
        const page = await pageOf(side, `limit=1&amount_minor=${amount_minor}${cursor}`);
        walked.push(...page.data.map(({ id }) => id));
        more = page.has_more;
        hold(walked.length <= made.length, () => 'has_more does not become false');
      }
      hold(walked.join() === made.join(), () => `page by page it gave ${walked.length} of ${made.length}`);
      const { data } = await pageOf(side, `limit=1&amount_minor=${amount_minor}&ending_before=${made[2]}`);
      hold(data[0]?.id === made[1], () => 'ending_before does not give the one right before');
    }),
    ...[
      ['card_last4', '42'],
      ['card_last4', '42424'],
      ['card_last4', 'abcd'],
      ['amount_minor', '0'],
      ['amount_minor', '12.34'],
      ['created_gte', 'yesterday'],
      ['created_lt', '2026-11-25'],
      ['on', '2026-02-30'],
      ['on', 'tomorrow'],
      ['receipt_number', ''],
      ['reference', ''],
      ['invoice_id', 'R-1'],
    ].map(([param = '', value = '']) =>
      wrongRow(`${param}=${value || 'empty'}`, `${param}=${encodeURIComponent(value)}`, param),
    ),
    wrongRow(
      'span-backwards',
      'created_gte=2026-11-25T00:00:00Z&created_lt=2026-11-24T00:00:00Z',
      'created_lt',
    ),
    wrongRow('day-and-span', 'on=today&created_gte=2026-11-25T00:00:00Z', 'on'),
    searchRow('unknown-cursor', 'a cursor that names no payment is 400 and named', async (side) => {
      const error = {
        type: 'invalid_request_error',
        code: 'resource_missing',
        param: 'starting_after',
      } as const;
      await ask(
        side,
        { path: `${PAYMENTS}?amount_minor=1&starting_after=${INVOICE}` },
        { status: 400, error },
      );
    }),
    searchRow('totals', 'the totals of a day are what succeeded, by currency', async (side) => {
      const before = await salesOf(side);
      const { amount_minor } = await ended(side, 'succeeded');
      await ended(side, 'declined');
      const after = await salesOf(side);
      hold(
        after.count === before.count + 1 && after.amount_minor === before.amount_minor + amount_minor,
        () => `after a sale of ${amount_minor}: ${JSON.stringify(before)}, then ${JSON.stringify(after)}`,
      );
    }),
  ],
};

function searchRow(id: string, what: string, run: Row['run']): Row {
  return {
    id: `search/${id}`,
    section: 'Endpoints: Terminal',
    what,
    covers: [OPERATION],
    exempt: EXEMPT,
    run,
  };
}

/** A filter that cannot be: it is rejected, never passed over. */
function wrongRow(id: string, query: string, param: string): Row {
  return searchRow(id, `${query} is 400 and names ${param}`, async (side) => {
    const error = { type: 'invalid_request_error', code: 'validation_error', param } as const;
    await ask(side, { path: `${PAYMENTS}?${query}` }, { status: 400, error });
  });
}

async function pageOf(side: Side, query: string) {
  const answer = await ask(side, { path: `${PAYMENTS}?${query}` }, { status: 200 });
  return shapeOf('the page', Found, answer.json);
}

async function found(side: Side, query: string): Promise<readonly string[]> {
  return (await pageOf(side, query)).data.map(({ id }) => id);
}

async function isOnly(side: Side, query: string, id: string): Promise<void> {
  const ids = await found(side, query);
  hold(ids.join() === id, () => `${query} gives ${ids.join() || 'nothing'}, not ${id}`);
}

/** A paid sale, with what its terminal said of it. */
async function ownOf(side: Side) {
  const payment = await ended(side, 'succeeded');
  return { ...payment, ...shapeOf('the paid sale', Own, payment) };
}

async function salesOf(side: Side) {
  const { json } = await ask(
    side,
    { path: '/v2/terminal-payment-totals?on=today' },
    { status: 200, body: dataOf(PaymentTotals) },
  );
  const { currencies } = shapeOf('the totals', dataOf(PaymentTotals), json).data;
  return currencies.find(({ currency }) => currency === 'EUR')?.sales ?? { count: 0, amount_minor: 0 };
}
