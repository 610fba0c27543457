import { describe, expect, it } from 'vitest';
import { ownNumbers } from '../../../src/console/till/own-numbers.js';
import { payment } from '../cli/fake-daemon.ts';

const NUMBERS = {
  masked_pan: '512345******2346',
  receipt_number: '0001',
  trace: '000001',
  auth_code: '112648',
};
const OWN = { card: '512345******2346', receipt: '0001', trace: '000001', auth: '112648' };
const NONE = { card: '', receipt: null, trace: null, auth: null };

describe('the numbers of a payment', () => {
  it.each<readonly [string, object, object]>([
    ['are not shown in doubt: another transaction may have them', { in_doubt: true }, NONE],
    ['are its own behind an approval', { in_doubt: true, had_approval: true }, OWN],
    ['are its own once it is decided', { in_doubt: false }, OWN],
  ])('%s', (_, state, numbers) => {
    expect(ownNumbers(payment({ ...NUMBERS, ...state }))).toEqual(numbers);
  });
});
