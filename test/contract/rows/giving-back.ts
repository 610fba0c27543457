import { hold } from '../breach.ts';
import { type ExpectedError, shapeOf } from '../expect.ts';
import { ENDS, type End } from '../interface.ts';
import { ask, type Group, type Row } from '../row.ts';
import { dataOf, Payment } from '../shapes.ts';
import type { Side, SideName } from '../sides/side.ts';
import { ended, PAYMENTS, requested, retrieved } from './sales.ts';

const SECTION = 'Endpoints: Terminal';
const RULES = 'Errors: Status codes';
type Way = 'refund' | 'void';
const WAYS: readonly Way[] = ['refund', 'void'];
/** What the interface does not show, each side's own: how one gives back a payment that is no charged sale. */
const NOT_CHARGED: Readonly<
  Record<SideName, { readonly status: number; readonly code: string; readonly param?: null }>
> = {
  local: { status: 422, code: 'payment_not_refundable', param: null },
  sandbox: { status: 409, code: 'invalid_status' },
};

export const givingBackGroup: Group = {
  name: 'refunds and voids',
  rows: [
    row(
      'refund-rest',
      'a refund without an amount is a new attempt of all that is left, requested below its sale',
      async (side) => {
        const sale = await ended(side, 'succeeded');
        const refund = await give(side, sale.id, 'refund');
        isBelow(refund, sale, 'refund', sale.amount_minor);
        await side.finish(refund.id, 'succeeded');
        hold(
          (await retrieved(side, sale.id)).status === 'succeeded',
          () => 'the refund changed the status of its sale',
        );
      },
    ),
    row('refund-part', 'a refund may be of a part, and the next one of the rest', async (side) => {
      const sale = await ended(side, 'succeeded');
      const part = await give(side, sale.id, 'refund', { amount_minor: 300 });
      isBelow(part, sale, 'refund', 300);
      await side.finish(part.id, 'succeeded');
      isBelow(await give(side, sale.id, 'refund'), sale, 'refund', sale.amount_minor - 300);
    }),
    row(
      'refund-over',
      'a refund over the original charge is 422, names the amount, and makes no attempt',
      async (side) => {
        const sale = await ended(side, 'succeeded');
        await refused(side, sale.id, 'refund', { amount_minor: sale.amount_minor + 1 });
        await give(side, sale.id, 'refund', { amount_minor: sale.amount_minor });
      },
      RULES,
      ['status:422'],
    ),
    row(
      'refund-over-rest',
      'a refund over what earlier ones left is 422',
      async (side) => {
        const sale = await ended(side, 'succeeded');
        const part = await give(side, sale.id, 'refund', { amount_minor: 300 });
        await side.finish(part.id, 'succeeded');
        await refused(side, sale.id, 'refund', { amount_minor: sale.amount_minor - 299 });
      },
      RULES,
      ['status:422'],
    ),
    row('void', 'a void is a new attempt of the whole sale', async (side) => {
      const sale = await ended(side, 'succeeded');
      const undone = await give(side, sale.id, 'void');
      isBelow(undone, sale, 'void', sale.amount_minor);
      await side.finish(undone.id, 'succeeded');
      hold(
        (await retrieved(side, undone.id)).status === 'succeeded',
        () => 'the void did not come to its end',
      );
    }),
    row(
      'void-twice',
      'a sale that was undone is not undone again: 422',
      async (side) => {
        const sale = await ended(side, 'succeeded');
        const undone = await give(side, sale.id, 'void');
        await side.finish(undone.id, 'succeeded');
        await refused(side, sale.id, 'void');
      },
      RULES,
      ['status:422'],
    ),
    row(
      'void-touched',
      'a sale of which a part was given back is not undone as a whole: 422',
      async (side) => {
        const sale = await ended(side, 'succeeded');
        const part = await give(side, sale.id, 'refund', { amount_minor: 300 });
        await side.finish(part.id, 'succeeded');
        await refused(side, sale.id, 'void');
      },
      RULES,
      ['status:422'],
    ),
    ...WAYS.flatMap((way) => ENDS.filter((end) => end !== 'succeeded').map((end) => notChargedRow(way, end))),
    ...WAYS.map(openRow),
  ],
};

function row(
  id: string,
  what: string,
  run: Row['run'],
  section = SECTION,
  covers: readonly string[] = [
    `operation:POST ${PAYMENTS}/{id}/${id.startsWith('void') ? 'void' : 'refund'}`,
  ],
): Row {
  return { id: `giving-back/${id}`, section, what, covers, run };
}

function notChargedRow(way: Way, end: End): Row {
  return row(
    `${way}-of-${end}`,
    `nothing is given back of a sale that ended ${end} (${way})`,
    async (side) => {
      const { id } = await ended(side, end);
      await refuses(side, id, way);
    },
    RULES,
  );
}

function openRow(way: Way): Row {
  return row(
    `${way}-of-open`,
    `nothing is given back of a sale that has not ended (${way})`,
    async (side) => {
      const { id } = await requested(side);
      await side.begin(id);
      await refuses(side, id, way);
      await side.finish(id, 'cancelled');
    },
    RULES,
  );
}

async function give(side: Side, id: string, way: Way, body?: unknown): Promise<Payment> {
  const request = {
    method: 'POST',
    path: `${PAYMENTS}/${id}/${way}`,
    ...(body === undefined ? {} : { body }),
  } as const;
  const answer = await ask(side, request, { status: 201, body: dataOf(Payment) });
  return shapeOf('the new attempt', dataOf(Payment), answer.json).data;
}

/** Both sides use the same words for what a rule of business forbids. */
async function refused(side: Side, id: string, way: Way, body?: unknown): Promise<void> {
  const error: ExpectedError =
    way === 'refund'
      ? { type: 'invalid_request_error', code: 'refund_exceeds_amount', param: 'amount_minor' }
      : {
          type: 'invalid_request_error',
          code: 'void_not_possible',
          param: null,
          details: { instead: 'refund' },
        };
  const request = {
    method: 'POST',
    path: `${PAYMENTS}/${id}/${way}`,
    ...(body === undefined ? {} : { body }),
  } as const;
  await ask(side, request, { status: 422, error });
}

async function refuses(side: Side, id: string, way: Way): Promise<void> {
  const { status, ...error } = NOT_CHARGED[side.name];
  const request = { method: 'POST', path: `${PAYMENTS}/${id}/${way}` } as const;
  await ask(side, request, { status, error: { type: 'invalid_request_error', ...error } });
}

function isBelow(attempt: Payment, sale: Payment, way: Way, amountMinor: number): void {
  const wanted = {
    type: way,
    status: 'requested',
    amount_minor: amountMinor,
    currency: sale.currency,
    device_id: sale.device_id,
    parent_id: sale.id,
  };
  for (const [name, value] of Object.entries(wanted))
    hold(attempt[name] === value, () => `${name} of the ${way} is ${String(attempt[name])}, not ${value}`);
}
