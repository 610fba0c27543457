import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { hold } from '../breach.ts';
import { shapeOf } from '../expect.ts';
import { CUSTOMER_LISTS } from '../interface.ts';
import { ask, askAs, type Row } from '../row.ts';
import type { Side } from '../sides/side.ts';

const Listed = z.looseObject({
  data: z.array(z.looseObject({ id: z.uuid() })),
  has_more: z.boolean().optional(),
});
const Checked = z.looseObject({ data: z.looseObject({ has_access: z.boolean() }) });
const ORDER = 'Endpoints: Disputes and payouts';
const NOT_SHOWN = 'no field of the answer is shown, so the stand-in does not serve it: “billing state”';

/** Reads of the account besides its lists. */
export const merchantReads: readonly Row[] = [
  ...CUSTOMER_LISTS.map(customerListRow),
  orderRow('/v2/disputes', 'disputed_at', 'newest disputed date first', (a, b) => a >= b),
  orderRow('/v2/disputes/open', 'evidence_due_by', 'most urgent due date first', (a, b) => a <= b),
  orderRow('/v2/payouts', 'created_at', 'newest first', (a, b) => a >= b),
  openRow(),
  publicIdRow('/v2/disputes', 'dsp_3'),
  publicIdRow('/v2/payouts', 'pyt_3'),
  checkRow('/v2/customers/{customerId}/entitlements/check'),
  checkRow('/v2/entitlements/check'),
  stateRow(),
  payoutPaymentsRow(),
];

function customerListRow({ name, list, scope }: (typeof CUSTOMER_LISTS)[number]): Row {
  return {
    id: `customer/${name}`,
    section: 'Endpoints: Customers',
    what: `the ${name} of a customer are that customer's alone, by ${list}, with ${scope}`,
    covers: [`operation:GET /v2/customers/{customerId}/${name}`],
    run: async (side) => {
      const customer = await customerOf(side);
      const path = `/v2/customers/${customer}/${name}`;
      const all = await read(side, `${path}?limit=100`);
      hold(all.length >= 2, () => `there are ${all.length}`);
      hold(
        all.every((one) => one['customer_id'] === customer),
        () => 'another customer is among them',
      );
      const behind = list === 'cursor' ? `starting_after=${all[0]?.id}` : 'offset=1';
      const rest = await read(side, `${path}?limit=1&${behind}`);
      hold(rest[0]?.id === all[1]?.id, () => `behind the first comes ${rest[0]?.id}`);
      await askAs(side, `without ${scope}`, { path }, { status: 403 });
      await ask(side, { path: `/v2/customers/${randomUUID()}/${name}` }, { status: 404, flat: null });
      if (name !== 'subscriptions') return;
      hold(
        (await read(side, `${path}?status=active`)).length === all.length,
        () => 'status=active leaves some out',
      );
      hold((await read(side, `${path}?status=paused`)).length === 0, () => 'status=paused is not kept');
    },
  };
}

function orderRow(
  path: string,
  field: string,
  what: string,
  isInOrder: (a: string, b: string) => boolean,
): Row {
  return {
    id: `order${path}`,
    section: ORDER,
    what: `${path} comes ${what}`,
    covers: [`operation:GET ${path}`],
    run: async (side) => {
      const values = (await read(side, `${path}?limit=100`)).map((one) => String(one[field]));
      hold(values.length > 20, () => `there are ${values.length}`);
      const wrong = values.findIndex(
        (value, index) => index > 0 && !isInOrder(values[index - 1] ?? '', value),
      );
      hold(wrong === -1, () => `${values[wrong - 1]} comes before ${values[wrong]}`);
    },
  };
}

function openRow(): Row {
  return {
    id: 'disputes/open',
    section: ORDER,
    what: 'open disputes are those that need evidence',
    covers: ['operation:GET /v2/disputes/open'],
    run: async (side) => {
      const open = await read(side, '/v2/disputes/open?limit=100');
      const all = await read(side, '/v2/disputes?limit=100');
      hold(open.length < all.length, () => 'every dispute is open');
      hold(
        open.every(({ status }) => status === 'needs_response'),
        () => 'one needs no evidence',
      );
    },
  };
}

function publicIdRow(path: string, publicId: string): Row {
  return {
    id: `public-id${path}`,
    section: ORDER,
    what: `${path}/{id} takes the public id or the UUID`,
    covers: [`operation:GET ${path}/{id}`],
    run: async (side) => {
      const One = z.looseObject({ data: z.looseObject({ id: z.uuid(), public_id: z.string() }) });
      const { json } = await ask(side, { path: `${path}/${publicId}` }, { status: 200, body: One });
      const { id, public_id } = shapeOf('it', One, json).data;
      hold(public_id === publicId, () => `it gave ${public_id}`);
      const again = await ask(side, { path: `${path}/${id}` }, { status: 200, body: One });
      hold(
        shapeOf('it', One, again.json).data.public_id === publicId,
        () => `by its UUID it is ${again.text}`,
      );
      await ask(side, { path: `${path}/${publicId}000` }, { status: 404 });
    },
  };
}

function checkRow(path: string): Row {
  return {
    id: `check${path}`,
    section: 'Endpoints: Entitlements',
    what: 'access is checked by benefit key: of an active right, an expired one, and none',
    covers: [`operation:GET ${path}`],
    run: async (side) => {
      for (const [status, expected] of [
        ['active', true],
        ['expired', false],
      ] as const) {
        const all = await read(side, '/v2/entitlements?limit=100');
        const right = all.find((one) => one['status'] === status && isAlone(one, all));
        const key = shapeOf('it', z.looseObject({ benefit_key: z.string() }), right?.['benefit']).benefit_key;
        const has = await check(side, path, String(right?.['customer_id']), key);
        hold(has === expected, () => `${status} gave has_access ${has}`);
      }
      const customer = await customerOf(side);
      hold(!(await check(side, path, customer, 'nothing')), () => 'a benefit that nobody has gives access');
      await askAs(
        side,
        'without customers:read',
        { path: asked(path, customer, 'nothing') },
        { status: 403 },
      );
    },
  };
}

/** No other right of the same customer could decide. */
function isAlone(
  one: Readonly<Record<string, unknown>>,
  all: readonly Readonly<Record<string, unknown>>[],
): boolean {
  const same = all.filter(
    (other) => other['customer_id'] === one['customer_id'] && keyOf(other) === keyOf(one),
  );
  return same.length === 1;
}

function keyOf({ benefit }: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(benefit);
}

async function check(side: Side, path: string, customer: string, key: string): Promise<boolean> {
  const { json } = await ask(side, { path: asked(path, customer, key) }, { status: 200 });
  return shapeOf('the check', Checked, json).data.has_access;
}

function asked(path: string, customer: string, key: string): string {
  return path.includes('{')
    ? `${path.replace('{customerId}', customer)}?benefitKey=${key}`
    : `${path}?customerId=${customer}&benefitKey=${key}`;
}

function stateRow(): Row {
  const part = z.looseObject({ data: z.array(z.looseObject({ id: z.uuid() })) });
  const State = z.looseObject({
    data: z.looseObject({
      customer: z.looseObject({ id: z.uuid() }),
      open_invoices: part,
      entitlements: part,
      subscriptions: part,
      payments: part,
    }),
  });
  return {
    id: 'customer/state',
    section: 'Endpoints: Customers',
    what: 'the billing state of a customer is open invoices, entitlements, subscriptions and last payments in one object',
    covers: ['operation:GET /v2/customers/{id}/state'],
    exempt: { sandbox: NOT_SHOWN },
    run: async (side) => {
      const customer = await customerOf(side);
      const { json } = await ask(
        side,
        { path: `/v2/customers/${customer}/state` },
        { status: 200, body: State },
      );
      const { data } = shapeOf('the state', State, json);
      hold(data.customer.id === customer, () => 'it is another customer');
      hold(
        data.open_invoices.data.every((one) => one['status'] === 'open'),
        () => 'an invoice is not open',
      );
      await ask(side, { path: `/v2/customers/${randomUUID()}/state` }, { status: 404, flat: null });
    },
  };
}

function payoutPaymentsRow(): Row {
  return {
    id: 'payout/payments',
    section: ORDER,
    what: 'the payments of a payout, which cannot be mirrored, are 501 not_implemented',
    covers: ['operation:GET /v2/payouts/{id}/payments', 'status:501', 'code:501 not_implemented'],
    exempt: { sandbox: 'the stand-in has no payments of payouts: “Payout payment entry”' },
    run: async (side) => {
      const error = { type: 'api_error', code: 'not_implemented', param: null } as const;
      await ask(side, { path: '/v2/payouts/pyt_3/payments' }, { status: 501, error });
    },
  };
}

/** A customer who has something of everything. */
async function customerOf(side: Side): Promise<string> {
  const [, , third] = await read(side, '/v2/customers?limit=3');
  return third?.id ?? '';
}

async function read(side: Side, path: string) {
  const { json } = await ask(side, { path }, { status: 200 });
  return shapeOf(path, Listed, json).data;
}
