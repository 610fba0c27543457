import {
  AppError,
  type Currency,
  decimalOf,
  isoTime,
  type JsonObject,
  type MoneyCommand,
  type MoneyResponse,
} from '../../../src/driver-kit/terminal.ts';
import type { Category, Response } from './messages.ts';
import { receiptsOf, reportOf } from './report.ts';
import { BUSY_CONDITION, wordsOf } from './result-codes.ts';

/** The terminal asks the customer for a tip, as it is set up there. */
const ASK_FOR_TIP = 'tenderOption=AskGratuity';

/** The content of a payment, a refund or a reversal. @throws VOID_NOT_POSSIBLE for a payment that cannot be named */
export function contentOf(command: MoneyCommand, now: number): readonly [Category, JsonObject] {
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
    return ['Reversal', { OriginalPOITransaction, ReversalReason: 'MerchantCancel', SaleData }];
  }
  const AmountsReq = { Currency: amount.currency, RequestedAmount: Number(decimalOf(amount)) };
  const PaymentData = kind === 'refund' ? { PaymentData: { PaymentType: 'Refund' } } : {};
  return ['Payment', { SaleData, PaymentTransaction: { AmountsReq }, ...PaymentData }];
}

/** What a response to one of them says. */
export function moneyResponseOf(
  { MessageHeader: { ServiceID: serviceId }, ...response }: Response,
  kind: MoneyCommand['kind'],
  currency: Currency,
): MoneyResponse {
  const of = kind === 'void' ? 'Reversal' : 'Payment';
  const content = response[`${of}Response`];
  if (!content) return { words: 'another content' };
  const { Result, ErrorCondition } = content.Response;
  if (Result === 'Failure' && ErrorCondition === BUSY_CONDITION) {
    const message = 'the terminal is in another payment; it says that it has begun nothing';
    return { notBegun: { code: 'TERMINAL_BUSY', message }, words: wordsOf(BUSY_CONDITION) };
  }
  return {
    report: reportOf({ of, response: content, serviceId, currency }),
    words: `the terminal answered ${wordsOf(Result)}: ${wordsOf(ErrorCondition)}`,
    receipts: receiptsOf(content),
  };
}
