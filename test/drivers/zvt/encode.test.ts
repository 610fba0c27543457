import { describe, expect, it } from 'vitest';
import { parseApdu } from '../../../drivers/terminals/zvt/apdu.ts';
import { encodeBitmap, encodeTlv, encodeTlvBitmap } from '../../../drivers/terminals/zvt/bitmaps.ts';
import * as commands from '../../../drivers/terminals/zvt/commands.ts';
import { decode } from '../../../drivers/terminals/zvt/decode.ts';
import { toHex } from '../../../src/driver-kit/hex.ts';
import { bytes } from './scripted-terminal.ts';
import { vectorsMissing, zvtVectors } from './vectors.ts';

/** The plain fields of a decoded packet, as far as this test needs them. */
interface Bitmap {
  readonly bmp: string;
  readonly value?: string;
  readonly tlv?: readonly Tag[];
}
interface Tag {
  readonly tag: string;
  readonly value?: string;
  readonly children?: readonly Tag[];
}
interface Decoded {
  readonly control_field: string;
  readonly password?: string;
  readonly config_byte?: string;
  readonly currency?: string;
  readonly fields?: readonly Bitmap[];
  readonly data?: readonly Bitmap[];
}

/** Bytes of the fields, in their order: the decoder's words back on the wire. */
function encoded(fields: readonly Bitmap[] = []): Uint8Array[] {
  return fields.map(({ bmp, value = '', tlv }) =>
    tlv ? encodeTlvBitmap(...tlv.map(element)) : encodeBitmap(bmp, bytes(value)),
  );
}

function element({ tag, value = '', children }: Tag): Uint8Array {
  return children ? encodeTlv(tag, ...children.map(element)) : encodeTlv(tag, bytes(value));
}

type Encoder = (decoded: Decoded, fields: readonly Uint8Array[]) => Uint8Array;
const password = (decoded: Decoded) => decoded.password ?? '';

/** The encoder of every command that tilld sends. */
const ENCODERS: Readonly<Record<string, Encoder>> = {
  '0600': (d, fields) =>
    commands.registration(
      password(d),
      Number.parseInt(d.config_byte ?? '', 16),
      Number(d.currency),
      ...fields,
    ),
  '0601': (_d, fields) => commands.authorisation(...fields),
  '0650': (d) => commands.endOfDay(password(d)),
  '0610': (d) => commands.turnoverTotals(password(d)),
  '0670': (_d, fields) => commands.diagnosis(...fields),
  '0693': (d) => commands.initialisation(password(d)),
  '06B0': (_d, fields) => commands.abort(...fields),
  '0501': (d) => commands.statusEnquiry(password(d)),
  '8000': () => commands.ACCEPTED,
};

/** What other tills say: log-off, reset, reservations, reading a card, goods that are not there yet. */
const NEVER_SENT: ReadonlySet<string> = new Set(['0602', '0618', '0622', '0623', '06C0', '849C']);

const sent = zvtVectors()
  .filter((vector) => vector.direction === 'ecr->pt')
  .map((vector) => ({ name: vector.name, apdu: (vector.apdu_hex ?? vector.hex).toUpperCase() }))
  .filter(({ apdu }) => !NEVER_SENT.has(apdu.slice(0, 4)));

describe('what a till says in the vectors', () => {
  it.skipIf(vectorsMissing)(`is there${vectorsMissing ? `: ${vectorsMissing}` : ''}`, () => {
    expect(sent.length).toBeGreaterThan(20);
  });

  it.each(sent)('comes out of our encoders byte for byte, given its fields: $name', ({ apdu }) => {
    expect(again(apdu)).toBe(apdu);
  });
});

describe('what a till says, beyond the vectors', () => {
  it.each([
    [
      'a line diagnosis',
      commands.diagnosis(encodeTlvBitmap(encodeTlv('1B', bytes('01')))),
      '067005' + '06031B0101',
    ],
    [
      'a sale with time-out, results, type, pump, text, card type and reference',
      commands.authorisation(
        encodeBitmap('01', bytes('1E')),
        encodeBitmap('02', bytes('0A')),
        commands.amount(1234),
        commands.paymentType(0x40),
        encodeBitmap('05', bytes('03')),
        encodeBitmap('3C', bytes('4142')),
        encodeBitmap('8A', bytes('05')),
        encodeTlvBitmap(encodeTlv('E9', encodeTlv('1F62', bytes('4143')))),
      ),
      '060120' +
        '011E' +
        '020A' +
        '04000000001234' +
        '1940' +
        '0503' +
        '3CF0F0F24142' +
        '8A05' +
        '0607E9051F62024143',
    ],
  ] as const)('%s', (_name, frame, hex) => {
    expect(toHex(frame)).toBe(hex);
    expect(parseApdu(frame).data.length).toBe(bytes(hex).length - 3);
    expect(decode(frame, 'apdu', undefined).fields['control_field']).toBe(hex.slice(0, 4));
  });
});

/** Decodes a packet and encodes what was decoded. */
function again(apdu: string): string {
  const { fields } = decode(bytes(apdu), 'apdu', undefined);
  const decoded = asDecoded(fields);
  const encoder = ENCODERS[decoded.control_field];
  if (!encoder) throw new Error(`no encoder for ${decoded.control_field}`);
  return toHex(encoder(decoded, encoded(decoded.fields ?? decoded.data)));
}

function asDecoded(fields: Readonly<Record<string, unknown>>): Decoded {
  return JSON.parse(JSON.stringify(fields));
}
