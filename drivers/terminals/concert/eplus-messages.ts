import {
  asciiBytes,
  ByteReader,
  blankFilled,
  malformed,
  zeroFilled,
} from '../../../src/driver-kit/terminal.ts';
import { maskReport } from './card-data.ts';

/** Characters of a request, and of an answer without and with its report. */
export const REQUEST_LENGTH = 34;
export const SHORT_ANSWER_LENGTH = 25;
export const FULL_ANSWER_LENGTH = 80;
const REPORT_LENGTH = 55;
const PRIVATE_LENGTH = 10;
/** Payment by card. */
const BY_CARD = '1';
/** The answer comes at the end of the payment. With the other value, A011, no result follows. */
const ANSWER_AT_END = 'A010';
const NORMAL_AUTHORISATION = 'B010';

/** A till's request; `type`: 0 debit, 1 credit, 2 cancellation, 4 duplicate (?). */
export interface EplusRequest {
  readonly checkout: string;
  readonly amountMinor: number;
  /** 0 short, 1 with a report, 2 TLV. */
  readonly answerFlag: string;
  readonly mode: string;
  readonly type: string;
  readonly currencyCode: number;
  /** Ten characters. */
  readonly private: string;
  readonly delay: string;
  readonly authorisation: string;
}

export interface EplusAnswer {
  readonly checkout: string;
  /** One digit; see result-codes.ts. */
  readonly result: string;
  readonly amountMinor: number;
  readonly mode: string;
  /** 55 characters, or none in a short answer. It may hold a whole card number: only card-data.ts may show parts of it. */
  readonly report: string | undefined;
  readonly currencyCode: number;
  readonly private: string;
}

/**
 * A request for money, 34 characters:
 *
 *     checkout 2 | amount 8 | flag 1 | mode 1 | type 1 | currency 3 | private 10 | delay 4 | authorisation 4
 *     01           00001250   1        1        0        978          A1B2C3       A010      B010
 *
 * @throws INVARIANT_BROKEN for an amount over eight digits or a ticket over ten characters
 */
export function eplusRequest(
  type: '0' | '1',
  checkout: string,
  amountMinor: number,
  currencyCode: number,
  ticket: string,
): Uint8Array {
  return asciiBytes(
    [
      checkout,
      zeroFilled(amountMinor, 8),
      '1',
      BY_CARD,
      type,
      zeroFilled(currencyCode, 3),
      blankFilled(ticket, PRIVATE_LENGTH),
      ANSWER_AT_END,
      NORMAL_AUTHORISATION,
    ].join(''),
  );
}

/** @throws DECODE_MALFORMED; offsets are counted from `base`. */
export function readEplusRequest(data: Uint8Array, base = 0): EplusRequest {
  if (data.length !== REQUEST_LENGTH)
    throw malformed(base + Math.min(data.length, REQUEST_LENGTH), 'a request is 34 characters');
  const reader = new ByteReader(data, base);
  return {
    checkout: reader.digits(2, 'the checkout'),
    amountMinor: Number(reader.digits(8, 'the amount')),
    answerFlag: ofShape(reader, 1, /^[012]$/, 'the answer flag'),
    mode: ofShape(reader, 1, /^[0-9A-Z]$/, 'the payment mode'),
    type: ofShape(reader, 1, /^[0-9]$/, 'the transaction type'),
    currencyCode: Number(reader.digits(3, 'the currency')),
    private: reader.text(PRIVATE_LENGTH, 'the private field'),
    delay: ofShape(reader, 4, /^A01[01]$/, 'the delay'),
    authorisation: ofShape(reader, 4, /^B01[01]$/, 'the authorisation'),
  };
}

/**
 * An answer, 25 characters or, with its report, 80:
 *
 *     checkout 2 | result 1 | amount 8 | mode 1 | report 55 or none | currency 3 | private 10
 *
 * @throws DECODE_MALFORMED; offsets are counted from `base`
 */
export function readEplusAnswer(data: Uint8Array, base = 0): EplusAnswer {
  const isShort = data.length === SHORT_ANSWER_LENGTH;
  if (!isShort && data.length !== FULL_ANSWER_LENGTH)
    throw malformed(base + Math.min(data.length, FULL_ANSWER_LENGTH), 'an answer is 25 or 80 characters');
  const reader = new ByteReader(data, base);
  return {
    checkout: reader.digits(2, 'the checkout'),
    result: reader.digits(1, 'the result'),
    amountMinor: Number(reader.digits(8, 'the amount')),
    mode: ofShape(reader, 1, /^[0-9A-Z]$/, 'the payment mode'),
    report: isShort ? undefined : reader.text(REPORT_LENGTH, 'the report'),
    currencyCode: Number(reader.digits(3, 'the currency')),
    private: reader.text(PRIVATE_LENGTH, 'the private field'),
  };
}

/** The text of an answer without card data, in its original length. */
export function shownAnswer(data: Uint8Array): string {
  const text = new TextDecoder('latin1').decode(data);
  if (data.length === SHORT_ANSWER_LENGTH) return text;
  const report = text.slice(12, 12 + REPORT_LENGTH);
  return text.slice(0, 12) + maskReport(report) + text.slice(12 + REPORT_LENGTH);
}

/**
 * The ticket in the ten returned private characters: six of base 36, the first a letter, padded with blanks or zeros.
 * Undefined where the terminal fills the field with its own text.
 */
export function ticketIn(field: string): string | undefined {
  return /^[ 0]*([A-Z][0-9A-Z]{5})[ 0]*$/.exec(field)?.[1];
}

function ofShape(reader: ByteReader, length: number, shape: RegExp, what: string): string {
  const at = reader.offset;
  const text = reader.text(length, what);
  if (!shape.test(text)) throw malformed(at, `${what} is not as it should be`);
  return text;
}
