import { formatMoney, isCurrency } from '../../../src/base/money.ts';
import type { SpoiltEnd } from '../../../src/sandbox/controllable-terminal.ts';
import { cardById, cardOfCustomer, type VirtualCard } from '../../../src/sandbox/terminal/cards.ts';
import { approvedAmount } from '../../../src/sandbox/terminal/customer-tip.ts';
import type { MissingAcknowledgement, TransactionRecord } from '../../../src/sandbox/terminal/ledger.ts';
import type { Reply } from './virtual-channel.ts';
import type { Command } from './virtual-commands.ts';
import type { Dialogue } from './virtual-dialogue.ts';
import { paymentReceipts } from './virtual-receipts.ts';
import { approvalCode, refusalInformation, statusInformation } from './virtual-status.ts';

/** A till's request for a sale or a refund. */
export type PaymentRequest = Extract<Command, { kind: 'payment' }>;
export type ReversalRequest = Extract<Command, { kind: 'reversal' }>;

const CODE = {
  declined: 0x05,
  wrongPin: 0x37,
  aborted: 0x6c,
  noAnswer: 0xa1,
  cannotPrint: 0xcc,
  notPossible: 0x83,
  reversed: 0xb4,
  impossible: 0xb5,
};
const PIN_TRIES = 3;

/** A sale or a refund: waits for the customer and applies the keys. */
export async function takePayment(dialogue: Dialogue, request: PaymentRequest): Promise<void> {
  await dialogue.reach('command');
  dialogue.accept();
  await dialogue.reach('customer');
  dialogue.device.show(`Present card: ${amountText(dialogue, request.amountMinor)}`);
  let progressSent = dialogue.progress(0x0a, 'Karte bitte');
  for (let attempt = 1; ; attempt += 1) {
    const key = await withProgress(progressSent, dialogue.customer());
    if (key === 'approve') return approve(dialogue, request);
    if (key === 'decline') return refuse(dialogue, request, 'declined', CODE.declined, 'Zahlung abgelehnt');
    if (key !== 'wrong_pin') return refuse(dialogue, request, 'aborted', CODE.aborted, 'Abbruch');
    if (attempt === PIN_TRIES)
      return refuse(dialogue, request, 'declined', CODE.wrongPin, 'PIN zu oft falsch');
    await sayWrongPin(dialogue, request);
    progressSent = dialogue.progress(0x15, 'PIN falsch');
  }
}

/** Waits for the card while the till answers; the result is sent after both. */
async function withProgress<T>(progressSent: Promise<void>, customer: Promise<T>): Promise<T> {
  const [key] = await Promise.all([customer, progressSent]);
  return key;
}

/** Voids a payment of the open batch by its receipt number; needs no card. */
export async function reversePayment(dialogue: Dialogue, request: ReversalRequest): Promise<void> {
  const { ledger, clock } = dialogue.device;
  await dialogue.reach('command');
  dialogue.accept();
  const original = originalOf(dialogue, request);
  if (typeof original === 'number') {
    await dialogue.reach('completion');
    return dialogue.fail(original);
  }
  await dialogue.reach('customer');
  dialogue.device.show(`Reversal: ${amountText(dialogue, original.amountMinor)}`);
  await dialogue.progress(0x04, 'Storno, bitte warten');
  await dialogue.host();
  const record = ledger.enter({
    kind: 'void',
    amountMinor: original.amountMinor,
    currency: original.currency,
    result: 'approved',
    at: clock.now(),
    trace: ledger.nextTrace(),
    cardId: original.cardId,
    authCode: original.authCode,
    stored: true,
    unsettled: true,
    undoes: original,
  });
  await deliver(dialogue, record, request);
}

/** The payment that a reversal undoes, or the code of the refusal. */
function originalOf(dialogue: Dialogue, request: ReversalRequest): TransactionRecord | number {
  const { ledger } = dialogue.device;
  const { voids } = dialogue.options;
  const last = ledger.openBatch().at(-1);
  const original = voids === 'last_regardless' ? last : ledger.find(request.receipt);
  if (voids === 'none') return CODE.notPossible;
  if (original?.result !== 'approved' || original.kind !== 'sale') return CODE.impossible;
  if (original.reversed) return CODE.reversed;
  if (voids === 'last' && original.sequence !== last?.sequence) return CODE.impossible;
  const { amountMinor = original.amountMinor } = request;
  return voids === 'last_regardless' || amountMinor === original.amountMinor ? original : CODE.impossible;
}

async function approve(dialogue: Dialogue, request: PaymentRequest): Promise<void> {
  const { ledger, clock, settings } = dialogue.device;
  const trace = ledger.nextTrace();
  const card = cardOf(dialogue, request, trace);
  dialogue.device.show('Please wait');
  await dialogue.progress(0x0e, card.verification === 'online_pin' ? 'PIN OK, bitte warten' : 'Bitte warten');
  await dialogue.progress(0x04, 'Verbindung zum Host');
  await dialogue.host();
  const { amountMinor, asksTip } = request;
  const ordered = request.of === 'sale' ? approvedAmount(dialogue.device, amountMinor, asksTip) : undefined;
  const record = ledger.enter({
    kind: request.of,
    amountMinor,
    ...ordered,
    currency: settings.currency,
    result: 'approved',
    at: clock.now(),
    trace,
    cardId: card.id,
    authCode: approvalCode(trace),
    stored: true,
    unsettled: true,
  });
  await deliver(dialogue, record, request);
}

/** The configured card; else a refund gets the card that paid, and the cards of paying customers rotate. */
function cardOf({ device }: Dialogue, { of, amountMinor }: PaymentRequest, trace: string): VirtualCard {
  const paidWith = of === 'refund' ? device.ledger.cardThatPaid(amountMinor) : null;
  return device.faults.takeCard() ?? cardById(paidWith ?? '') ?? cardOfCustomer(Number(trace) - 1);
}

/** Sends an approval to the till and settles it: acknowledged with all its receipts, or not. */
async function deliver(
  dialogue: Dialogue,
  record: TransactionRecord,
  { sentCurrency }: PaymentRequest | ReversalRequest,
): Promise<void> {
  const { ledger, settings, faults } = dialogue.device;
  const unsent = faults.takeUnreported();
  if (unsent !== undefined) {
    ledger.confirm(record);
    await dialogue.reach('completion');
    return dialogue.fail(unsent);
  }
  dialogue.device.show('Approved');
  await dialogue.reach('result');
  const reply = await dialogue.ask(statusInformation(record, dialogue.status(sentCurrency)));
  const missing = settings.missingAcknowledgement;
  if (reply.kind !== 'positive')
    return takeBack(dialogue, record, reply.kind === 'negative' ? 'reverse' : missing, reply);
  const printing = dialogue.printing('payment');
  if (!printing) ledger.confirm(record);
  await dialogue.reach('result_acknowledged');
  if (printing) {
    await dialogue.reach('print');
    const receipts = paymentReceipts(record, settings.name, settings.terminalId);
    const printed = await dialogue.print(receipts, printing);
    if (printed.kind !== 'positive')
      return takeBack(dialogue, record, printed.kind === 'negative' ? 'reverse' : missing, 'print');
    ledger.confirm(record);
  }
  const badEnd = faults.takeBadEnd();
  if (badEnd) return endBadly(dialogue, record, badEnd);
  await dialogue.reach('completion');
  await dialogue.complete();
}

/** `06 1E` after an approval that the till acknowledged with all its receipts. */
async function endBadly(
  dialogue: Dialogue,
  record: TransactionRecord,
  { how, code }: { readonly how: SpoiltEnd; readonly code: number },
): Promise<void> {
  if (how !== 'kept') dialogue.device.ledger.settle(record, 'reverse', dialogue.options.storesDeclined);
  if (how === 'reversed') await dialogue.progress(0x05, 'Automatisches Storno', true);
  await dialogue.reach('completion');
  await dialogue.fail(code);
}

/** Applies this vendor's handling of an unacknowledged approval. */
async function takeBack(
  dialogue: Dialogue,
  record: TransactionRecord,
  how: MissingAcknowledgement,
  because: Reply | 'print',
): Promise<void> {
  const code = codeBecause(because);
  dialogue.device.ledger.settle(record, how, dialogue.options.storesDeclined);
  if (how === 'reverse') {
    dialogue.device.show('Automatic reversal');
    await dialogue.progress(0x05, 'Automatisches Storno', true);
    await dialogue.host();
  }
  await dialogue.reach('completion');
  if (how === 'keep') return dialogue.complete();
  await dialogue.fail(how === 'decline' ? CODE.declined : code);
}

function codeBecause(because: Reply | 'print'): number {
  if (because === 'print') return CODE.cannotPrint;
  return because.kind === 'missing' ? CODE.noAnswer : CODE.aborted;
}

async function refuse(
  dialogue: Dialogue,
  request: PaymentRequest,
  result: 'declined' | 'aborted',
  code: number,
  text: string,
): Promise<void> {
  const { ledger, clock, settings } = dialogue.device;
  if (result === 'declined') {
    await dialogue.progress(0x04, 'Verbindung zum Host');
    await dialogue.host();
  }
  const trace = result === 'declined' ? ledger.nextTrace() : null;
  const record = ledger.enter({
    kind: request.of,
    amountMinor: request.amountMinor,
    currency: settings.currency,
    result,
    at: clock.now(),
    trace: trace ?? '000000',
    cardId: null,
    authCode: null,
    stored: result === 'declined' && dialogue.options.storesDeclined,
    unsettled: false,
  });
  const receiptNumber = record.stored ? record.receiptNumber : null;
  dialogue.device.show(text);
  await dialogue.reach('result');
  const { amountMinor, at } = record;
  const refusal = { code, text, amountMinor, trace, receiptNumber, at };
  await dialogue.ask(refusalInformation(refusal, dialogue.status(request.sentCurrency)));
  await dialogue.reach('result_acknowledged');
  await dialogue.reach('completion');
  await dialogue.fail(code);
}

async function sayWrongPin(dialogue: Dialogue, request: PaymentRequest): Promise<void> {
  const { ledger, clock } = dialogue.device;
  await dialogue.host();
  dialogue.device.show('Wrong PIN');
  await dialogue.reach('result');
  const refusal = {
    code: CODE.wrongPin,
    text: 'PIN falsch',
    amountMinor: request.amountMinor,
    trace: ledger.nextTrace(),
    receiptNumber: null,
    at: clock.now(),
  };
  await dialogue.ask(refusalInformation(refusal, dialogue.status(request.sentCurrency)));
}

function amountText(dialogue: Dialogue, minor: number): string {
  const { currency } = dialogue.device.settings;
  return isCurrency(currency) ? formatMoney({ minor, currency }) : String(minor);
}
