import type { DecodedPart, TextTlvElement } from '../../../src/driver-kit/terminal.ts';
import { maskCard, maskReport, maskText } from './card-data.ts';
import {
  FULL_ANSWER_LENGTH,
  REQUEST_LENGTH,
  readEplusAnswer,
  readEplusRequest,
  SHORT_ANSWER_LENGTH,
  shownAnswer,
} from './eplus-messages.ts';
import { actionName } from './names.ts';
import { eplusWords, v3Words } from './result-codes.ts';
import { readV3 } from './v3-messages.ts';

/** ENQ and EOT besides the controls of every line. */
export const CONTROLS: Readonly<Record<number, string>> = { 4: 'EOT', 5: 'ENQ', 6: 'ACK', 21: 'NAK' };
const REQUESTS: Readonly<Record<string, string>> = {
  '0': 'Debit',
  '1': 'Credit',
  '2': 'Cancellation',
  '4': 'Duplicate (?)',
};
/** Tags whose whole value is an account number: card, CMC7, FNCI. */
const ACCOUNTS = new Set(['AA', 'AD', 'AG']);

export function isControl(byte: number | undefined): boolean {
  return byte !== undefined && byte in CONTROLS;
}

/** One message without its frame: E+ is recognised by its length, V3 by its first tag. @throws DECODE_* */
export function messagePart(data: Uint8Array, base: number): DecodedPart {
  if (isV3(data)) return v3Part(data, base);
  return data.length === SHORT_ANSWER_LENGTH || data.length === FULL_ANSWER_LENGTH
    ? answerPart(data, base)
    : requestPart(data, base);
}

/** E+ begins with digits, V3 with a tag. */
export function isV3(data: Uint8Array): boolean {
  const first = data.find((byte) => byte !== 0x0d && byte !== 0x0a && byte !== 0x20) ?? 0;
  return first < 0x30 || first > 0x39;
}

function requestPart(data: Uint8Array, base: number): DecodedPart {
  const request = readEplusRequest(data, base);
  const payload = maskText(new TextDecoder('latin1').decode(data.subarray(0, REQUEST_LENGTH)));
  return part('request', REQUESTS[request.type] ?? 'Unknown type', {
    variant: 'E+',
    direction: 'ecr->terminal',
    payload,
    checkout: request.checkout,
    amount_minor: request.amountMinor,
    answer_flag: request.answerFlag,
    payment_mode: request.mode,
    transaction_type: request.type,
    currency: request.currencyCode,
    private: request.private,
    delay: request.delay,
    authorisation: request.authorisation,
  });
}

function answerPart(data: Uint8Array, base: number): DecodedPart {
  const answer = readEplusAnswer(data, base);
  return part('answer', eplusWords(answer.result), {
    variant: 'E+',
    direction: 'terminal->ecr',
    // A card number may extend from one field into the next.
    payload: maskText(shownAnswer(data)),
    checkout: answer.checkout,
    result: answer.result,
    amount_minor: answer.amountMinor,
    payment_mode: answer.mode,
    ...(answer.report === undefined ? {} : { report: maskReport(answer.report) }),
    currency: answer.currencyCode,
    private: answer.private,
  });
}

function v3Part(data: Uint8Array, base: number): DecodedPart {
  const { elements, get } = readV3(data, base);
  const result = get('AE');
  const shown = elements.map(shownElement);
  const kind = senderOf(elements);
  const reason = result === '01' ? `: ${v3Words(get('AF')?.slice(0, 2))}` : '';
  return {
    ...part(kind, `${actionName(get('CD'))}${reason}`, {
      variant: 'V3-TLV',
      direction: DIRECTIONS[kind],
      text: shown.map(writtenElement).join(''),
      tags: shown,
    }),
    parts: elements.flatMap(containerPart),
  };
}

const DIRECTIONS = { answer: 'terminal->ecr', request: 'ecr->terminal', unknown: 'unknown' } as const;

/** Tags with A are the terminal's, tags with B the till's; a message with an action and neither is a request. */
function senderOf(elements: readonly TextTlvElement[]): keyof typeof DIRECTIONS {
  if (elements.some(({ tag }) => tag.startsWith('A'))) return 'answer';
  return elements.some(({ tag }) => tag === 'CD' || tag.startsWith('B')) ? 'request' : 'unknown';
}

function containerPart({ tag, children }: TextTlvElement): readonly DecodedPart[] {
  if (!children) return [];
  const tags = children.map(shownElement);
  return [part('container', tag, { text: tags.map(writtenElement).join(''), tags })];
}

type Shown = readonly [tag: string, value: string];

function shownElement({ tag, value, children }: TextTlvElement): Shown {
  if (children) return [tag, children.map(shownElement).map(writtenElement).join('')];
  // It may hold a receipt in base64, in which a search for digits would miss a card number.
  if (tag.startsWith('Z')) return [tag, `(${value.length} characters that cannot be read)`];
  if (ACCOUNTS.has(tag)) return [tag, maskCard(value)];
  return [tag, tag === 'AK' ? shownReceipt(value) : maskText(value)];
}

function writtenElement([tag, value]: Shown): string {
  return `${tag}${String(value.length).padStart(3, '0')}${value}`;
}

/** Fourteen digits by themselves: the shop's SIRET, which receipts show and which passes the check of card numbers. */
const SIRET = /(?<!\d)\d{14}(?!\d)/g;

/** The characters of base64, with line ends between them. */
const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;

/** A receipt is sent as base64: a search for digits would miss a card number in it. */
function shownReceipt(value: string): string {
  // A lenient base64 reader could still decode a card number.
  if (!BASE64.test(value)) return `(${value.length} characters that are no base64)`;
  const text = decoded(value).replace(SIRET, 'SIRET');
  return maskText(text) === text ? maskText(value) : btoa(maskText(decoded(value)));
}

/** The text of a receipt (tag AK), one character for each byte; undefined where it is no base64. */
export function receiptText(value: string): string | undefined {
  return BASE64.test(value) ? decoded(value) : undefined;
}

/** The decoded text; characters outside base64 are ignored. */
function decoded(value: string): string {
  const signs = value.replace(/[^A-Za-z0-9+/]/g, '');
  return atob(signs.slice(0, signs.length - (signs.length % 4 === 1 ? 1 : 0)));
}

function part(kind: string, name: string, fields: Readonly<Record<string, unknown>>): DecodedPart {
  return { layer: 'message', kind, name, fields, checksum: null, parts: [] };
}
