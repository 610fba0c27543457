import {
  type Currency,
  maskCardNumbers,
  minorOf,
  present,
  type Receipts,
  type TransactionReport,
  TruncatedCardNumber,
} from '../../../src/driver-kit/terminal.ts';
import type { MoneyResponse } from './messages.ts';
import { verdictOf, wordsOf } from './result-codes.ts';

const ENTRY_MODES: Readonly<Record<string, NonNullable<TransactionReport['entryMode']>>> = {
  ICC: 'chip',
  Contactless: 'contactless',
  Tapped: 'contactless',
  MagStripe: 'magstripe',
  Keyed: 'manual',
  Manual: 'manual',
};

/** A response about money, of which body it was, and the ServiceID of its pair, in the currency of the device. */
export interface Received {
  readonly of: 'Payment' | 'Reversal';
  readonly response: MoneyResponse;
  readonly serviceId: string;
  readonly currency: Currency;
}

/** Our attempt's id, and our ticket. */
const OWN = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Z][0-9A-Z]{5})$/;

/**
 * The reference: our attempt's id where the response repeats it (SaleTransactionID), else the ServiceID of the pair.
 * An approval whose amount or currency cannot be read is unclear.
 */
export function reportOf({ of, response, serviceId, currency }: Received): TransactionReport {
  const { Response, PaymentResult, POIData, SaleData } = response;
  const { PaymentAcquirerData: acquirer, PaymentInstrumentData } = PaymentResult ?? {};
  const card = PaymentInstrumentData?.CardData;
  const kind = of === 'Reversal' ? 'void' : kindOf(PaymentResult?.PaymentType);
  const verdict = verdictOf(Response.Result, Response.ErrorCondition);
  const amounts = verdict === 'approved' ? amountsOf(response, kind, currency) : {};
  const online = PaymentResult?.OnlineFlag;
  const reference = SaleData?.SaleTransactionID?.TransactionID ?? serviceId;
  return {
    verdict: amounts === null ? 'unclear' : verdict,
    kind,
    ...amounts,
    ...present({
      responseCode: masked(Response.ErrorCondition ?? Response.Result),
      reference: OWN.test(reference) ? reference : masked(reference),
      number: unchanged(POIData?.POITransactionID?.TransactionID),
      terminalClock: unchanged(POIData?.POITransactionID?.TimeStamp),
      authCode: masked(acquirer?.ApprovalCode),
      terminalId: masked(acquirer?.AcquirerPOIID),
      merchantId: masked(acquirer?.MerchantID),
      maskedPan: TruncatedCardNumber.of(card?.MaskedPan ?? ''),
      cardScheme: masked(card?.PaymentBrand),
      entryMode: card?.EntryMode?.map((mode) => ENTRY_MODES[mode]).find((mode) => mode !== undefined),
      online: online === undefined ? undefined : online ? 'yes' : 'no',
      text: verdict === 'approved' ? undefined : wordsOf(Response.ErrorCondition),
    }),
  };
}

/** What an approval charged, or gave back; null: it cannot be read. A Reversal of the whole payment may leave its amount out. */
function amountsOf(
  { Response, PaymentResult, ReversedAmount }: MoneyResponse,
  kind: TransactionReport['kind'],
  currency: Currency,
): Pick<TransactionReport, 'amountMinor' | 'tipMinor' | 'cashbackMinor' | 'currency'> | null {
  const {
    Currency: reported,
    AuthorizedAmount,
    TipAmount,
    CashBackAmount,
  } = PaymentResult?.AmountsResp ?? {};
  const amount = kind === 'void' ? (ReversedAmount ?? AuthorizedAmount) : AuthorizedAmount;
  if (kind === 'void' && amount === undefined) return Response.Result === 'Success' ? { currency } : null;
  const amountMinor = minorOf(amount, currency);
  if (amountMinor === undefined || (reported ?? currency) !== currency) return null;
  const [tip, cashback] = [minorOf(TipAmount, currency), minorOf(CashBackAmount, currency)];
  return {
    amountMinor,
    ...(tip ? { tipMinor: tip } : {}),
    ...(cashback ? { cashbackMinor: cashback } : {}),
    currency,
  };
}

/** Receipts of the customer and of the shop; a line is plain text or `name=…&value=…`. */
export function receiptsOf({ PaymentReceipt = [] }: MoneyResponse): Receipts {
  const of = (...qualifiers: readonly string[]) => {
    const found = PaymentReceipt.find(({ DocumentQualifier }) =>
      qualifiers.includes(DocumentQualifier ?? ''),
    );
    const lines = found?.OutputContent?.OutputText?.map(({ Text }) => lineOf(Text));
    return lines === undefined ? undefined : maskCardNumbers(lines.join('\n').trimEnd());
  };
  return present({ customer: of('CustomerReceipt', 'SaleReceipt'), merchant: of('CashierReceipt') });
}

function lineOf(text: string): string {
  if (!/(^|&)(name|key)=/.test(text)) return printable(text);
  const parts = new URLSearchParams(text);
  return printable([parts.get('name'), parts.get('value')].filter((part) => part).join('  '));
}

function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, ' ').trimEnd();
}

function kindOf(type: string | undefined): TransactionReport['kind'] {
  if (type === undefined || type === 'Normal') return 'sale';
  return type === 'Refund' ? 'refund' : 'unknown';
}

function masked(value: string | undefined): string | undefined {
  return value === undefined ? undefined : maskCardNumbers(printable(value)).slice(0, 120);
}

/** What a later request must repeat as it was; where a card number may be in it, it is left out. */
function unchanged(value: string | undefined): string | undefined {
  return masked(value) === value ? value : undefined;
}
