import { exponentOf, isCurrency } from '../../../src/base/money.ts';

import { cardById } from '../../../src/sandbox/terminal/cards.ts';
import { isoTime } from '../../../src/sandbox/terminal/civil-time.ts';
import type { TransactionRecord } from '../../../src/sandbox/terminal/ledger.ts';

type Json = Readonly<Record<string, unknown>>;

/** A till's request; undefined: not one of the protocol. */
export interface SaleToPoi {
  readonly header: Json;
  readonly category: string;
  readonly content: Json;
}

export function readRequest(body: string): SaleToPoi | undefined {
  let document: unknown;
  try {
    document = JSON.parse(body);
  } catch {
    return undefined;
  }
  const message = part(document, 'SaleToPOIRequest');
  const header = part(message, 'MessageHeader');
  const category = word(header, 'MessageCategory');
  const content = part(message, `${category}Request`);
  const isWhole = ['SaleID', 'ServiceID', 'POIID'].every((key) => word(header, key) !== '');
  const isRequest = word(header, 'MessageType') === 'Request' && word(header, 'MessageClass') === 'Service';
  return header && content && isWhole && isRequest ? { header, category, content } : undefined;
}

/** The object under a key. */
export function part(value: unknown, key: string): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const inner: unknown = Reflect.get(value, key);
  return typeof inner === 'object' && inner !== null ? (inner as Json) : undefined;
}

/** The text under a key, or an empty one. */
export function word(value: unknown, key: string): string {
  const inner: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : '';
  return typeof inner === 'string' ? inner : '';
}

export function success(): Json {
  return { Result: 'Success' };
}

export function failure(condition: string, words = condition): Json {
  return {
    Result: 'Failure',
    ErrorCondition: condition,
    AdditionalResponse: `message=${encodeURIComponent(words)}`,
  };
}

/** The whole response to a request; the POIID is the terminal's own. */
export function responseTo(
  { header, category }: Pick<SaleToPoi, 'header' | 'category'>,
  poiId: string,
  content: Json,
): Json {
  const MessageHeader = { ...header, MessageType: 'Response', POIID: poiId };
  return { SaleToPOIResponse: { MessageHeader, [`${category}Response`]: content } };
}

/** The terminal's own id of a transaction. */
export function transactionId({ sequence, trace, at }: TransactionRecord): {
  readonly TransactionID: string;
  readonly TimeStamp: string;
} {
  return {
    TransactionID: `V${trace}.${sequence.toString(36).toUpperCase().padStart(6, '0')}`,
    TimeStamp: isoTime(at),
  };
}

/** The major unit. */
export function major(minor: number, currency: string): number {
  return minor / 10 ** (isCurrency(currency) ? exponentOf(currency) : 2);
}

/** Minor units of a requested amount; NaN when it is none. */
export function minorIn(amounts: Json | undefined, currency: string): number {
  const amount = amounts?.['RequestedAmount'];
  if (typeof amount !== 'number' || word(amounts, 'Currency') !== currency) return Number.NaN;
  return Math.round(amount * 10 ** (isCurrency(currency) ? exponentOf(currency) : 2));
}

/** The content of the response to a Payment or a Reversal. `asked`: minor units; more than was taken is a Partial. */
export function moneyContent(
  record: TransactionRecord,
  asked: number,
  terminalId: string,
  repeatsSaleData: boolean,
): Json {
  const { kind, result, currency, amountMinor, tipMinor, cashbackMinor, authCode, reference } = record;
  const card = cardById(record.cardId ?? '');
  const [, , saleTransaction = ''] = reference.split('/');
  const Response =
    result === 'approved'
      ? { Result: amountMinor < asked ? 'Partial' : 'Success' }
      : failure(result === 'declined' ? 'Refusal' : 'Cancel');
  const POIData = { POITransactionID: transactionId(record), POIReconciliationID: String(record.batch) };
  const SaleData = {
    SaleTransactionID: { TransactionID: saleTransaction, TimeStamp: isoTime(record.at) },
  };
  const isVoid = kind === 'void';
  const AmountsResp = {
    Currency: currency,
    AuthorizedAmount: major(amountMinor, currency),
    ...(tipMinor > 0 ? { TipAmount: major(tipMinor, currency) } : {}),
    ...(cashbackMinor > 0 ? { CashBackAmount: major(cashbackMinor, currency) } : {}),
  };
  const PaymentResult = {
    PaymentType: kind === 'refund' ? 'Refund' : 'Normal',
    OnlineFlag: true,
    PaymentAcquirerData: {
      MerchantID: 'VirtualMerchant',
      AcquirerPOIID: terminalId,
      ...(authCode === null ? {} : { ApprovalCode: authCode }),
    },
    PaymentInstrumentData: {
      PaymentInstrumentType: 'Card',
      CardData: {
        MaskedPan: (card?.maskedPan ?? '').replaceAll('E', '*'),
        PaymentBrand: card?.scheme ?? 'unknown',
        EntryMode: [card?.entryMode === 'contactless' ? 'Tapped' : 'ICC'],
      },
    },
    ...(result === 'approved' ? { AmountsResp } : {}),
  };
  return {
    Response,
    POIData,
    ...(repeatsSaleData && !isVoid ? { SaleData } : {}),
    ...(isVoid
      ? result === 'approved'
        ? { ReversedAmount: major(amountMinor, currency) }
        : {}
      : { PaymentResult }),
    PaymentReceipt:
      result === 'approved' ? [receipt('CustomerReceipt', record), receipt('CashierReceipt', record)] : [],
  };
}

function receipt(qualifier: string, { kind, amountMinor, currency, authCode, at }: TransactionRecord): Json {
  const line = (name: string, value: string) => ({
    Text: new URLSearchParams({ name, value }).toString(),
    EndOfLineFlag: true,
  });
  const OutputText = [
    line(kind.toUpperCase(), ''),
    line('AMOUNT', `${major(amountMinor, currency)} ${currency}`),
    line('AUTH', authCode ?? ''),
    line('TIME', isoTime(at)),
  ];
  return {
    DocumentQualifier: qualifier,
    RequiredSignatureFlag: false,
    OutputContent: { OutputFormat: 'Text', OutputText },
  };
}

/** `TransactionTotals` of the open batch. */
export function totalsOf(records: readonly TransactionRecord[], currency: string): readonly Json[] {
  const standing = records.filter(
    ({ result, reversed, kind }) => result === 'approved' && !reversed && kind !== 'void',
  );
  const of = (kind: 'sale' | 'refund', TransactionType: string) => {
    const some = standing.filter((record) => record.kind === kind);
    const sum = some.reduce((all, { amountMinor }) => all + amountMinor, 0);
    return { TransactionType, TransactionCount: some.length, TransactionAmount: major(sum, currency) };
  };
  return [
    {
      PaymentInstrumentType: 'Card',
      PaymentCurrency: currency,
      PaymentTotals: [of('sale', 'Debit'), of('refund', 'Credit')],
    },
  ];
}
