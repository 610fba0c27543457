import {
  AppError,
  type Currency,
  conclude,
  decimalOf,
  isoTime,
  type MoneyCommand,
  type Observer,
  type Outcome,
  payOnce,
  type TransactionReport,
} from '../../../src/driver-kit/terminal.ts';
import type { Conversation } from './conversation.ts';
import type { Category, MoneyResponse, Response } from './messages.ts';
import { receiptsOf, reportOf } from './report.ts';
import { BUSY, wordsOf } from './result-codes.ts';
import { MOST_MINOR, type Settings } from './settings.ts';

/** The terminal asks the customer for a tip, as it is set up there. */
const ASK_FOR_TIP = 'tenderOption=AskGratuity';

interface Asked {
  readonly command: MoneyCommand;
  readonly now: number;
  /** Called once the request was handed over. */
  readonly sent: () => void;
}

/**
 * Runs a payment, a refund or a reversal: one request and one response, on one connection. Never throws.
 * The ServiceID is our ticket, so a status request finds the response again.
 */
export async function pay(
  conversation: Conversation,
  { customer_ms: ms }: Settings,
  { command, now, sent }: Asked,
  observer: Observer,
  signal: AbortSignal,
): Promise<Outcome> {
  return payOnce(observer, async (sending) => {
    check(command, conversation.currency);
    const { category, content } = requestOf(command, now);
    const handed = () => {
      sent();
      return sending.handed();
    };
    const limit = { name: 'customer', ms };
    const { begun } = sending;
    const response = await conversation.send(category, command.ticket, content, limit, signal, {
      begun,
      handed,
    });
    return concluded(response, command, conversation, observer);
  });
}

/** @throws AppError for what is refused before anything is sent */
function check(command: MoneyCommand, currency: Currency): void {
  const { amount, kind } = command;
  const cannot = (words: string) => new AppError('TERMINAL_CANNOT', words);
  if (amount.currency !== currency) throw cannot(`This terminal sells in ${currency} only`);
  if (amount.minor < 1 || amount.minor > MOST_MINOR) throw cannot('This terminal cannot take this amount');
  if (kind === 'void' && amount.minor !== command.original.amountMinor)
    throw new AppError('VOID_NOT_POSSIBLE', 'Only the whole payment can be voided; refund a part of it');
}

function requestOf(
  command: MoneyCommand,
  now: number,
): { readonly category: Category; readonly content: Readonly<Record<string, unknown>> } {
  const { kind, amount, attemptId } = command;
  const SaleData = {
    SaleTransactionID: { TransactionID: attemptId, TimeStamp: isoTime(now) },
    ...(kind === 'sale' && command.tip === 'ask' ? { SaleToAcquirerData: ASK_FOR_TIP } : {}),
  };
  if (kind === 'void') {
    const { number, terminalClock } = command.original;
    if (number === undefined || terminalClock === undefined)
      throw new AppError(
        'VOID_NOT_POSSIBLE',
        'The terminal gave this payment no id of its own; refund it instead',
      );
    const POITransactionID = { TransactionID: number, TimeStamp: terminalClock };
    const OriginalPOITransaction = { POITransactionID };
    return {
      category: 'Reversal',
      content: { OriginalPOITransaction, ReversalReason: 'MerchantCancel', SaleData },
    };
  }
  const AmountsReq = { Currency: amount.currency, RequestedAmount: Number(decimalOf(amount)) };
  const PaymentData = kind === 'refund' ? { PaymentData: { PaymentType: 'Refund' } } : {};
  return { category: 'Payment', content: { SaleData, PaymentTransaction: { AmountsReq }, ...PaymentData } };
}

function concluded(
  response: Response,
  command: MoneyCommand,
  { currency }: Conversation,
  observer: Observer,
): Outcome {
  const content = command.kind === 'void' ? response.ReversalResponse : response.PaymentResponse;
  if (!content) return unknown('TERMINAL_RESULT_MISSING', 'the terminal answered without a result');
  const { Result, ErrorCondition } = content.Response;
  if (Result === 'Failure' && ErrorCondition === BUSY)
    return {
      kind: 'not_started',
      code: 'TERMINAL_BUSY',
      message: 'the terminal is in another payment; it says that it has begun nothing',
    };
  const of = command.kind === 'void' ? 'Reversal' : 'Payment';
  const report = reportOf({ of, response: content, serviceId: response.MessageHeader.ServiceID, currency });
  const difference = differenceOf(report, command);
  const read = difference === null ? report : { ...report, verdict: 'unclear' as const };
  const outcome = outcomeOf(read, content, difference, command);
  return observer.beforeAcknowledge(read, outcome)
    ? outcome
    : unknown('NOT_STORED', "the terminal's answer could not be stored", read);
}

function outcomeOf(
  report: TransactionReport,
  content: MoneyResponse,
  difference: string | null,
  { kind }: MoneyCommand,
): Outcome {
  const words = `the terminal answered ${wordsOf(content.Response.Result)}: ${difference ?? wordsOf(content.Response.ErrorCondition)}`;
  if (report.verdict === 'unclear') return unknown('TERMINAL_RESULT_UNCLEAR', words, report);
  return conclude(report, { kind: 'completed', message: words }, receiptsOf(content), kind);
}

/** What contradicts a response: without these echoes it may be that of another payment. */
function differenceOf(
  report: TransactionReport,
  { kind, attemptId, ticket, amount }: MoneyCommand,
): string | null {
  if (report.reference !== attemptId && report.reference !== ticket) return 'it is of another payment';
  if (report.verdict !== 'approved') return null;
  if (report.kind !== kind) return 'it is of another kind';
  const isWhole = report.amountMinor === undefined || report.amountMinor === amount.minor;
  return kind === 'sale' || isWhole ? null : 'it is of another amount';
}

function unknown(code: string, message: string, lastReport?: TransactionReport): Outcome {
  return { kind: 'unknown', code, message, ...(lastReport ? { lastReport } : {}) };
}
