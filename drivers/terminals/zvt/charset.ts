/** How a terminal writes text; without negotiation it is CP437, yet many send ISO-8859-1. */
export const CHARSETS = ['cp437', 'iso-8859-1', 'iso-8859-15', 'utf-8', 'din-66003'] as const;
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

/** Bytes as text; never throws, what cannot be read becomes U+FFFD. */
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

/** The charset that tag 14 names: 00 ASCII, 01–10 ISO-8859-n, FE UTF-8, FF CP437; `undefined` for one that we cannot read. */
export function charsetOfTag14(value: Uint8Array): Charset | undefined {
  const named: Readonly<Record<number, Charset>> = {
    0: 'iso-8859-1',
    1: 'iso-8859-1',
    15: 'iso-8859-15',
    254: 'utf-8',
    255: 'cp437',
  };
  return value.length === 1 ? named[value[0] ?? 0x100] : undefined;
}
