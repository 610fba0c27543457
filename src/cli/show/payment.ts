import type { TerminalPayment } from '../../api/contract/terminal-payment.ts';
import { formatMoney } from '../../base/money.ts';
import { answerCommand, answerFromOutsideCommand, taskDoneCommand } from '../../base/next-step.ts';
import { ENGLISH } from '../../sentences/english.ts';
import { paymentSentences } from '../../sentences/sentences.js';
import { joined } from '../../sentences/tongue.js';
import { plain } from './plain.ts';
import { facts } from './table.ts';

/** A payment for staff: the outcome first, the next step last. @param terminal its name; null: not known here */
export function paymentText(payment: TerminalPayment, terminal: string | null = null): string {
  const asked = formatMoney({ minor: payment.amount_minor, currency: payment.currency });
  const rows = facts([
    ['payment', payment.id],
    ['amount', asked],
    ['approved', approvedText(payment)],
    ['tip', moneyText(payment, payment.tip_minor)],
    ['surcharge', moneyText(payment, payment.surcharge_minor)],
    ['cashback', moneyText(payment, payment.cashback_minor)],
    ['of it given back', payment.given_back_minor > 0 ? moneyText(payment, payment.given_back_minor) : null],
    ['of payment', payment.parent_id],
    ['corrects', payment.corrects],
    ['corrected by', payment.corrected_by],
    ['because of', payment.cause],
    ['status', payment.status],
    [chargedLabel(payment), payment.charged],
    ['reported', payment.reported],
    ['card', cardText(payment)],
    ['entry mode', payment.entry_mode],
    ['auth code', payment.auth_code],
    ['verified by', payment.cardholder_verification],
    ['receipt number', payment.receipt_number],
    ['trace', payment.trace],
    ['terminal', terminal],
    [terminal === null ? 'terminal' : 'serial', payment.terminal_serial ?? payment.terminal_id],
    ['reference', payment.reference],
    ['error', whyText(payment)],
    ...payment.tasks.map((task) => ['to do', `${task.kind}: ${doneCommand(task, payment)}`] as const),
    ['to do', payment.needs_person && payment.tasks.length === 0 ? decisionCommand(payment) : null],
  ]);
  return `${headline(payment, asked)}\n${rows}${receiptText(payment)}\n${plain(payment.message)}\n`;
}

/** What a terminal that is not believed shows is no answer. */
function decisionCommand({ id, error_code: code }: TerminalPayment): string {
  return code === 'terminal_not_believed' ? answerFromOutsideCommand(id) : answerCommand(id);
}

/** The decision also ends the task of a replaced terminal. */
function doneCommand({ id, kind }: TerminalPayment['tasks'][number], payment: TerminalPayment): string {
  return kind === 'terminal_replaced' ? answerFromOutsideCommand(payment.id) : taskDoneCommand(id);
}

/** `Sale of 12.34 EUR: Paid 12.34 EUR.` */
function headline(payment: TerminalPayment, asked: string): string {
  const what = `${payment.type.slice(0, 1).toUpperCase()}${payment.type.slice(1)} of ${asked}`;
  return `${what}: ${paymentSentences(payment, ENGLISH).title}.`;
}

/** What a person checks while it is in doubt; why it ended without moving money, as far as that is still true. */
function whyText(payment: TerminalPayment): string | null {
  if (payment.in_doubt) return payment.error_message;
  const { why } = paymentSentences(payment, ENGLISH);
  return why === null ? null : joined(why.text, why.more);
}

/** A successful sale with less than the requested amount; it is never shown as paid. */
export function isPartial({ type, approved_amount_minor, amount_minor }: TerminalPayment): boolean {
  return type === 'sale' && approved_amount_minor !== null && approved_amount_minor < amount_minor;
}

/** Refunds and voids return money; the label for them differs. */
export function chargedLabel(payment: TerminalPayment): string {
  return payment.type === 'sale' ? 'charged' : 'given back';
}

function approvedText(payment: TerminalPayment): string | null {
  const { approved_amount_minor: minor, amount_minor } = payment;
  return minor === amount_minor ? null : moneyText(payment, minor);
}

function moneyText({ currency }: TerminalPayment, minor: number | null): string | null {
  return minor === null ? null : formatMoney({ minor, currency });
}

/** The scheme and the masked number, where its terminal reported them. */
export function cardText({ card_scheme, masked_pan }: TerminalPayment): string | null {
  const parts = [card_scheme, masked_pan].filter((part) => part !== null);
  return parts.length === 0 ? null : plain(parts.join(' '));
}

function receiptText({ receipts }: TerminalPayment): string {
  const text = receipts.customer ?? receipts.merchant;
  if (text === null) return '';
  const lines = plain(text)
    .split('\n')
    .map((line) => `  | ${line}`.trimEnd());
  return `\n  receipt (${receipts.customer === null ? 'merchant' : 'customer'})\n${lines.join('\n')}\n`;
}
