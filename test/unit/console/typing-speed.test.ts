import { describe, expect, it } from 'vitest';
import { TypingSpeed } from '../../../src/console/till/typing-speed.js';

/** Presses every key with the same pause between them. @returns whether the last one may take */
function typed(keys: readonly string[], gapMs: number, typing = new TypingSpeed(), from = 1_000): boolean {
  return keys.map((key, index) => typing.press({ key, at: from + index * gapMs })).at(-1) ?? false;
}

describe('a key that takes money is a person’s', () => {
  it.each([5, 20, 60, 100, 150, 199])('a scanner with %i ms between its keys takes nothing', (gapMs) => {
    for (const code of ['1', '12', '123', '1234', '12345', '123456', '1234567'])
      expect(typed([...code, 'Enter'], gapMs), code).toBe(false);
    expect(typed([...'1234', 'Enter', 'Enter'], gapMs)).toBe(false);
    expect(typed([...'1234', ' '], gapMs)).toBe(false);
  });

  it.each([200, 250, 400, 900])('a person with %i ms between the keys takes', (gapMs) => {
    expect(typed([...'1234', 'Enter'], gapMs)).toBe(true);
  });

  it('a scanner whose Enter is late by a busy machine takes nothing', () => {
    const typing = new TypingSpeed();
    typed([...'12345'], 60, typing, 0);
    expect(typing.press({ key: 'Enter', at: 240 + 700 })).toBe(false);
  });

  it('a second Enter takes, once it is no part of what came so fast', () => {
    const typing = new TypingSpeed();
    expect(typed([...'1234', 'Enter'], 60, typing, 0)).toBe(false);
    expect(typing.press({ key: 'Enter', at: 240 + 150 })).toBe(false);
    expect(typing.press({ key: 'Enter', at: 390 + 250 })).toBe(true);
  });

  it('a second after fast typing Enter is a person’s; one that is held never', () => {
    const typing = new TypingSpeed();
    typed([...'1234'], 80, typing, 0);
    expect(typing.press({ key: 'Enter', at: 240 + 1_000 })).toBe(true);
    expect(typing.press({ key: 'Enter', at: 3_000, isHeld: true })).toBe(false);
  });

  it('digits behind a letter within a second are a part of a code', () => {
    const typing = new TypingSpeed();
    typed([...'RE-20'], 150, typing, 0);
    expect(typing.isAmount).toBe(false);
    typing.press({ key: '1', at: 5_000 });
    expect(typing.isAmount).toBe(true);
  });
});
