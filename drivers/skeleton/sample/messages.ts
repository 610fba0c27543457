import { asciiBytes, malformed, zeroFilled } from '../../../src/driver-kit/terminal.ts';

/** `Q`: identity and state? */
export const WHO = asciiBytes('Q');
/** `L`: your last transaction? */
export const LAST = asciiBytes('L');

/** `S|00001234|978`: a sale of 12.34 EUR. */
export function sale(amountMinor: number, currencyCode: number): Uint8Array {
  return asciiBytes(`S|${zeroFilled(amountMinor, 8)}|${zeroFilled(currencyCode, 3)}`);
}

/** One transaction as the terminal reports it: `code|number|amount|auth|card|back`. */
export interface ResultFields {
  /** `00` approved; see result-codes.ts. */
  readonly code: string;
  /** Four digits; the terminal numbers stored transactions. Empty for others. */
  readonly number: string;
  readonly amountMinor: number;
  readonly authCode: string;
  /** Masked by the terminal: `512345******2346`. */
  readonly card: string;
  /** The terminal reversed its own approval. */
  readonly takenBack: boolean;
}

/**
 * Messages of a terminal:
 *
 *     Q|serial|terminal id|state    answer to Q; state 0 idle, 1 busy
 *     B                             answer to S: busy, nothing began
 *     R|…                           the result of a sale
 *     E|code                        the sale is over; 00: the terminal received our 06 to its result
 *     T|…                           answer to L
 *     N                             answer to L: nothing is stored
 */
export type Answer =
  | { readonly kind: 'who'; readonly serial: string; readonly terminalId: string; readonly ready: boolean }
  | { readonly kind: 'busy' }
  | { readonly kind: 'end'; readonly code: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'result'; readonly fields: ResultFields }
  | { readonly kind: 'last'; readonly fields: ResultFields };

/** @throws DECODE_MALFORMED for anything else; `context.offset` names the field. */
export function readAnswer(data: Uint8Array): Answer {
  const [letter = '', ...fields] = new TextDecoder('latin1').decode(data).split('|');
  switch (letter) {
    case 'Q':
      return readWho(fields);
    case 'B':
      return alone({ kind: 'busy' }, fields);
    case 'E':
      return { kind: 'end', code: ofShape(fields, [/^\d{2}$/])[0] };
    case 'N':
      return alone({ kind: 'nothing' }, fields);
    case 'R':
      return { kind: 'result', fields: resultFieldsIn(fields) };
    case 'T':
      return { kind: 'last', fields: resultFieldsIn(fields) };
    default:
      throw malformed(0, 'no message begins so');
  }
}

function readWho(fields: readonly string[]): Answer {
  const [serial, terminalId, state] = ofShape(fields, [/^[0-9A-F]{8}$/, /^\d{8}$/, /^[01]$/]);
  return { kind: 'who', serial, terminalId, ready: state === '0' };
}

function resultFieldsIn(fields: readonly string[]): ResultFields {
  const [code, number, amount, authCode, card, back] = ofShape(fields, [
    /^\d{2}$/,
    /^(\d{4})?$/,
    /^\d{8}$/,
    /^[0-9A-Z]{0,6}$/,
    /^[0-9*]{0,19}$/,
    /^(back)?$/,
  ]);
  return { code, number, amountMinor: Number(amount), authCode, card, takenBack: back === 'back' };
}

function alone(answer: Answer, fields: readonly string[]): Answer {
  if (fields.length > 0) throw malformed(1, 'this message has no fields');
  return answer;
}

/** As many fields as shapes, each in its shape. */
function ofShape<const Shapes extends readonly RegExp[]>(
  fields: readonly string[],
  shapes: Shapes,
): { readonly [Index in keyof Shapes]: string } {
  let offset = 2;
  const checked = shapes.map((shape, index) => {
    const field = fields[index];
    if (field === undefined || !shape.test(field))
      throw malformed(offset, `field ${index + 1} is not as it should be`);
    offset += field.length + 1;
    return field;
  });
  if (fields.length > shapes.length)
    throw malformed(offset - 1, 'there are more fields than there should be');
  return checked as { [Index in keyof Shapes]: string };
}
