import type { TerminalPayment } from '../../api/contract/terminal-payment.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { isPartial, paymentText } from '../show/payment.ts';
import type { PaymentAnswer } from './create.ts';
import type { Followed } from './follow.ts';

/** How a command that started something ends; `accepted`: it was not to wait. */
export interface Ended {
  readonly end: Followed['end'] | 'accepted';
  readonly last: PaymentAnswer;
}

/** Prints the attempt as it stands, says in words what is not known, and gives the exit code of its outcome. */
export function showOutcome(options: GlobalOptions, io: Io, { end, last }: Ended): ExitCode {
  const payment = last.value.data;
  if (options.json) printDocument(io, last.body);
  else io.out(paymentText(payment));
  const words = wordsOf(end, payment);
  if (words !== undefined) io.err(`tillctl: ${words} \`tillctl explain ${payment.id}\` tells more.\n`);
  if (end === 'final') return exitCodeOf(payment);
  if (end === 'accepted') return EXIT.done;
  return end === 'interrupted' ? EXIT.interrupted : EXIT.unknownOutcome;
}

function exitCodeOf(payment: TerminalPayment): ExitCode {
  if (payment.status !== 'succeeded' && payment.charged === 'unknown') return EXIT.unknownOutcome;
  return payment.status === 'succeeded' && !isPartial(payment) ? EXIT.done : EXIT.no;
}

function wordsOf(end: Ended['end'], { type }: TerminalPayment): string | undefined {
  const sale = type === 'sale';
  const unknown = sale ? 'whether the customer was charged' : 'whether money was given back';
  const never = sale ? 'do not take the payment again' : 'do not give it back again';
  const what = sale ? 'payment' : type;
  switch (end) {
    case 'in_doubt':
      return `it is not known yet ${unknown}; ${never} before it is.`;
    case 'unreachable':
      return `tilld does not answer: it is not known ${unknown}; ${never}.`;
    case 'too_long':
      return `the ${what} is still running; this command waits no longer.`;
    case 'interrupted':
      return `interrupted, the ${what} goes on.`;
    default:
      return undefined;
  }
}
