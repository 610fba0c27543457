import fc from 'fast-check';
import { decode } from '../../../drivers/terminals/nexo/decode.ts';
import { answer } from '../../../drivers/terminals/nexo/messages.ts';
import { reportOf } from '../../../drivers/terminals/nexo/report.ts';
import { passesLuhn } from '../../../src/base/card-number.ts';
import { HttpAnswerReader } from '../../../src/driver-kit/http-answer.ts';
import { jsonObject } from '../../../src/driver-kit/json-message.ts';
import { hostile, oneOf, utf8 } from '../mutations.ts';
import { must, mustBeBounded, mustNotMindSegmentation, verdictOf } from '../oracles.ts';
import type { Target } from '../target.ts';

const LONGEST = 2000;
const HEADER = {
  MessageCategory: 'Payment',
  MessageType: 'Response',
  SaleID: 's',
  ServiceID: 'A1B2C3',
  POIID: 'p',
};

const RESPONSES = [
  {
    Response: { Result: 'Success' },
    PaymentResult: { AmountsResp: { Currency: 'EUR', AuthorizedAmount: 12.34, TipAmount: 1 } },
  },
  {
    Response: { Result: 'Failure', ErrorCondition: 'Refusal' },
    PaymentReceipt: [
      {
        DocumentQualifier: 'CustomerReceipt',
        OutputContent: { OutputText: [{ Text: 'name=CARD&value=4111111111111111' }] },
      },
    ],
  },
  {
    Response: { Result: 'Partial' },
    PaymentResult: {
      AmountsResp: { AuthorizedAmount: '5.00' },
      PaymentInstrumentData: { CardData: { MaskedPan: '4111111111111111', EntryMode: ['ICC'] } },
    },
    POIData: { POITransactionID: { TransactionID: '4111111111111111', TimeStamp: '2026' } },
  },
].map((PaymentResponse) => JSON.stringify({ SaleToPOIResponse: { MessageHeader: HEADER, PaymentResponse } }));

const ANSWERS = RESPONSES.flatMap((body) => [
  `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 404 Not Found\r\n\r\n${body}`,
]).map(utf8);

const framing: Target = {
  name: 'kit-http',
  promise:
    'at most one answer, the same in any segmentation, its body within its bounds and among the bytes that came',
  inputs: hostile(oneOf(ANSWERS)),
  check: (bytes) => {
    const answers = mustNotMindSegmentation(bytes, () => new HttpAnswerReader(LONGEST));
    must(answers.length <= 1, 'more than one answer');
    for (const { status, body } of answers) {
      must(status >= 200 && status <= 999, 'an interim answer, or none');
      must(body.length <= LONGEST && body.length <= bytes.length, 'more body than came');
    }
  },
};

const decoding: Target = {
  name: 'nexo-decode',
  promise: 'any bytes are decoded or refused at an offset, on every layer, and no card number is shown',
  inputs: hostile(fc.oneof(oneOf(ANSWERS), oneOf(RESPONSES.map(utf8)))),
  check: (bytes) => {
    for (const layer of ['frame', 'message', undefined] as const) {
      const verdict = verdictOf(() => decode(bytes, layer, undefined), bytes.length);
      if (verdict.kind === 'refused') continue;
      mustBeBounded(verdict.value, bytes.length, 20, 2000);
      mustShowNoCard(JSON.stringify(verdict.value));
    }
  },
};

const meaning: Target = {
  name: 'nexo-report',
  promise:
    'a response is read or none; an approval has an amount that is a safe integer; no card number is in a report',
  inputs: hostile(oneOf(RESPONSES.map(utf8))),
  check: (bytes) => {
    const read = verdictOf(() => jsonObject(bytes), bytes.length);
    const response =
      read.kind === 'refused' ? undefined : answer.safeParse(read.value).data?.SaleToPOIResponse;
    if (!response?.PaymentResponse) return;
    const { PaymentResponse, MessageHeader } = response;
    const report = reportOf({
      of: 'Payment',
      response: PaymentResponse,
      serviceId: MessageHeader.ServiceID,
      currency: 'EUR',
    });
    if (report.verdict === 'approved')
      must(
        Number.isSafeInteger(report.amountMinor) || report.kind === 'void',
        'an approval without an amount',
      );
    mustShowNoCard(JSON.stringify(report));
  },
};

function mustShowNoCard(text: string): void {
  for (const digits of text.match(/(?<!\d)[2-6]\d{12,18}(?!\d)/g) ?? [])
    must(!passesLuhn(digits), 'a card number is shown');
}

export const http: readonly Target[] = [framing, decoding, meaning];
