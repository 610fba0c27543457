import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode } from '../../../drivers/terminals/zvt/decode.ts';
import { encodeFrame } from '../../../drivers/terminals/zvt/serial-framing.ts';
import { AppError } from '../../../src/base/errors.ts';
import { concatBytes, toHex } from '../../../src/driver-kit/hex.ts';
import { bytes } from './scripted-terminal.ts';

const LAYERS = ['frame', 'apdu', 'message', 'stream', undefined] as const;

describe('decode', () => {
  it('reads a completion by the request that it ends', () => {
    const plain = decode(bytes('060F0127'), undefined, bytes('050103123456'));
    expect(plain.fields).toMatchObject({ terminal_status: '27', fields: [] });
    const update = decode(bytes('060F0227E0'), undefined, bytes('065003123456'));
    expect(update.fields['fields']).toEqual([{ bmp: '27', name: 'result_code', value: 'E0' }]);
  });

  it('takes a status of 06 and of F0 for a status, not for a container or a length', () => {
    const request = bytes('050103123456');
    expect(decode(bytes('060F0106'), 'apdu', request).fields).toMatchObject({ terminal_status: '06' });
    expect(decode(bytes('060F03F00600'), 'apdu', request).fields).toMatchObject({
      terminal_status: 'F0',
      fields: [{ bmp: '06', tlv: [] }],
    });
  });

  it('reads an intermediate status whose container follows without a time-out', () => {
    expect(decode(bytes('04FF080A06052403070141'), 'apdu', undefined).fields).toMatchObject({
      status: '0A',
      fields: [{ bmp: '06', tlv: [{ tag: '24', children: [{ tag: '07', value: '41' }] }] }],
    });
  });

  it('names commands and their fields', () => {
    const reversal = decode(bytes('06300D12345687004204000000001234'), undefined, undefined);
    expect(reversal).toMatchObject({ layer: 'apdu', kind: 'command', name: 'Reversal', checksum: null });
    expect(reversal.fields).toEqual({
      control_field: '0630',
      length: 13,
      password: '123456',
      fields: [
        { bmp: '87', name: 'receipt_no', value: '0042' },
        { bmp: '04', name: 'amount_minor', value: '000000001234' },
      ],
    });
  });

  it.each([
    ['0602', '060200'],
    ['0618', '061800'],
    ['061B', '061B081234562952523535'],
    ['0622', '06220A04000000002500490978'],
    ['0623', '06230387FFFF'],
    ['0624', '06240D87023104000000002000490978'],
    ['0625', '06250D87023104000000002500490978'],
    ['0695', '069506123456654321'],
    ['06C0', '06C0010F'],
    ['06C0', '06C000'],
    ['060C', '060C0A12345604000000000100'],
    ['060C', '060C0704000000000100'],
    ['0612', '061203123456'],
    ['06E0', '06E005F1F0F24142'],
    ['0840', '08400107'],
    ['0810', '081000'],
    ['0801', '080100'],
    ['849C', '849C00'],
    ['849D', '849D0704000000001000'],
    ['84CC', '84CC00'],
  ])('reads what other tills say, and tilld never: %s', (control, hex) => {
    expect(decode(bytes(hex), undefined, undefined)).toMatchObject({
      layer: 'apdu',
      fields: { control_field: control },
    });
  });

  it.each([
    ['a bitmap', '040F06 2700 FF 010203', { bmp: 'FF', name: 'unknown', value: '010203' }],
    ['a bitmap without a byte behind it', '040F03 2700 FF', { bmp: 'FF', name: 'unknown', value: '' }],
    ['a tag', '040F08 2700 0604 DF01 01AA', { bmp: '06', tlv: [{ tag: 'DF01', value: 'AA' }] }],
    ['a container', '040F07 2700 0603 E4 01 07', { bmp: '06', tlv: [{ tag: 'E4', value: '07' }] }],
  ])('keeps the bytes of %s that it does not know, behind what it knows', (_what, hex, field) => {
    expect(decode(bytes(hex), 'apdu', undefined).fields['fields']).toEqual([
      { bmp: '27', name: 'result_code', value: '00' },
      field,
    ]);
  });

  it('keeps them in the answer to a command and behind a password, too', () => {
    const unknown = { bmp: 'FF', name: 'unknown', value: '01' };
    expect(decode(bytes('065005 123456 FF01'), 'apdu', undefined).fields).toMatchObject({
      fields: [unknown],
    });
    const request = bytes('065003123456');
    expect(decode(bytes('060F02FF01'), 'apdu', request).fields).toMatchObject({ fields: [unknown] });
    expect(decode(bytes('060F05 27E0 FF0102'), 'apdu', undefined).fields).toMatchObject({
      fields: [{ bmp: '27' }, { bmp: 'FF', value: '0102' }],
    });
  });

  it('shows no card number among bytes that it does not know', () => {
    for (const hex of ['040F0CFF4111111111111111D29121', '040F0E060CE40A4111111111111111D291'])
      expect(JSON.stringify(decode(bytes(hex), 'apdu', undefined))).toContain('bytes with a card number');
  });

  it('tells what is empty from what is absent', () => {
    const line = (hex: string) => decode(bytes(hex), 'apdu', undefined).fields;
    expect(line('06D100')).toEqual({ control_field: '06D1', length: 0 });
    expect(line('06D10100')).toEqual({ control_field: '06D1', length: 1, attribute: '00', text_cp437: '' });
    expect(line('040F07 22F0F0 0602 2400')).toMatchObject({
      fields: [
        { bmp: '22', value: '' },
        { bmp: '06', tlv: [{ tag: '24', children: [] }] },
      ],
    });
  });

  it('takes the single byte of a completion for a status, 06 as well', () => {
    expect(decode(bytes('060F0106'), 'apdu', undefined).fields).toMatchObject({ terminal_status: '06' });
  });

  it.each([0, 1, 254, 255, 256, 999])(
    'reads a text of %i bytes, in whichever length of an APDU',
    (length) => {
      const digits = [...String(length).padStart(3, '0')].map((digit) => `F${digit}`).join('');
      const data = bytes(`3C${digits}${'41'.repeat(length)}`);
      const apdu = concatBytes(bytes('040FFF'), Uint8Array.of(data.length & 0xff, data.length >> 8), data);
      expect(decode(apdu, 'apdu', undefined).fields).toMatchObject({
        length: data.length,
        fields: [{ bmp: '3C', value: '41'.repeat(length) }],
      });
    },
  );

  it('reads a serial stream with its acknowledgements', () => {
    const line = decode(
      concatBytes(encodeFrame(bytes('050103123456')), bytes('06'), encodeFrame(bytes('060F0106'))),
      undefined,
      undefined,
    );
    expect(line).toMatchObject({ layer: 'stream', kind: 'serial' });
    expect(line.parts.map((part) => part.name)).toEqual(['Status-Enquiry', 'ACK', 'Completion']);
    expect(line.parts[2]?.fields).toMatchObject({ terminal_status: '06' });
  });

  it.each([
    ['22F0F84111111111111111', '411111EEEEEE1111'],
    ['22F0F8559883EEEEEE8074', '559883EEEEEE8074'],
    ['22F0F74111111111111F', '411111EEE1111F'],
    ['22F0F0', ''],
  ])('masks the card number of %s', (field, value) => {
    const apdu = `040F${(field.length / 2).toString(16).padStart(2, '0')}${field}`;
    expect(decode(bytes(apdu), 'apdu', undefined).fields['fields']).toEqual([
      { bmp: '22', name: 'pan', value },
    ]);
  });

  it.each(['23F0F84111111111111111', '24F0F0F84111111111111111', '2DF0F84111111111111111'])(
    'cuts the track in %s',
    (field) => {
      const apdu = `040F${(field.length / 2).toString(16).padStart(2, '0')}${field}`;
      expect(JSON.stringify(decode(bytes(apdu), undefined, undefined))).not.toContain('4111');
    },
  );

  it('masks card numbers in texts', () => {
    const text = toHex(new TextEncoder().encode('4111111111111111'));
    expect(decode(bytes(`06D11100${text}`), 'apdu', undefined).fields['text_cp437']).toBe('411111******1111');
    const block = decode(bytes(`06D316061425120710${text}`), 'apdu', undefined);
    expect(JSON.stringify(block.fields)).not.toContain(text);
  });

  it.each([
    ['frame', '10028000001003F51E', 'DECODE_CHECKSUM', 7],
    ['frame', '10028000001003F5', 'DECODE_INCOMPLETE', 8],
    ['frame', '10028000001003F51F06', 'DECODE_TRAILING_BYTES', 9],
    ['frame', '800000', 'DECODE_MALFORMED', 0],
    ['frame', '1002800000100AF51F', 'DECODE_MALFORMED', 6],
    ['apdu', '0601', 'DECODE_INCOMPLETE', 2],
    ['apdu', '06010A0400', 'DECODE_INCOMPLETE', 5],
    ['apdu', '800000FF', 'DECODE_TRAILING_BYTES', 3],
    [undefined, '800000FF', 'DECODE_TRAILING_BYTES', 3],
    ['apdu', '040F0227', 'DECODE_INCOMPLETE', 4],
    ['apdu', '040F0127', 'DECODE_MALFORMED', 4],
    ['apdu', '040F0422F0A512', 'DECODE_MALFORMED', 4],
    ['apdu', '040F0422F0F512', 'DECODE_MALFORMED', 6],
    ['apdu', '040F04060341', 'DECODE_INCOMPLETE', 6],
    ['apdu', '040F0406024105', 'DECODE_MALFORMED', 7],
    ['apdu', '040F03068001', 'DECODE_MALFORMED', 4],
    ['apdu', '060002 1234', 'DECODE_MALFORMED', 3],
    ['stream', '8000000601', 'DECODE_INCOMPLETE', 5],
    ['stream', '800000040F0127', 'DECODE_MALFORMED', 7],
    [undefined, '', 'DECODE_INCOMPLETE', 0],
  ] as const)('layer %s refuses %s with %s at %i', (layer, hex, code, offset) => {
    expect(() => decode(bytes(hex), layer, undefined)).toThrowError(
      expect.objectContaining({ code, context: { offset } }),
    );
  });

  it('counts offsets of a frame on the wire, doubled bytes included', () => {
    const cut = encodeFrame(bytes('040F050C10101027'));
    expect(() => decode(cut, 'frame', undefined)).toThrowError(
      expect.objectContaining({ code: 'DECODE_MALFORMED', context: { offset: 13 } }),
    );
  });

  it('throws nothing but its four refusals, whatever comes', () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 80 }),
      fc
        .tuple(
          fc.constantFrom(
            '0600',
            '0601',
            '040F',
            '04FF',
            '060F',
            '061E',
            '06D1',
            '06D3',
            '0501',
            '8000',
            '841E',
            '06C0',
          ),
          fc.uint8Array({ maxLength: 60 }),
        )
        .map(([control, data]) => concatBytes(bytes(control), Uint8Array.of(data.length), data)),
      fc.uint8Array({ maxLength: 60 }).map(encodeFrame),
    );
    fc.assert(
      fc.property(
        anything,
        fc.constantFrom(...LAYERS),
        fc.option(anything, { nil: undefined }),
        (wire, layer, context) => {
          try {
            decode(wire, layer, context);
          } catch (error) {
            expect(error).toBeInstanceOf(AppError);
            expect((error as AppError).code).toMatch(
              /^DECODE_(CHECKSUM|MALFORMED|INCOMPLETE|TRAILING_BYTES)$/,
            );
          }
        },
      ),
      { numRuns: 3000 },
    );
  });
});
