/** The charsets of terminal texts; without negotiation it is CP437, yet many terminals send ISO-8859-1. */
export const CHARSETS = [
  'cp437',
  'utf-8',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-3',
  'iso-8859-4',
  'iso-8859-5',
  'iso-8859-6',
  'iso-8859-7',
  'iso-8859-8',
  'iso-8859-9',
  'iso-8859-10',
  'iso-8859-11',
  'iso-8859-13',
  'iso-8859-14',
  'iso-8859-15',
  'iso-8859-16',
  'din-66003',
] as const;
export type Charset = (typeof CHARSETS)[number];

/** Characters 80–FF of code page 437. */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/** The German 7-bit characters in place of `[ \ ] { | } ~`. */
const DIN_66003: Readonly<Record<string, string>> = {
  '[': 'Ä',
  '\\': 'Ö',
  ']': 'Ü',
  '{': 'ä',
  '|': 'ö',
  '}': 'ü',
  '~': 'ß',
};

/** Decodes bytes; never throws, unreadable bytes become U+FFFD. */
export function textOf(bytes: Uint8Array, charset: Charset): string {
  switch (charset) {
    case 'cp437':
      return Array.from(bytes, (byte) =>
        byte < 0x80 ? String.fromCharCode(byte) : (CP437[byte - 0x80] ?? '�'),
      ).join('');
    case 'din-66003':
      return Array.from(bytes, (byte) => String.fromCharCode(byte & 0x7f))
        .map((sign) => DIN_66003[sign] ?? sign)
        .join('');
    case 'iso-8859-1':
      return latin1(bytes);
    default:
      return new TextDecoder(charset).decode(bytes);
  }
}

function latin1(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/** Tag 14: 00 ASCII (read as ISO-8859-1), 01–10 ISO-8859-n, FE UTF-8, FF CP437. There is no part 12 of ISO 8859. */
const NAMED: Readonly<Record<number, Charset>> = { 0: 'iso-8859-1', 254: 'utf-8', 255: 'cp437' };

/** The charset that tag 14 names; `undefined` for an unsupported one. */
export function charsetOfTag14(value: Uint8Array): Charset | undefined {
  const id = value.length === 1 ? (value[0] ?? 0x100) : 0x100;
  return NAMED[id] ?? CHARSETS.find((charset) => charset === `iso-8859-${id}`);
}

/** The value of tag 14 for a charset; `undefined` if it has none. */
export function tag14Of(charset: Charset): number | undefined {
  if (charset === 'cp437') return 0xff;
  if (charset === 'utf-8') return 0xfe;
  const part = /^iso-8859-(\d+)$/.exec(charset)?.[1];
  return part === undefined ? undefined : Number(part);
}
