import { AppError } from '../../base/errors.ts';

/** Longest text of one recording, in characters: half a megabyte of bytes. */
export const LONGEST_HEX = 1_048_576;

/**
 * Parses bytes as people paste them: `060F00`, `06 0f 00`, `06:0F:00`, `0x06 0x0F`.
 * @throws DECODE_MALFORMED for anything else, an odd digit or an empty text; `context.offset` is the byte of the error.
 */
export function bytesOfHex(text: string): Uint8Array {
  if (text.length > LONGEST_HEX) throw malformed(LONGEST_HEX / 2, `more than ${LONGEST_HEX} characters`);
  const groups = text
    .split(/[\s:,]+/)
    .map((group) => group.replace(/^0x/i, ''))
    .filter((group) => group !== '');
  if (groups.length === 0) throw malformed(0, 'there are no bytes');
  let offset = 0;
  for (const group of groups) {
    const strange = group.search(/[^0-9a-f]/i);
    if (strange !== -1)
      throw malformed(offset + Math.floor(strange / 2), `"${group[strange]}" is not a hex digit`);
    offset += Math.floor(group.length / 2);
    if (group.length % 2 !== 0)
      throw malformed(offset, 'half a byte: an even number of hex digits is needed');
  }
  return new Uint8Array(Buffer.from(groups.join(''), 'hex'));
}

function malformed(offset: number, message: string): AppError {
  return new AppError('DECODE_MALFORMED', message, { context: { offset } });
}
