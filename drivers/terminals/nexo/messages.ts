import { type JsonObject, z } from '../../../src/driver-kit/terminal.ts';

export const CATEGORIES = [
  'Payment',
  'Reversal',
  'TransactionStatus',
  'Diagnosis',
  'Login',
  'Reconciliation',
  'GetTotals',
  'Abort',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** What pairs a request with its response: no till uses a pair of SaleID and ServiceID twice. */
export interface Pair {
  readonly saleId: string;
  readonly poiId: string;
  /** One to ten letters and digits. */
  readonly serviceId: string;
}

/** `{"SaleToPOIRequest":{"MessageHeader":{…},"PaymentRequest":{…}}}` */
export function requestOf(category: Category, pair: Pair, content: JsonObject): object {
  const MessageHeader = {
    ProtocolVersion: '3.0',
    MessageClass: 'Service',
    MessageCategory: category,
    MessageType: 'Request',
    SaleID: pair.saleId,
    ServiceID: pair.serviceId,
    POIID: pair.poiId,
  };
  return { SaleToPOIRequest: { MessageHeader, [`${category}Request`]: content } };
}

/** For fields that nothing depends on: what is something else is passed over. */
function lenient<Schema extends z.ZodType>(schema: Schema) {
  return schema.optional().catch(undefined);
}

const text = lenient(z.string().max(2000));
/** `{TransactionID, TimeStamp}` */
const transaction = lenient(z.object({ TransactionID: text, TimeStamp: text }));
const output = lenient(z.array(z.object({ Text: z.string().max(2000) })).max(500));
const receipt = z.object({
  DocumentQualifier: text,
  OutputContent: lenient(z.object({ OutputText: output })),
});
const card = z.object({
  MaskedPan: text,
  PaymentBrand: text,
  EntryMode: lenient(z.array(z.string().max(32)).max(8)),
});
const amount = z.union([z.number(), z.string().max(24)]).optional();

/** `Result` and the amounts decide about money: where one of them cannot be read, nothing is read. */
const outcome = z.object({
  Result: z.string().max(32),
  ErrorCondition: z.string().max(64).optional(),
  AdditionalResponse: text,
});
const total = z.object({
  PaymentBrand: text,
  PaymentCurrency: text,
  PaymentTotals: z
    .array(
      z.object({ TransactionType: z.string(), TransactionCount: z.int(), TransactionAmount: z.number() }),
    )
    .max(200),
});

const totals = z.object({ Response: outcome, TransactionTotals: lenient(z.array(total).max(100)) });

const acquirer = z.object({
  MerchantID: text,
  AcquirerPOIID: text,
  ApprovalCode: text,
});

/** A response to Payment or Reversal, as far as a till needs it. */
const moneyResponse = z.object({
  Response: outcome,
  SaleData: lenient(z.object({ SaleTransactionID: transaction })),
  POIData: lenient(z.object({ POITransactionID: transaction })),
  PaymentResult: z
    .object({
      PaymentType: text,
      OnlineFlag: lenient(z.boolean()),
      AmountsResp: z
        .object({
          Currency: z.string().max(3).optional(),
          AuthorizedAmount: amount,
          TipAmount: amount,
          CashBackAmount: amount,
        })
        .optional(),
      PaymentAcquirerData: lenient(acquirer),
      PaymentInstrumentData: lenient(z.object({ CardData: card.optional() })),
    })
    .optional(),
  ReversedAmount: amount,
  PaymentReceipt: lenient(z.array(receipt).max(20)),
});
export type MoneyResponse = z.output<typeof moneyResponse>;

const header = z.object({
  MessageCategory: z.string().max(64),
  MessageType: z.string().max(64),
  SaleID: z.string().max(64),
  ServiceID: z.string().max(64),
  POIID: z.string().max(64),
});

const response = z.object({
  MessageHeader: header,
  PaymentResponse: moneyResponse.optional(),
  ReversalResponse: moneyResponse.optional(),
  TransactionStatusResponse: z
    .object({
      Response: outcome,
      RepeatedMessageResponse: z
        .object({
          MessageHeader: header,
          RepeatedResponseMessageBody: z.object({
            PaymentResponse: moneyResponse.optional(),
            ReversalResponse: moneyResponse.optional(),
          }),
        })
        .optional(),
    })
    .optional(),
  DiagnosisResponse: z
    .object({
      Response: outcome,
      POIStatus: lenient(
        z.object({
          GlobalStatus: text,
          CommunicationOKFlag: lenient(z.boolean()),
          PrinterStatus: text,
        }),
      ),
    })
    .optional(),
  LoginResponse: z.object({ Response: outcome }).optional(),
  ReconciliationResponse: totals.optional(),
  GetTotalsResponse: totals.optional(),
});
export type Response = z.output<typeof response>;
export type TransactionTotals = z.output<typeof total>;

/** The body of an answer. */
export const answer = z.object({ SaleToPOIResponse: response });
