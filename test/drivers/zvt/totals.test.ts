import { describe, expect, it } from 'vitest';
import { endOfDay } from '../../../drivers/terminals/zvt/commands.ts';
import { readTotals } from '../../../drivers/terminals/zvt/totals.ts';
import { toHex } from '../../../src/driver-kit/hex.ts';
import { bytes } from './scripted-terminal.ts';
import { vectorsMissing, zvtVectors } from './vectors.ts';

const NOTHING = '00000000000000';
/** Bitmap 60: receipts from and to, then seven groups. */
function block(from: string, to: string, groups: readonly string[]): string {
  const filled = [...groups, ...Array<string>(7 - groups.length).fill(NOTHING)];
  return `60F0F5F3${from}${to}${filled.join('')}`;
}

describe('totals', () => {
  it('are read with their receipt numbers and schemes', () => {
    const groups = ['01000000001234', NOTHING, '02000000000958'];
    expect(readTotals(bytes(`270004000000002192490978${block('0233', '0235', groups)}`))).toEqual({
      amountMinor: 2192,
      currency: 'EUR',
      count: 3,
      firstNumber: '0233',
      lastNumber: '0235',
      byScheme: [
        { scheme: 'girocard', count: 1, amountMinor: 1234 },
        { scheme: 'Mastercard', count: 2, amountMinor: 958 },
      ],
    });
  });

  it('of an empty batch are zero, without numbers', () => {
    expect(readTotals(bytes(`270004000000000000${block('0000', '0000', [])}`))).toEqual({
      amountMinor: 0,
      count: 0,
      byScheme: [],
    });
  });

  it.each([
    ['bytes that are no digits', block('0233', '0235', ['01FFFFFFFFFFFF'])],
    ['sums that are not the total', block('0233', '0235', ['01000000000001'])],
    ['another length', '60F0F0F3010203'],
    ['a length that is cut short', '60F0F5F301'],
  ])('keep the amount when bitmap 60 holds %s', (_what, garbage) => {
    expect(readTotals(bytes(`270004000000001234${garbage}`))).toEqual({ amountMinor: 1234 });
  });

  it('do not count groups of which one is full: a byte holds no more than 255', () => {
    const totals = readTotals(bytes(`270004000000001234${block('0001', '0300', ['FF000000001234'])}`));
    expect(totals).not.toHaveProperty('count');
    expect(totals).toMatchObject({ byScheme: [{ scheme: 'girocard', count: 255 }] });
  });

  it('are nothing when the terminal tells nothing', () => {
    expect(readTotals(bytes('2700'))).toBeNull();
  });
});

describe('the recorded end of day', () => {
  const recorded = (part: string) => {
    const vector = zvtVectors().find(({ name }) => name.includes(part));
    if (!vector) throw new Error(`no vector ${part}`);
    return vector.hex.toUpperCase();
  };

  it.skipIf(vectorsMissing)(
    `is asked for byte for byte${vectorsMissing ? `: ${vectorsMissing}` : ''}`,
    () => {
      expect(toHex(endOfDay('123456'))).toBe(recorded('1681282621.302434000_ecr_pt'));
    },
  );

  it.skipIf(vectorsMissing)(`has its totals read${vectorsMissing ? `: ${vectorsMissing}` : ''}`, () => {
    const apdu = bytes(recorded('1680761828.489701000_pt_ecr'));
    expect(readTotals(apdu.subarray(3))).toEqual({
      amountMinor: 958,
      count: 2,
      firstNumber: '0233',
      lastNumber: '0234',
      byScheme: [{ scheme: 'Mastercard', count: 2, amountMinor: 958 }],
    });
  });
});
