import { dataOf } from '../../api/contract/primitives.ts';
import { type ResolveTerminalPayment, TerminalPayment } from '../../api/contract/terminal-payment.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { paymentPath } from '../payment-path.ts';
import { paymentText } from '../show/payment.ts';

export interface ResolveOptions extends GlobalOptions, ResolveTerminalPayment {
  readonly id: string;
}

/** `tillctl resolve ID --as succeeded|not_charged --by NAME --reason TEXT --shown TEXT` */
export async function resolve(options: ResolveOptions, io: Io): Promise<ExitCode> {
  const { id, as, by, reason, shown } = options;
  const request = {
    method: 'POST',
    path: paymentPath(id, 'resolve'),
    body: { as, by, reason, shown },
  } as const;
  const { body, value } = await connect(options, io).call(request, dataOf(TerminalPayment));
  if (options.json) printDocument(io, body);
  else io.out(paymentText(value.data));
  return EXIT.done;
}
