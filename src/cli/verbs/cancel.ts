import { dataOf } from '../../api/contract/primitives.ts';
import { TerminalPayment } from '../../api/contract/terminal-payment.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { paymentPath } from '../payment-path.ts';
import { paymentText } from '../show/payment.ts';

export interface CancelOptions extends GlobalOptions {
  readonly id: string;
}

/** `tillctl cancel ID`: shows the payment after the cancel. */
export async function cancel(options: CancelOptions, io: Io): Promise<ExitCode> {
  const path = paymentPath(options.id, 'cancel');
  const { body, value } = await connect(options, io).call({ method: 'POST', path }, dataOf(TerminalPayment));
  if (options.json) printDocument(io, body);
  else io.out(paymentText(value.data));
  return EXIT.done;
}
