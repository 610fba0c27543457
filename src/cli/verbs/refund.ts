import { dataOf } from '../../api/contract/primitives.ts';
import { type RefundTerminalPayment, TerminalPayment } from '../../api/contract/terminal-payment.ts';
import { AppError } from '../../base/errors.ts';
import { isUuid } from '../../base/ids.ts';
import { parseAmount } from '../../base/money.ts';
import type { ExitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { checkAmount } from '../pay/amount.ts';
import { POLLING_INTERVAL, type PollingInterval } from '../pay/polling-interval.ts';
import { type StartOptions, startAndFollow } from '../pay/start.ts';
import { paymentPath } from '../payment-path.ts';
import { cardText } from '../show/payment.ts';

export interface RefundOptions extends StartOptions {
  readonly id: string;
  /** Decimal, in the currency of the payment; absent: the whole remainder. */
  readonly amount?: string;
  readonly after?: string;
}

/** `tillctl refund ID [--amount A] [--after ID]`: refunds a sale and waits for the outcome. */
export async function refund(
  options: RefundOptions,
  io: Io,
  interval: PollingInterval = POLLING_INTERVAL,
): Promise<ExitCode> {
  const { id, amount, after } = options;
  const path = paymentPath(id, 'refund');
  if (amount !== undefined) checkAmount(amount, undefined);
  if (after !== undefined && !isUuid(after))
    throw new AppError('USAGE', '--after must be the id of a refund, a UUID');
  return startAndFollow(options, io, interval, async (client, signal) => {
    const parent = await client.call({ path: paymentPath(id), signal }, dataOf(TerminalPayment));
    const paidWith = cardText(parent.value.data);
    if (paidWith !== null)
      io.err(`the sale was paid with ${paidWith}: the customer must present that card\n`);
    const body: RefundTerminalPayment = {
      ...(amount === undefined
        ? {}
        : { amount_minor: parseAmount(amount, parent.value.data.currency).minor }),
      ...(after === undefined ? {} : { after }),
    };
    return { what: 'refund', path, body, at: `of payment ${parent.value.data.id}` };
  });
}
