import { malformed } from '../../../src/driver-kit/terminal.ts';
import { LINE_FIELDS, SALE_FIELDS } from './message-fields.ts';

/** One sale as the terminal reports it. Texts are empty where it reports none. */
export interface AnswerFields {
  readonly code: string;
  readonly merchantId: string;
  readonly terminalId: string;
  /** Without the terminal's padding (zeros and blanks on the left). */
  readonly ticket: string;
  readonly authCode: string;
  /** Pesos; below zero: voided. Undefined: not reported. */
  readonly amount: number | undefined;
  readonly tip: number;
  readonly last4: string;
  /** The operation number with which it can be voided. */
  readonly operation: string;
  readonly cardType: string;
  readonly brand: string;
  /** `YYYYMMDDhhmmss` of the terminal's own clock. */
  readonly at: string;
}

/** The content of one frame. `last`: the terminal's last sale; `other`: a frame that answers none of our commands. */
export type Answer =
  | { readonly kind: 'sale' | 'line' | 'last'; readonly fields: AnswerFields }
  | {
      readonly kind: 'void';
      readonly code: string;
      readonly terminalId: string;
      readonly authCode: string;
      readonly operation: string;
    }
  | { readonly kind: 'closed' | 'keys' | 'progress'; readonly code: string }
  | { readonly kind: 'other'; readonly functionCode: string };

/** @throws DECODE_MALFORMED when a relevant frame cannot be read. */
export function readAnswer(data: Uint8Array): Answer {
  const values = new TextDecoder('latin1').decode(data).split('|');
  const [functionCode = '', code = '', , terminalId = '', authCode = '', operation = ''] = values;
  switch (functionCode) {
    case '0210':
      return { kind: 'sale', fields: fieldsFrom(SALE_FIELDS, values) };
    case '0260':
      return { kind: 'last', fields: fieldsFrom(SALE_FIELDS, values) };
    case '0261':
      return { kind: 'line', fields: fieldsFrom(LINE_FIELDS, values) };
    case '1210':
      return {
        kind: 'void',
        code: codeOf(code),
        terminalId: terminalId.trim(),
        authCode: authCode.trim(),
        operation: operation.trim(),
      };
    case '0510':
      return { kind: 'closed', code: codeOf(code) };
    case '0810':
      return { kind: 'keys', code: codeOf(code) };
    case '0900':
      return { kind: 'progress', code: codeOf(code) };
    default:
      return { kind: 'other', functionCode };
  }
}

/** Removes the padding on the left, so that equal tickets and numbers compare equal. */
export function unfilled(text: string): string {
  return text.trim().replace(/^[0 ]+/, '');
}

/** The last line of the list has no sale: no authorisation and no amount. */
export function endsList({ authCode, amount }: AnswerFields): boolean {
  return authCode === '' && (amount === undefined || amount === 0);
}

function fieldsFrom(names: readonly string[], values: readonly string[]): AnswerFields {
  const field = (name: string) => (values[names.indexOf(name)] ?? '').trim();
  const amount = field('amount');
  if (!/^(-?\d{1,12})?$/.test(amount)) throw malformed(0, 'the amount is no amount');
  const tip = field('tip');
  const at = `${yearFirst(field('real_date'))}${field('real_time')}`;
  return {
    code: codeOf(field('response_code')),
    merchantId: field('commerce_code'),
    terminalId: field('terminal_id'),
    ticket: unfilled(field('ticket')),
    authCode: field('authorization_code'),
    amount: amount === '' ? undefined : Number(amount),
    tip: /^\d{1,9}$/.test(tip) ? Number(tip) : 0,
    last4: field('last_4_digits'),
    operation: field('operation_number'),
    cardType: field('card_type'),
    brand: field('card_brand'),
    at: /^\d{14}$/.test(at) ? at : '',
  };
}

function codeOf(code: string): string {
  if (!/^\d{2}$/.test(code)) throw malformed(0, 'a result code has two digits');
  return code;
}

/** `DDMMYYYY` → `YYYYMMDD`. */
function yearFirst(date: string): string {
  return date.slice(4) + date.slice(2, 4) + date.slice(0, 2);
}
