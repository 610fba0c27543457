import { describe, expect, it } from 'vitest';
import { Keyboard } from '../../../src/cli/offline/simulate-terminal/keyboard.ts';
import { orderOf } from '../../../src/cli/offline/simulate-terminal/orders.ts';

describe('a line of orders', () => {
  it.each([
    ['approve', { kind: 'press', key: 'approve' }],
    ['wrong-pin', { kind: 'press', key: 'wrong_pin' }],
    ['  Walk_Away ', { kind: 'press', key: 'walk_away' }],
    ['sale 12.34', { kind: 'type', typed: { kind: 'sale', amountMinor: 1234 } }],
    ['refund 5', { kind: 'type', typed: { kind: 'refund', amountMinor: 500 } }],
    ['void', { kind: 'type', typed: { kind: 'void' } }],
    ['void 12', { kind: 'type', typed: { kind: 'void', receiptNumber: '0012' } }],
    ['end-of-day', { kind: 'close' }],
    ['next_amount 9,99', { kind: 'next_amount', amountMinor: 999 }],
    ['cut', { kind: 'fault', fault: { when: 'result', do: 'cut' } }],
    ['cut completion', { kind: 'fault', fault: { when: 'completion', do: 'cut' } }],
    ['silence 500', { kind: 'fault', fault: { when: 'result', do: 'silence', ms: 500 } }],
    ['power_loss', { kind: 'fault', fault: { when: 'result', do: 'power_loss', ms: 3000 } }],
    ['fault idle:power-loss:50', { kind: 'fault', fault: { when: 'idle', do: 'power_loss', ms: 50 } }],
    ['quit', { kind: 'quit' }],
    ['', null],
    ['# a comment', null],
  ])('"%s" is understood', (line, order) => {
    expect(orderOf(line, 'EUR')).toEqual(order);
  });

  it.each([
    'sale',
    'sale 0',
    'sale 1.234',
    'sale 1 2',
    'dance',
    'void abc',
    'fault',
    'silence long',
    'quit now',
  ])('"%s" is refused in words', (line) => {
    expect(() => orderOf(line, 'EUR')).toThrowError(
      expect.objectContaining({ code: expect.stringMatching(/^(USAGE|AMOUNT_INVALID)$/) }),
    );
  });
});

describe('the keyboard', () => {
  const lines = (...chunks: readonly string[]) => {
    const keyboard = new Keyboard();
    return chunks
      .flatMap((chunk) => keyboard.strokes(chunk))
      .flatMap((stroke) => (stroke.kind === 'line' ? [stroke.text] : []));
  };

  it('gives an order for one key, and for every key of a chunk', () => {
    expect(lines('a', 'dp', 'X')).toEqual(['approve', 'decline', 'wrong_pin', 'abort']);
  });

  it('takes a line after the keys that begin one, with mistakes taken back', () => {
    expect(lines('s', '12.3', '5\u007f4', '\r')).toEqual(['sale 12.34']);
    expect(lines('fresult:cut\r')).toEqual(['fault result:cut']);
    expect(lines(':screen\n')).toEqual(['screen']);
  });

  it('forgets a line at Escape, and gives an arrow key no meaning', () => {
    expect(lines('s12', '\u001b', 'a')).toEqual(['approve']);
    expect(lines('\u001b[A', 'a')).toEqual(['approve']);
    expect(lines('d\u001b[1;5A\u001bOPp')).toEqual(['decline', 'wrong_pin']);
  });

  it('ends at Ctrl-C and Ctrl-D, in the middle of a line too', () => {
    expect(lines('\u0003')).toEqual(['quit']);
    expect(lines('s1', '\u0004')).toEqual(['quit']);
  });

  it('gives keys without a meaning none', () => {
    expect(lines('zZ9\u0000\t')).toEqual([]);
  });

  it('takes no endless line', () => {
    expect(lines('s', '1'.repeat(500), '\r')[0]?.length).toBeLessThanOrEqual(80);
  });
});
