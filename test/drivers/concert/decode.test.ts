import { describe, expect, it } from 'vitest';
import { decode } from '../../../drivers/terminals/concert/decode.ts';
import { framed, raw } from './rig.ts';

const PAN = '5413330089020011';
const fieldsOf = (text: string, layer?: 'message' | 'frame' | 'stream') =>
  decode(raw(text), layer, undefined).fields;
const REQUEST = '0100001250110978A1B2C3    A010B010';

describe('a decoded message', () => {
  it('names the fields of an E+ request', () => {
    expect(fieldsOf(framed(REQUEST))).toEqual({
      variant: 'E+',
      direction: 'ecr->terminal',
      length: 37,
      payload: REQUEST,
      checkout: '01',
      amount_minor: 1250,
      answer_flag: '1',
      payment_mode: '1',
      transaction_type: '0',
      currency: 978,
      private: 'A1B2C3    ',
      delay: 'A010',
      authorisation: 'B010',
    });
  });

  it('tells an empty tag of V3 from one that is absent', () => {
    const tags = (text: string) => fieldsOf(text)['tags'];
    expect(tags('CZ0040300AE00210AC000')).toEqual([
      ['CZ', '0300'],
      ['AE', '10'],
      ['AC', ''],
    ]);
    expect(tags('CZ0040300AE00210')).toHaveLength(2);
  });

  it('has 512 characters in a frame at most', () => {
    const text = (length: number) => `CZ0040300BI${length - 14}${'x'.repeat(length - 14)}`;
    expect(fieldsOf(framed(text(512)), 'frame')).toMatchObject({ text: text(512) });
    expect(() => fieldsOf(framed(text(513)), 'frame')).toThrowError(/longer than 512/);
  });

  it('has values of 999 characters at most, which are shown whole', () => {
    const text = `CZ0040300AE00210BI999${'x'.repeat(999)}`;
    expect(fieldsOf(text)['tags']).toContainEqual(['BI', 'x'.repeat(999)]);
    expect(() => fieldsOf(`${text}x`)).toThrowError(expect.objectContaining({ code: 'DECODE_MALFORMED' }));
  });

  it.each([
    ['an answer by a tag of the terminal', 'CZ0040300CD0010AC006123456', 'answer', 'terminal->ecr'],
    ['a request by its action', 'CZ0040300CD001I', 'request', 'ecr->terminal'],
    ['unknown without either', 'CZ0040300QQ003abc', 'unknown', 'unknown'],
  ])('of V3 is %s', (_what, text, kind, direction) => {
    expect(decode(raw(text), 'message', undefined)).toMatchObject({ kind, fields: { direction } });
  });

  it('is unknown, and is whole, where its action or its type is', () => {
    expect(decode(raw('CZ0040300CD001XQQ003abc'), undefined, undefined)).toMatchObject({
      name: 'Unknown action',
      fields: {
        tags: [
          ['CZ', '0300'],
          ['CD', 'X'],
          ['QQ', 'abc'],
        ],
      },
    });
    const type9 = REQUEST.replace('110978', '119978');
    expect(decode(raw(type9), undefined, undefined)).toMatchObject({
      name: 'Unknown type',
      fields: { payload: type9, transaction_type: '9' },
    });
  });

  it('is one of a stream of frames and controls', () => {
    const { layer, parts } = decode(raw(`<05><06>${framed(REQUEST)}<06><04>`), undefined, undefined);
    expect([layer, parts.map(({ name }) => name)]).toEqual(['stream', ['ENQ', 'ACK', 'Debit', 'ACK', 'EOT']]);
  });

  it('says in words why a V3 terminal did not pay', () => {
    expect(decode(raw('CZ0040300AE00201AF00204'), undefined, undefined).name).toBe('Message: refused');
  });

  it('shows the inside of a container as a part', () => {
    const { parts } = decode(raw('CZ0040320AE00210ZT016CK003100AK003SEE'), undefined, undefined);
    expect(parts).toMatchObject([
      {
        name: 'ZT',
        fields: {
          tags: [
            ['CK', '100'],
            ['AK', 'SEE'],
          ],
        },
      },
    ]);
  });

  it('is read with parity in bit 7 where all of its data has it, and refused where one byte has', () => {
    const isOdd = (byte: number) => [...byte.toString(2)].filter((bit) => bit === '1').length % 2 === 1;
    const bytes = raw(framed(REQUEST));
    const withParity = bytes.map((byte) => (byte > 0x0f && isOdd(byte) ? byte + 0x80 : byte));
    expect(decode(withParity, 'frame', undefined).fields).toMatchObject({ payload: REQUEST });
    const flipped = bytes.map((byte, index) => (index === 8 ? byte ^ 0x80 : byte));
    expect(() => decode(flipped, 'frame', undefined)).toThrowError(
      expect.objectContaining({ code: 'DECODE_CHECKSUM' }),
    );
  });
});

describe('a broken message is refused', () => {
  it.each([
    ['a check that does not fit', `${framed(REQUEST).slice(0, -1)}!`, 'frame', 'DECODE_CHECKSUM'],
    ['bytes behind it', `${framed(REQUEST)}<06>`, 'frame', 'DECODE_TRAILING_BYTES'],
    ['a frame that is cut', framed(REQUEST).slice(0, 20), 'frame', 'DECODE_INCOMPLETE'],
    ['an amount with a letter', framed(REQUEST.replace('0000125', '000O125')), 'frame', 'DECODE_MALFORMED'],
    ['a request that is too short', framed(REQUEST.slice(1)), 'frame', 'DECODE_MALFORMED'],
    ['a delay that is none', framed(REQUEST.replace('A010', 'A012')), 'frame', 'DECODE_MALFORMED'],
    ['V3 that does not begin with CZ', 'AE00210CZ0040300', 'message', 'DECODE_MALFORMED'],
    ['V3 with a tag twice', 'CZ0040300AE00210AE00201', 'message', 'DECODE_MALFORMED'],
    ['V3 that is cut', 'CZ0040300AE0021', 'message', 'DECODE_INCOMPLETE'],
    ['V3 with a version of letters', 'CZ004030XAE00210', 'message', 'DECODE_MALFORMED'],
    ['nothing', '', 'stream', 'DECODE_INCOMPLETE'],
    ['noise', 'hello', 'stream', 'DECODE_MALFORMED'],
  ] as const)('%s', (_, text, layer, code) => {
    expect(() => decode(raw(text), layer, undefined)).toThrowError(expect.objectContaining({ code }));
  });
});

it('a receipt that shows the SIRET of its shop is shown as it came', () => {
  const AK = btoa('SIRET 39034342250096 30004');
  const { fields } = decode(raw(`CZ0040300AE00210AK0${AK.length}${AK}`), undefined, undefined);
  expect(fields['tags']).toContainEqual(['AK', AK]);
});

it('a card number that reaches from one field of E+ into the next is not shown', () => {
  const text = `0100001250110978A1B2C3 198c5a00000700080000000000000abBI021card ${PAN}`;
  expect(JSON.stringify(decode(raw(text), undefined, undefined))).not.toContain(PAN);
});

it('a receipt that is no base64 is not shown: whoever reads it leniently could read a card number', () => {
  const AK = 'T-8gNTQxMzMzMDA4OTAyMDAxMQo=';
  const { fields } = decode(raw(`CZ0040300AE00210AK0${AK.length}${AK}`), undefined, undefined);
  expect(fields['tags']).toContainEqual(['AK', '(28 characters that are no base64)']);
});

describe('no card number is shown', () => {
  const written = (tag: string, value: string) => `${tag}${String(value.length).padStart(3, '0')}${value}`;
  it.each([
    ['in AA', written('AA', PAN)],
    ['in AA with blanks', written('AA', '5413 3300 8902 0011')],
    ['in the CMC7 line', written('AD', `${PAN}123456`)],
    ['in a text', written('BI', `card ${PAN}`)],
    ['in a receipt', written('AK', btoa(`No ${PAN}\n`))],
    ['in a receipt of a container', written('ZT', written('AK', `${btoa(`No ${PAN}\n`)}\n`))],
    ['in a container that cannot be read', written('ZT', `AK${btoa(`No ${PAN}\n`)}`)],
  ])('%s', (_, element) => {
    const part = decode(raw(`CZ0040300AE00210${element}`), undefined, undefined);
    const text = JSON.stringify(part);
    expect(text.replaceAll(' ', '')).not.toContain(PAN);
    const coded = text.match(/[A-Za-z0-9+/]{16,}={0,2}/g) ?? [];
    expect(coded.map((one) => Buffer.from(one, 'base64').toString('latin1')).join()).not.toContain(PAN);
  });

  it.each([`${PAN}  `, `${PAN}0000`, `000${PAN}00`, '5413 3300 8902 0011 '])(
    'in the report of E+ ("%s")',
    (beginning) => {
      const written = `010000012501${beginning.padEnd(55)}978A1B2C3    `;
      const text = JSON.stringify(decode(raw(framed(written)), undefined, undefined));
      expect(text.replaceAll(' ', '')).not.toContain(PAN);
      expect(text).not.toContain('89020');
    },
  );
});
