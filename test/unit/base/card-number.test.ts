import { describe, expect, it } from 'vitest';
import { maskCardNumbers, passesLuhn, TruncatedCardNumber } from '../../../src/base/card-number.ts';

describe('a truncated card number', () => {
  it.each([
    ['4111111111111111', '411111******1111'],
    ['4111 1111 1111 1111', '411111******1111'],
    ['559883EEEEEE8074', '559883******8074'],
    ['************4771', '************4771'],
    ['EEEEEEEEEEEE4771', '************4771'],
    ['559883EEEEEE8074F', '559883******8074'],
    ['6799998900000060018', '679999*********0018'],
    ['1234567890', '******7890'],
  ])('of %s shows %s', (text, shown) => {
    const number = TruncatedCardNumber.of(text);
    expect(String(number)).toBe(shown);
    expect(JSON.stringify({ number })).toBe(JSON.stringify({ number: shown }));
  });

  it.each(['', '123', 'EEEEEEEEEEEE', '1'.repeat(25)])('cannot be made of %j', (text) => {
    expect(TruncatedCardNumber.of(text)).toBeUndefined();
  });
});

describe('the card number guard', () => {
  it.each([
    ['card 4111111111111111 declined', 'card 411111******1111 declined'],
    ['4111-1111-1111-1111', '411111******1111'],
    ['4111 1111 1111 1111 x', '411111******1111 x'],
    ['card4111111111111111x', 'card411111******1111x'],
    ['amex 378282246310005.', 'amex 378282*****0005.'],
    ['maestro 6759649826438453', 'maestro 675964******8453'],
    ['mir 2223003122003222', 'mir 222300******3222'],
    ['beside digits 4111111111111111 11', 'beside digits 411111******1111    11'],
    ['12 77 4111 1111 1111 1111 56-78', '12 77    411111******1111    56-78'],
    [
      'in too long a run 1234567890123456789012 4111111111111111',
      'in too long a run 1234567890123456789012    411111******1111',
    ],
    ['4111*1111*1111*1111', '411111******1111'],
    ['DE89370400440532013000 card 4111111111111111', 'DE89370400440532013000 card 411111******1111'],
    ['Re12 Kunde zahlt mit Karte 4111111111111111', 'Re12 Kunde zahlt mit Karte 411111******1111'],
    ['two 4111111111111111 5555555555554444', 'two 411111******1111    555555******4444'],
    ['two, one run 4111111111111111-378282246310005', 'two, one run 411111******1111    378282*****0005'],
  ])('masks %s', (text, masked) => {
    expect(maskCardNumbers(text)).toBe(masked);
  });

  it.each([
    'no luhn 4111111111111112',
    'no issuer 0000000000000000',
    'epoch 1700000000000 ms',
    'id 0199c0de-0000-7000-8000-000000000001',
    'id 45320151-1283-0366-8000-000000000000',
    'evt_45320151-1283-0366-8000-000000000000',
    'too long 41111111111111111111',
    'short 411111111111',
  ])('leaves %s whole', (text) => {
    expect(maskCardNumbers(text)).toBe(text);
  });

  it('is the same twice: what is left of a number cannot be read as another with the digits beside it', () => {
    const once = maskCardNumbers('513541354135413 513390211');
    expect(once).not.toContain('513541354135413');
    expect(maskCardNumbers(once)).toBe(once);
  });

  it('knows the check digit rule', () => {
    expect(passesLuhn('79927398713')).toBe(true);
    expect(passesLuhn('79927398710')).toBe(false);
  });
});
