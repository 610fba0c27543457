import { describe, expect, it } from 'vitest';
import { readBitmaps } from '../../../drivers/terminals/zvt/bitmaps.ts';
import { schemeOf } from '../../../drivers/terminals/zvt/card-types.ts';
import { decode } from '../../../drivers/terminals/zvt/decode.ts';
import { progressText, readIntermediateStatus } from '../../../drivers/terminals/zvt/intermediate-status.ts';
import { type Asked, resultWords, verdictOf } from '../../../drivers/terminals/zvt/result-codes.ts';
import { readinessOf } from '../../../drivers/terminals/zvt/terminal-status.ts';
import { bytes } from './scripted-terminal.ts';

/** Tables written a second time, from the specification and not from the driver. */
const byte = (value: number) => value.toString(16).padStart(2, '0').toUpperCase();
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => byte(from + at));

/** Bitmaps by the length of their value. */
const BITMAPS: Readonly<Record<string, readonly string[]>> = {
  '1': [
    '01',
    '02',
    '03',
    '05',
    '19',
    '27',
    '8A',
    '8C',
    'A0',
    'D0',
    'D2',
    'D3',
    'E0',
    'E9',
    'EA',
    'F0',
    '72',
    '73',
    '74',
    '75',
    ...range(0xf9, 0xfd),
  ],
  '2': ['0D', '0E', '17', '3A', '49', '87'],
  '3': ['0B', '0C', '37', '3D', '88', 'AA'],
  '4': ['29', '70', '71'],
  '5': ['BA'],
  '6': ['04'],
  '8': ['3B', 'EB'],
  '15': ['2A'],
  LL: ['22', '23', '2D', '4C', '8B', 'A7', 'D1', ...range(0xe1, 0xe8), ...range(0xf1, 0xf8)],
  LLL: ['24', '2E', '3C', '60', '9A', 'AF'],
};

describe('bitmaps', () => {
  const rows = Object.entries(BITMAPS).flatMap(([length, all]) => all.map((bmp) => [bmp, length] as const));

  it.each(rows)('%s has a value of %s', (bmp, length) => {
    const prefix = { LL: 'F0F3', LLL: 'F0F0F3' }[length] ?? '';
    const size = prefix === '' ? Number(length) : 3;
    const fields = readBitmaps(bytes(`${bmp}${prefix}${'11'.repeat(size)}2700`));
    expect(fields.map((field) => [field.bmp, field.value.length])).toEqual([
      [bmp, size],
      ['27', 1],
    ]);
  });

  it('are all that there are, with the container 06', () => {
    const known = new Set([...rows.map(([bmp]) => bmp), '06']);
    const others = range(0, 0xff).filter((bmp) => !known.has(bmp));
    for (const bmp of others) expect(() => readBitmaps(bytes(`${bmp}F0F0F0`))).toThrowError(/not known/);
  });
});

describe('TLV tags', () => {
  const PRIMITIVE =
    '07 08 09 0A 12 14 15 1A 1F2B 1F37 1F3B 1F40 1F41 1F42 1F43 1F44 1F45 1F4C 1F4D 1F4F 1F50 1F5B 1F62 1F63 1F70 1F71 1F73 41 40 42 43 44 45 46 47 4C 1F04 1F07 1F0E 1F0F 1F10 1F11 1F12 1F16 1F17 1F1F 1F25 1F36 1F01 1F02 1F03 1F26 1B 13 10 1F15 1F60 1F80 1F81 1F82 1F83 DF7F';
  const CONSTRUCTED = '23 24 25 26 27 28 2E 2F 34 60 62 64 65 66 67 68 69 E4 E9';

  it.each([
    ...PRIMITIVE.split(' ').map((tag) => [tag, { tag, value: '41' }] as const),
    ...CONSTRUCTED.split(' ').map((tag) => [tag, { tag, children: [] }] as const),
  ])('%s is read, known or not', (tag, shown) => {
    const element = 'children' in shown ? `${tag}00` : `${tag}0141`;
    const packet = `060F${byte(2 + element.length / 2)}06${byte(element.length / 2)}${element}`;
    expect(decode(bytes(packet), 'apdu', bytes('067000')).fields['fields']).toEqual([
      { bmp: '06', tlv: [shown] },
    ]);
  });

  it.each([124, 252, 508, 60_000])('have lengths in every form: %d bytes', (size) => {
    const inner = lengthOf(size);
    const element = `07${inner}${'41'.repeat(size)}`;
    const [container] = readBitmaps(bytes(`06${lengthOf(element.length / 2)}${element}`));
    expect(container?.tlv?.[0]?.value.length).toBe(size);
  });

  function lengthOf(size: number): string {
    if (size < 0x80) return byte(size);
    return size < 0x100 ? `81${byte(size)}` : `82${size.toString(16).padStart(4, '0')}`;
  }
});

describe('commands', () => {
  const NAMED: Readonly<Record<string, string>> = {
    '0600': 'Registration',
    '0602': 'Log-Off',
    '0601': 'Authorisation',
    '0630': 'Reversal',
    '0631': 'Refund',
    '0622': 'Pre-Authorisation',
    '0623': 'Partial Reversal',
    '0624': 'Book Total',
    '0625': 'Pre-Authorisation Reversal',
    '0650': 'End-of-Day',
    '0610': 'Send Turnover Totals',
    '0620': 'Repeat Receipt',
    '0670': 'Diagnosis',
    '0693': 'Initialisation',
    '0501': 'Status-Enquiry',
    '06B0': 'Abort',
    '0618': 'Reset Terminal',
    '061B': 'Set Terminal-ID',
    '0695': 'Change Password',
    '06C0': 'Read Card',
    '06E0': 'Display Text',
    '0691': 'Set Date and Time in PT',
    '0840': 'Change Baud-Rate',
    '0810': 'Software-Update',
    '060C': 'Book Tip',
    '0612': 'Print Turnover Receipts',
    '06D1': 'Print Line',
    '06D3': 'Print Text-Block',
    '040F': 'Status-Information',
    '04FF': 'Intermediate-Status-Information',
    '060F': 'Completion',
    '061E': 'Abort',
    '0401': 'Set Date and Time in ECR',
    '8000': 'Positive Acknowledgement',
    '8400': 'Positive Acknowledgement',
    '849C': 'Negative Acknowledgement',
  };

  it.each(Object.entries(NAMED))('%s is %s', (control, name) => {
    const data = { '0600': '06123456BE0978', '04FF': '0101', '06D1': '0140' }[control];
    const withPassword = ['0630', '0631', '0650', '0610', '0620', '0693', '061B', '0691', '0612'].includes(
      control,
    );
    const packet = `${control}${data ?? (withPassword ? '03123456' : '00')}`;
    expect(decode(bytes(packet), undefined, undefined)).toMatchObject({ name, layer: 'apdu' });
  });
});

describe('intermediate states', () => {
  const codes = [
    ...range(0, 0x1d),
    '26',
    '27',
    '28',
    '29',
    '2A',
    '2B',
    '2C',
    ...range(0x41, 0x5d),
    '66',
    '67',
    '68',
    '69',
    ...range(0xc7, 0xcc),
    'D2',
    'D3',
    'E0',
    'E1',
    'E2',
    'F1',
    'F2',
    'F3',
  ];

  it.each(codes)('%s is said in words', (status) => {
    const message = readIntermediateStatus(bytes(status));
    expect(message && progressText(message, 'cp437')).toMatch(/^[A-Z][\s\S]+[a-zN]$/);
  });

  it('FF says what its own text says, and without one nothing', () => {
    const bare = readIntermediateStatus(bytes('FF'));
    expect(bare && progressText(bare, 'cp437')).toBeUndefined();
    const status = readIntermediateStatus(bytes('FF100606240407024849'));
    expect(status && progressText(status, 'cp437')).toBe('HI');
  });
});

describe('result codes', () => {
  const NAMED =
    '64 65 66 67 68 6A 6B 6C 6E 6F 71 72 73 74 75 76 77 78 79 7A 7B 7C 7D 7E 83 85 89 9A 9B 9C A0 A1 A3 A4 A5 B1 B2 B4 B5 B7 B8 BF C0 C1 C2 C3 C4 C5 C6 C8 C9 CB CC CD D2 DC DD DE E0 E2 E3 E4 E7 E8 E9 EA EB EC ED F0 F1 F5 F6 FA FB FC FD FE FF'.split(
      ' ',
    );

  it.each(['00', ...range(1, 0x63), ...NAMED])('%s has words', (code) => {
    expect(resultWords(code)).not.toMatch(/unknown result/);
  });

  /** Codes that leave open whether money moved: no command takes them for a no. */
  const OPEN = [
    '06',
    '08',
    '09',
    '0A',
    '0B',
    '10',
    '44',
    ...range(0x5a, 0x63),
    '66',
    '74',
    '7D',
    '7F',
    '9A',
    '9C',
    'A0',
    'A1',
    'B7',
    'B8',
    'DD',
    'DE',
    'E0',
    'FC',
    'FE',
    'FF',
  ];
  const MONEY: readonly Asked[] = ['sale', 'refund', 'void'];

  it.each(OPEN)('%s is never a refusal', (code) => {
    expect(MONEY.map((asked) => verdictOf(code, asked))).toEqual(MONEY.map(() => 'unclear'));
  });

  it('no code at all is unclear', () => {
    expect(MONEY.map((asked) => verdictOf(undefined, asked))).toEqual(MONEY.map(() => 'unclear'));
  });
});

describe('terminal states', () => {
  it('00 alone is ready', () => {
    const ready = range(0, 0xff).filter((code) => readinessOf(code).kind === 'ready');
    expect(ready).toEqual(['00']);
  });

  it.each('51 62 9C 9D B1 B2 BF C0 C1 C2 C4 CC DC DF E0 E1 E2 E3 E4 F0 F6'.split(' '))(
    '%s says what to do in a sentence of its own',
    (code) => {
      const readiness = readinessOf(code);
      expect(readiness).toMatchObject({ message: expect.not.stringMatching(/cannot sell now/) });
    },
  );
});

it.each([
  [2, 'ec'],
  [5, 'girocard'],
  [6, 'Mastercard'],
  [8, 'American Express'],
  [10, 'Visa'],
  [13, 'V PAY'],
  [46, 'Maestro'],
  [198, 'UnionPay'],
  [260, 'BlueCode'],
])('card type %d is %s', (id, name) => {
  expect(schemeOf(id)).toBe(name);
});
