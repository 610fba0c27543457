import type { TerminalPayment } from '../../api/contract/terminal-payment.ts';
import { ENGLISH } from '../../sentences/english.ts';
import { paymentSentences } from '../../sentences/sentences.js';
import { wordsOf as catalogued } from '../../sentences/tongue.js';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { isPartial, paymentText } from '../show/payment.ts';
import type { PaymentAnswer } from './create.ts';
import type { Followed } from './follow.ts';

/** The result of a command that started something; `accepted`: the options say not to wait. */
export interface Ended {
  readonly end: Followed['end'] | 'accepted';
  readonly last: PaymentAnswer;
}

/** Prints the attempt as it is, explains what is not known, and returns the exit code of its outcome. */
export function showOutcome(options: GlobalOptions, io: Io, { end, last }: Ended): ExitCode {
  const payment = last.value.data;
  if (options.json) printDocument(io, last.body);
  else io.out(paymentText(payment));
  const words = wordsOf(end, payment);
  if (words !== undefined) io.err(`tillctl: ${words} \`tillctl explain ${payment.id}\` shows more.\n`);
  if (end === 'final') return exitCodeOf(payment);
  if (end === 'accepted') return EXIT.done;
  return end === 'interrupted' ? EXIT.interrupted : EXIT.unknownOutcome;
}

function exitCodeOf(payment: TerminalPayment): ExitCode {
  if (payment.status !== 'succeeded' && payment.charged === 'unknown') return EXIT.unknownOutcome;
  return payment.status === 'succeeded' && !isPartial(payment) ? EXIT.done : EXIT.no;
}

function wordsOf(end: Ended['end'], payment: TerminalPayment): string | undefined {
  const what = payment.type === 'sale' ? 'payment' : payment.type;
  switch (end) {
    case 'in_doubt':
      return doubtText(payment);
    case 'unreachable':
      return catalogued(ENGLISH.language, payment.type === 'sale' ? 'lost_sale' : 'lost_back');
    case 'too_long':
      return `the ${what} is still running; this command waits no longer.`;
    case 'interrupted':
      return `interrupted, the ${what} goes on.`;
    default:
      return undefined;
  }
}

function doubtText(payment: TerminalPayment): string {
  const { charged, now } = paymentSentences(payment, ENGLISH);
  return `${charged} ${now}`;
}
