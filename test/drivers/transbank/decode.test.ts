import { describe, expect, it } from 'vitest';
import { decode } from '../../../drivers/terminals/transbank/decode.ts';
import { asciiBytes } from '../../../src/driver-kit/ascii.ts';

const decoded = (text: string) => decode(asciiBytes(text), 'message', undefined);
const SALE = '0210|00|597029414300|75001637|A1B2C3|252985|13990|0||0461|000123|CR|||VI|26072023|113748|0|0';

describe('a decoded message of Transbank', () => {
  it.each(['0999|1|x', '0310|00', '1234'])(
    'is unknown with a function that is not published, and keeps its fields: %s',
    (text) => {
      const { kind, name, fields } = decoded(text);
      expect([kind, name]).toEqual(['unknown', `Unknown function ${text.slice(0, 4)}`]);
      expect(fields).toEqual({ function_code: Number(text.slice(0, 4)), fields: text.split('|') });
    },
  );

  it('tells what is empty from what is absent', () => {
    expect(decoded('0260|').fields).toMatchObject({ to_till: '' });
    expect(decoded('0260').fields).not.toHaveProperty('to_till');
    expect(decoded('0210|00|1|2|A|B|1|').fields).toMatchObject({ shares_number: '' });
    expect(decoded('0210|00|1|2|A|B|1').fields).not.toHaveProperty('shares_number');
  });

  it('keeps the fields behind those that are published', () => {
    const text = `${SALE}||||new|`;
    expect(decoded(text).fields['fields']).toEqual(text.split('|'));
  });

  it('has 64 fields at most', () => {
    const filled = (fields: number) => `0999${'|'.repeat(fields - 1)}`;
    expect(decoded(filled(64)).fields['fields']).toHaveLength(64);
    expect(() => decoded(filled(65))).toThrowError(/more than 64 fields/);
  });

  it.each([
    ['999999999', true],
    ['1000000000', false],
    ['', false],
  ])('has amounts of nine digits in a request: "%s" %s', (amount, isRead) => {
    const read = () => decoded(`0200|${amount}|A1B2C3|||0|`);
    if (isRead) expect(read().fields).toMatchObject({ amount });
    else expect(read).toThrowError(/amount/);
  });
});
