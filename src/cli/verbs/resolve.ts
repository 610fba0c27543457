import { dataOf } from '../../api/contract/primitives.ts';
import { type ResolveTerminalPayment, TerminalPayment } from '../../api/contract/terminal-payment.ts';
import { type Currency, parseAmount } from '../../base/money.ts';
import type { DaemonClient } from '../client.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { checkAmount } from '../pay/amount.ts';
import { paymentPath } from '../payment-path.ts';
import { paymentText } from '../show/payment.ts';

export interface ResolveOptions extends GlobalOptions, Omit<ResolveTerminalPayment, 'amount_minor'> {
  readonly id: string;
  /** Decimal, in the currency of the payment: the amount on the receipt, where it differs from the requested one. */
  readonly amount?: string;
}

/** `tillctl resolve ID --as succeeded|not_charged|written_off --by NAME --reason TEXT --shown TEXT [--source WHERE] [--amount A]` */
export async function resolve(options: ResolveOptions, io: Io): Promise<ExitCode> {
  const { id, as, by, reason, shown, source, amount } = options;
  if (amount !== undefined) checkAmount(amount, undefined);
  const client = connect(options, io);
  const said =
    amount === undefined ? {} : { amount_minor: parseAmount(amount, await currencyOf(client, id)).minor };
  const request = {
    method: 'POST',
    path: paymentPath(id, 'resolve'),
    body: { as, by, reason, shown, ...(source === undefined ? {} : { source }), ...said },
  } as const;
  const { body, value } = await client.call(request, dataOf(TerminalPayment));
  if (options.json) printDocument(io, body);
  else io.out(paymentText(value.data));
  return EXIT.done;
}

async function currencyOf(client: DaemonClient, id: string): Promise<Currency> {
  const { value } = await client.call({ path: paymentPath(id) }, dataOf(TerminalPayment));
  return value.data.currency;
}
