import { malformed } from '../../../src/driver-kit/terminal.ts';
import { ANSWER_LAYOUTS, cut, HEADER_LENGTH, type Layout, RESULT_LAYOUTS } from './layouts.ts';

/** Any terminal: the id of an unconfigured one, or of one that does not check it. */
export const ANY_TERMINAL = '00000000';

/** A terminal's answer, its fields as sent. */
export interface Answer {
  readonly terminalId: string;
  /** The message code: `E`, `s`, ... */
  readonly code: string;
  /** The whole message. */
  readonly text: string;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Reads `tid(8) 0 code …`. Fields after the end are absent; a result has at least its two digits.
 * @throws DECODE_MALFORMED for anything that is not an answer of this protocol; `context.offset` gives the place.
 */
export function readAnswer(data: Uint8Array): Answer {
  const text = textOf(data);
  const { terminalId, code } = readHeader(text);
  return { terminalId, code, text, fields: cut(text, layoutOfAnswer(text, code)) };
}

/** @throws DECODE_MALFORMED */
export function layoutOfAnswer(text: string, code: string): Layout {
  const results = RESULT_LAYOUTS[code];
  if (results) {
    const result = text.slice(HEADER_LENGTH, HEADER_LENGTH + 2);
    if (!/^\d{2}$/.test(result)) throw malformed(HEADER_LENGTH, 'a result begins with two digits');
    return result === '00' ? results.ok : results.ko;
  }
  const layout = ANSWER_LAYOUTS[code];
  if (!layout) throw malformed(HEADER_LENGTH - 1, `no answer has the code ${code}`);
  return layout;
}

/** @throws DECODE_MALFORMED */
export function readHeader(text: string): { readonly terminalId: string; readonly code: string } {
  const strange = text.slice(0, 8).search(/\D/);
  if (strange !== -1) throw malformed(strange, 'a message begins with the terminal id, eight digits');
  if (text.length < HEADER_LENGTH) throw malformed(text.length, 'the message ends in its header');
  if (text[8] !== '0') throw malformed(8, 'the ninth character is 0');
  return { terminalId: text.slice(0, 8), code: text.slice(9, 10) };
}

/**
 * All characters are ASCII 0 to 127.
 * @throws DECODE_MALFORMED
 */
export function textOf(data: Uint8Array): string {
  const strange = data.findIndex((byte) => byte > 0x7f);
  if (strange !== -1) throw malformed(strange, 'a message is ASCII');
  return new TextDecoder('latin1').decode(data);
}
