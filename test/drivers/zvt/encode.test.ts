import { describe, expect, it } from 'vitest';
import { parseApdu } from '../../../drivers/terminals/zvt/apdu.ts';
import { encodeBitmap, encodeTlv, encodeTlvBitmap } from '../../../drivers/terminals/zvt/bitmaps.ts';
import * as commands from '../../../drivers/terminals/zvt/commands.ts';
import { decode } from '../../../drivers/terminals/zvt/decode.ts';
import { toHex } from '../../../src/driver-kit/hex.ts';
import { GOODS_NOT_YET } from './goods-answers.ts';
import { bytes } from './scripted-terminal.ts';
import * as service from './service-commands.ts';
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
  readonly timeout?: number;
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

/** The encoder of every command that a till may send. */
const ENCODERS: Readonly<Record<string, Encoder>> = {
  '0600': (d, fields) =>
    commands.registration(
      password(d),
      Number.parseInt(d.config_byte ?? '', 16),
      Number(d.currency),
      ...fields,
    ),
  '0601': (_d, fields) => commands.authorisation(...fields),
  '0602': () => service.logOff(),
  '0618': () => service.reset(),
  '0622': (_d, fields) => commands.preAuthorisation(...fields),
  '0623': () => commands.openPreAuthorisations(),
  '0650': (d) => commands.endOfDay(password(d)),
  '0610': (d) => commands.turnoverTotals(password(d)),
  '0670': (_d, fields) => commands.diagnosis(...fields),
  '0693': (d) => commands.initialisation(password(d)),
  '06B0': (_d, fields) => commands.abort(...fields),
  '06C0': (d, fields) => service.readCard(d.timeout, ...fields),
  '0501': (d) => commands.statusEnquiry(password(d)),
  '849C': () => GOODS_NOT_YET,
  '8000': () => commands.ACCEPTED,
};

const sent = zvtVectors()
  .filter((vector) => vector.direction === 'ecr->pt')
  .map((vector) => ({ name: vector.name, apdu: (vector.apdu_hex ?? vector.hex).toUpperCase() }));

describe('what a till says in the vectors', () => {
  it.skipIf(vectorsMissing)(`is there${vectorsMissing ? `: ${vectorsMissing}` : ''}`, () => {
    expect(sent.length).toBeGreaterThan(25);
  });

  it.each(sent)('comes out of our encoders byte for byte, given its fields: $name', ({ apdu }) => {
    expect(again(apdu)).toBe(apdu);
  });
});

describe('what a till says, beyond the vectors', () => {
  it.each([
    ['log-off', service.logOff(), '060200'],
    ['reset', service.reset(), '061800'],
    [
      'set terminal id',
      service.setTerminalId('123456', encodeBitmap('29', bytes('52523535'))),
      '061B081234562952523535',
    ],
    ['change password', service.changePassword('123456', '654321'), '069506123456654321'],
    ['read card', service.readCard(15), '06C0010F'],
    ['read card without a time', service.readCard(), '06C000'],
    ['book tip', service.bookTip('123456', commands.amount(100)), '060C0A12345604000000000100'],
    ['book tip without a password', service.bookTip(undefined, commands.amount(100)), '060C0704000000000100'],
    ['print turnover receipts', service.printTurnoverReceipts('123456'), '061203123456'],
    ['display text', service.display('E0', encodeBitmap('F1', bytes('4142'))), '06E005F1F0F24142'],
    ['print a line', service.printLine(0x40, bytes('4142')), '06D103404142'],
    ['print a block', service.printBlock(encodeTlvBitmap(encodeTlv('25'))), '06D304' + '06022500'],
    ['change baud rate', service.changeBaudRate(115200), '08400107'],
    ['software update', service.softwareUpdate(), '081000'],
    ['service mode', service.serviceMode(), '080100'],
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
