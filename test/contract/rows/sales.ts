import { shapeOf } from '../expect.ts';
import type { End } from '../interface.ts';
import { ask } from '../row.ts';
import { dataOf, Payment } from '../shapes.ts';
import type { Side } from '../sides/side.ts';

export const PAYMENTS = '/v2/terminal-payments';

/** A sale of this side that is like no other. */
export function saleOf(side: Side, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const device = 'device_id' in more ? {} : { device_id: side.freshDevice() };
  return { ...device, amount_minor: side.freshAmount(), currency: 'EUR', ...more };
}

/** Asks for a sale; gives the payment, which is `requested`. */
export async function requested(side: Side, more: Readonly<Record<string, unknown>> = {}): Promise<Payment> {
  const answer = await ask(
    side,
    { method: 'POST', path: PAYMENTS, body: saleOf(side, more) },
    { status: 201 },
  );
  return paymentIn(answer.json);
}

/** The payment of an answer. @throws Breach */
export function paymentIn(json: unknown): Payment {
  return shapeOf('the payment', dataOf(Payment), json).data;
}

/** The payment as GET gives it. */
export async function retrieved(side: Side, id: string): Promise<Payment> {
  const answer = await ask(side, { path: `${PAYMENTS}/${id}` }, { status: 200, body: dataOf(Payment) });
  return paymentIn(answer.json);
}

/** The payment once it has ended, or as it is after a minute. */
export async function settled(side: Side, id: string): Promise<Payment> {
  for (let second = 0; second < 60; second += 1) {
    const payment = await retrieved(side, id);
    if (payment.completed_at !== null) return payment;
    await side.pass(1000);
  }
  return retrieved(side, id);
}

/** A sale that has come to an end. */
export async function ended(
  side: Side,
  as: End,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Payment> {
  const { id } = await requested(side, more);
  await side.finish(id, as);
  return retrieved(side, id);
}
