import { hold } from '../breach.ts';
import { shapeOf } from '../expect.ts';
import { CANCELLABLE, ENDS, type End, TERMINAL_PAYMENT } from '../interface.ts';
import { ask, type Group, type Row } from '../row.ts';
import { dataOf, Payment } from '../shapes.ts';
import { ended, PAYMENTS, requested, retrieved, saleOf, settled } from './sales.ts';

const ENDPOINTS = 'Endpoints: Terminal';
const STATES = 'States: Terminal payment';
/** Codes that the interface does not show: each side's own, held exactly. */
const OWN = {
  notCancellable: { local: 'payment_not_cancellable', sandbox: 'invalid_status' },
} as const;

export const paymentGroup: Group = {
  name: 'terminal payments',
  rows: [
    {
      id: 'payments/create',
      section: ENDPOINTS,
      what: 'a payment is answered at once as requested, with every field of the interface',
      covers: ['operation:POST /v2/terminal-payments', 'state:requested', ...fields()],
      run: async (side) => {
        const sale = saleOf(side, {
          invoice_id: '0198c5a0-0000-7000-8000-0000000000aa',
          reference: 'table 7',
        });
        const answer = await ask(
          side,
          { method: 'POST', path: PAYMENTS, body: sale },
          { status: 201, body: dataOf(Payment) },
        );
        const { data } = shapeOf('the new payment', dataOf(Payment), answer.json);
        for (const [name, value] of Object.entries({
          ...sale,
          status: 'requested',
          type: 'sale',
          completed_at: null,
          auth_code: null,
        }))
          hold(data[name] === value, () => `${name} is ${String(data[name])}, not ${String(value)}`);
        await side.finish(data.id, 'cancelled');
      },
    },
    {
      id: 'payments/get',
      section: ENDPOINTS,
      what: 'a payment is retrieved by its id, capitals or not',
      covers: ['operation:GET /v2/terminal-payments/{id}'],
      run: async (side) => {
        const made = await requested(side);
        for (const id of [made.id, made.id.toUpperCase()])
          hold((await retrieved(side, id)).id === made.id, () => `${id} gives another payment`);
        await side.finish(made.id, 'declined');
      },
    },
    ...ENDS.map(endRow),
    ...CANCELLABLE.map(cancelRow),
    ...ENDS.map(notCancelledRow),
  ],
};

function fields(): readonly string[] {
  return Object.keys(TERMINAL_PAYMENT).map((name) => `field:${name}`);
}

function endRow(end: End): Row {
  return {
    id: `payments/ends-${end}`,
    section: STATES,
    what: `a payment goes from requested through in_progress to ${end}, and has a completed_at then`,
    covers: [`state:${end}`, 'state:in_progress'],
    run: async (side) => {
      const { id } = await requested(side);
      await side.begin(id);
      const running = await retrieved(side, id);
      hold(
        running.status === 'in_progress' && running.completed_at === null,
        () => `at its terminal it is ${running.status}`,
      );
      await side.finish(id, end);
      const final = await retrieved(side, id);
      hold(
        final.status === end && final.completed_at !== null,
        () => `it is ${final.status}, completed_at ${final.completed_at}`,
      );
    },
  };
}

function cancelRow(state: (typeof CANCELLABLE)[number]): Row {
  return {
    id: `payments/cancel-${state}`,
    section: STATES,
    what: `a payment that is ${state} can be cancelled, without a body, and ends cancelled`,
    covers: ['operation:POST /v2/terminal-payments/{id}/cancel', `state:${state}`],
    run: async (side) => {
      const device = side.freshDevice();
      const first = await requested(side, { device_id: device });
      await side.begin(first.id);
      // Behind the first one a second one waits: it is the one that is still `requested`.
      const second = state === 'requested' ? await requested(side, { device_id: device }) : first;
      hold(
        (await retrieved(side, second.id)).status === state,
        () => `before it is cancelled it is not ${state}`,
      );
      const path = `${PAYMENTS}/${second.id}/cancel`;
      await ask(side, { method: 'POST', path }, { status: 200, body: dataOf(Payment) });
      const { status } = await settled(side, second.id);
      hold(status === 'cancelled', () => `after its cancel it is ${status}`);
      if (second !== first) await side.finish(first.id, 'declined');
    },
  };
}

function notCancelledRow(end: End): Row {
  return {
    id: `payments/no-cancel-${end}`,
    section: STATES,
    what: `a payment that has ended ${end} is not cancelled: 409, and nothing changes`,
    covers: ['status:409'],
    run: async (side) => {
      const before = await ended(side, end);
      const error = { type: 'invalid_request_error', code: OWN.notCancellable[side.name] } as const;
      await ask(side, { method: 'POST', path: `${PAYMENTS}/${before.id}/cancel` }, { status: 409, error });
      const after = await retrieved(side, before.id);
      hold(JSON.stringify(after) === JSON.stringify(before), () => 'the refused cancel changed the payment');
    },
  };
}
