import { bcdOf, fromHex, invariant } from '../../../src/driver-kit/terminal.ts';
import { type BitmapField, encodeTlv, encodeTlvBitmap } from './bitmaps.ts';
import { type Charset, charsetOfTag14, tag14Of } from './charset.ts';
import type { Settings } from './settings.ts';
import type { TlvNode } from './tlv.ts';

/** Commands of the terminal that we accept; the terminal should not send others. */
const ALWAYS = ['040F', '060F', '061E', '04FF'] as const;
/** The print commands that the terminal may use; without 06 D3 it uses 06 D1. */
const PRINTING = { both: ['06D1', '06D3'], blocks: ['06D3'], lines: ['06D1'] } as const;

type TlvSettings = Pick<Settings, 'charset' | 'printerWidth' | 'maxApdu' | 'quirks'>;

/**
 * The TLV container of our registration; its presence, even empty, allows the terminal to send TLV.
 *
 *     06 | length | [12 characters a line] [1A longest APDU] 26 {0A …}… [27 {14 charset}]
 *
 * @see PA00P015 2.1 and 9.2
 */
export function registrationTlv(settings: TlvSettings): readonly Uint8Array[] {
  switch (settings.quirks.registrationTlv) {
    case 'none':
      return [];
    case 'empty':
      return [encodeTlvBitmap()];
    case 'permitted':
      return [encodeTlvBitmap(permitted(settings))];
    default:
      return [encodeTlvBitmap(...sizes(settings), permitted(settings), ...charsets(settings.charset))];
  }
}

/**
 * The charset that the terminal names at the end of its registration, if we offered one and it names exactly one.
 * Otherwise the device's options apply: many terminals write another charset than the one they would name.
 */
export function agreedCharset(fields: readonly BitmapField[], settings: TlvSettings): Charset | undefined {
  if (settings.quirks.registrationTlv !== 'full') return undefined;
  const named = fields.flatMap((field) => nodesOf(field.tlv ?? [], '14'));
  const [only] = named;
  return named.length === 1 && only ? charsetOfTag14(only.value) : undefined;
}

function sizes({ printerWidth, maxApdu }: TlvSettings): readonly Uint8Array[] {
  const high = maxApdu === undefined ? undefined : maxApdu >> 8;
  return [
    encodeTlv('12', bcdOf(printerWidth, 1)),
    ...(maxApdu === undefined || high === undefined
      ? []
      : [encodeTlv('1A', Uint8Array.of(high, maxApdu & 0xff))]),
  ];
}

function permitted({ quirks }: TlvSettings): Uint8Array {
  const list = [...ALWAYS, ...PRINTING[quirks.printCommands], ...quirks.alsoPermitted];
  return encodeTlv('26', ...list.map((command) => encodeTlv('0A', bytesOf(command))));
}

function charsets(charset: Charset): readonly Uint8Array[] {
  const id = tag14Of(charset);
  return id === undefined ? [] : [encodeTlv('27', encodeTlv('14', Uint8Array.of(id)))];
}

function nodesOf(nodes: readonly TlvNode[], tag: string): readonly TlvNode[] {
  return nodes.flatMap((node) => (node.tag === tag ? [node] : nodesOf(node.children ?? [], tag)));
}

function bytesOf(hex: string): Uint8Array {
  const bytes = fromHex(hex);
  invariant(bytes?.length === 2, 'a control field has two bytes', { hex });
  return bytes;
}
