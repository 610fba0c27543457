import { type DecodedPart, malformed, maskCardNumbers } from '../../../src/driver-kit/terminal.ts';
import { layoutOfAnswer, readAnswer, readHeader, textOf } from './answers.ts';
import { shownCard } from './card-field.ts';
import { cut, HEADER_LENGTH, type Layout, REQUEST_LAYOUTS, uncovered } from './layouts.ts';
import { isLastPart } from './receipts.ts';

/** Code → the till's request. */
const REQUEST_NAMES: Readonly<Record<string, string>> = {
  s: 'Status request',
  P: 'Payment',
  X: 'Payment with extended result',
  p: 'Pre-authorisation',
  i: 'Incremental authorisation',
  c: 'Pre-authorisation capture',
  H: 'Card verification',
  S: 'Reversal of the last payment',
  C: 'Close session',
  T: 'Totals request',
  G: 'Send last result',
  E: 'Print on ECR',
  R: 'Reprint',
  U: 'Additional data',
  K: 'VAS request',
};
/** Code → the terminal's answer. */
const ANSWER_NAMES: Readonly<Record<string, string>> = {
  s: 'Status',
  E: 'Result',
  V: 'Result with currency conversion',
  e: 'Pre-authorisation result',
  i: 'Incremental authorisation result',
  c: 'Capture result',
  v: 'Capture result with currency conversion',
  S: 'Receipt part',
  C: 'Close result',
  T: 'Totals',
  U: 'Additional data of the host',
  K: 'VAS answer',
};
const CARD_TYPES: Readonly<Record<string, string>> = { '1': '1 debit', '2': '2 credit', '3': '3 other' };

/**
 * Decodes one text. A text without a header of this protocol is shown unchanged: the frame around it may be intact.
 * `isAnswer`: the terminal sent it. `base`: its offset in the recording.
 * @throws DECODE_MALFORMED
 */
export function decodeMessage(data: Uint8Array, isAnswer: boolean, base: number): DecodedPart {
  const text = within(base, () => textOf(data));
  if (!/^\d{8}0./.test(text)) return unknownPart(text);
  const { code } = readHeader(text);
  if (!isAnswer && isRequest(text, code)) return requestPart(text, code, base);
  if (ANSWER_NAMES[code] === undefined) {
    if (REQUEST_LAYOUTS[code]) throw malformed(base + text.length, `a request ${code} has another length`);
    return unknownPart(text);
  }
  return within(base, () => answerPart(data, code));
}

/** Decided by its length, and where that is not enough by its first fields: answers begin with a result. */
function isRequest(text: string, code: string): boolean {
  const { length } = REQUEST_LAYOUTS[code] ?? {};
  if (length === undefined) return false;
  if (code === 'U') return /^.{18}DF8D01/.test(text);
  if (code === 'K') return /^.{18}0000\d{4}/.test(text);
  if (code === 'S') return text.length === length && /^\d{16}$/.test(text.slice(HEADER_LENGTH));
  return text.length === length;
}

function requestPart(text: string, code: string, base: number): DecodedPart {
  const layout = REQUEST_LAYOUTS[code];
  if (/^\D/.test(text.slice(HEADER_LENGTH)))
    throw malformed(base + HEADER_LENGTH, 'a request goes on with digits');
  const { terminalId } = readHeader(text);
  const known = layout?.fields ?? [];
  const fields = { terminal_id: terminalId, ...shown(cut(text, known), code), ...unknownIn(text, known) };
  return part(code === 's' ? 'question' : 'command', REQUEST_NAMES[code] ?? code, fields);
}

function answerPart(data: Uint8Array, code: string): DecodedPart {
  const answer = readAnswer(data);
  const layout = knownLayout(answer.text, code);
  const found = withoutFill(cut(answer.text, layout), code);
  const fields: Record<string, unknown> = {
    terminal_id: answer.terminalId,
    ...shown(found, code),
    ...unknownIn(answer.text, layout),
  };
  const { receipt } = answer.fields;
  if (receipt !== undefined) fields['last'] = isLastPart(receipt);
  return part(
    answer.fields['result'] === undefined ? 'answer' : 'result',
    ANSWER_NAMES[code] ?? code,
    fields,
  );
}

/** Results whose fields are published. */
const PUBLISHED = ['00', '01', '05', '09'];

/** Of a result that is not published nothing but its digits is known. */
function knownLayout(text: string, code: string): Layout {
  const layout = layoutOfAnswer(text, code);
  const { result } = cut(text, layout);
  if (result === undefined || PUBLISHED.includes(result)) return layout;
  return layout.filter(([name]) => name === 'result');
}

/** The additional data of the host is as long as it says; zeros fill the rest. */
function withoutFill(
  fields: Readonly<Record<string, string>>,
  code: string,
): Readonly<Record<string, string>> {
  const { data, length } = fields;
  if (code !== 'U' || data === undefined || !/^\d{3}$/.test(length ?? '')) return fields;
  const isFill = /^[0 ]*$/.test(data.slice(Number(length)));
  return isFill ? { ...fields, data: data.slice(0, Number(length)) } : fields;
}

/** Characters at places without a field, by their position: devices may have fields that are not published. */
function unknownIn(text: string, layout: Layout): Readonly<Record<string, unknown>> {
  const found = Object.entries(uncovered(text, layout));
  if (found.length === 0) return {};
  return { unknown: Object.fromEntries(found.map(([at, run]) => [at, maskCardNumbers(run)])) };
}

/** The displayed fields, with the names of the fact sheet; `code` says how a sum is written. */
function shown(fields: Readonly<Record<string, string>>, code: string): Readonly<Record<string, unknown>> {
  const entries = Object.entries(fields).map(([name, value]) => [name, shownField(name, value, code)]);
  return Object.fromEntries(entries);
}

function shownField(name: string, value: string, code: string): unknown {
  switch (name) {
    case 'pan':
      return shownCard(value);
    case 'amount':
    case 'dcc_amount':
    case 'host_total':
      return numberOf(value);
    case 'pos_total':
      return code === 'C' ? numberOf(value) : value;
    case 'status':
      return numberOf(value);
    case 'card_type':
      return CARD_TYPES[value] ?? value;
    case 'host_time':
      return value.replace(/^(\d{3})(\d{2})(\d{2})$/, 'day $1 $2:$3');
    case 'clock':
      return value.replace(/^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/, '20$3-$2-$1 $4:$5');
    default:
      return maskCardNumbers(value.trim());
  }
}

function numberOf(value: string): number | string {
  return /^\d+$/.test(value) ? Number(value) : value;
}

function unknownPart(text: string): DecodedPart {
  return part('unknown', 'Unknown message', { payload: maskCardNumbers(text) });
}

function part(kind: string, name: string, fields: Readonly<Record<string, unknown>>): DecodedPart {
  return { layer: 'message', kind, name, fields, checksum: null, parts: [] };
}

/** Converts the offsets of an inner reader. */
function within<T>(base: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const offset = error instanceof Error && 'context' in error ? offsetOf(error.context) : undefined;
    if (offset === undefined || !(error instanceof Error)) throw error;
    throw malformed(base + offset, error.message);
  }
}

function offsetOf(context: unknown): number | undefined {
  const known = typeof context === 'object' && context !== null && 'offset' in context;
  return known && typeof context.offset === 'number' ? context.offset : undefined;
}
