import type {
  Currency,
  MoneyCommand,
  Observer,
  Outcome,
  TransactionReport,
} from '../../../src/driver-kit/terminal.ts';
import { type Answer, unfilled } from './answers.ts';
import { sale } from './commands.ts';
import type { Conversation } from './conversation.ts';
import { notStarted, pay } from './payment.ts';
import { reportOfSale } from './report.ts';
import { LEAST_MINOR, MOST_MINOR, type Settings } from './settings.ts';

/** A refund is refused here. */
type Sale = Exclude<MoneyCommand, { kind: 'void' }>;

const NOTHING_SENT = 'Nothing was sent to the terminal, the customer was not charged.';

/** Sells: `0200` →, 0900 and 0210 ←. Never throws. */
export function sell(
  conversation: Conversation,
  command: Sale,
  { customer_ms: silenceMs }: Settings,
  observer: Observer,
  signal: AbortSignal,
): Promise<Outcome> {
  const refusal = refusalOf(command, conversation.context.currency);
  if (refusal !== null) return Promise.resolve(notStarted('TERMINAL_CANNOT', `${refusal} ${NOTHING_SENT}`));
  const { ticket, amount } = command;
  const frame = sale(amount.minor, ticket);
  const read = (answer: Answer) => resultOf(answer, ticket, amount.minor);
  return pay({ conversation, kind: 'sale', frame, read, observer, silenceMs }, signal);
}

/** A result is ours by its ticket alone; one without a ticket proves neither an approval nor a refusal. */
function resultOf(answer: Answer, ticket: string, asked: number): TransactionReport | 'foreign' | null {
  if (answer.kind === 'void') return 'foreign';
  if (answer.kind !== 'sale') return null;
  const { fields } = answer;
  if (fields.ticket === '') return { ...reportOfSale(fields, asked), verdict: 'unclear' };
  return fields.ticket === unfilled(ticket) ? reportOfSale(fields, asked) : 'foreign';
}

function refusalOf({ kind, amount, ticket }: Sale, currency: Currency): string | null {
  if (kind === 'refund')
    return 'This terminal cannot give money back without the sale; void the sale on the day it was made, or refund another way.';
  if (amount.currency !== currency) return `This terminal sells in ${currency} only.`;
  if (amount.minor < LEAST_MINOR) return `This terminal takes no less than ${LEAST_MINOR} pesos.`;
  if (amount.minor > MOST_MINOR) return `This terminal takes no more than ${MOST_MINOR} pesos.`;
  return /^[A-Z][0-9A-Z]{5}$/.test(ticket) ? null : 'This payment has no ticket that the terminal can carry.';
}
