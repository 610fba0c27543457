import { describe, expect, it } from 'vitest';
import { Keypad } from '../../../../src/sandbox/terminal/keypad.ts';
import { VirtualClock } from '../../../support/virtual-clock.ts';

const never = new AbortController().signal;

describe('the keypad of a virtual terminal', () => {
  it('gives keys in the order they were pressed, before and while somebody waits', async () => {
    const keypad = new Keypad(new VirtualClock(), 'off', 0);
    keypad.press('decline');
    keypad.press('approve');
    expect([await keypad.next(never), await keypad.next(never)]).toEqual(['decline', 'approve']);
    const waiting = keypad.next(never);
    keypad.press('abort');
    expect(await waiting).toBe('abort');
  });

  it('presses by itself after its time, and only when nobody has', async () => {
    const clock = new VirtualClock();
    const keypad = new Keypad(clock, 'approve', 1000);
    const first = keypad.next(never);
    await clock.advance(999);
    keypad.press('decline');
    expect(await first).toBe('decline');
    expect(clock.pending).toEqual([]);
    const second = keypad.next(never);
    await clock.advance(1000);
    expect(await second).toBe('approve');
  });

  it('stops pressing by itself as soon as somebody switches that off, and begins again with the next wait', async () => {
    const clock = new VirtualClock();
    const keypad = new Keypad(clock, 'approve', 1000);
    const waiting = keypad.next(never);
    keypad.autopilot = 'off';
    await clock.advance(1000);
    keypad.press('walk_away');
    expect(await waiting).toBe('walk_away');
    keypad.autopilot = 'decline';
    const next = keypad.next(never);
    await clock.advance(1000);
    expect(await next).toBe('decline');
  });

  it('does not press by itself when it is asked to leave it to people', async () => {
    const clock = new VirtualClock();
    const keypad = new Keypad(clock, 'approve', 1000);
    const alone = keypad.next(never, true);
    expect(clock.pending).toEqual([]);
    keypad.press('abort');
    expect(await alone).toBe('abort');
  });

  it('keeps a key that comes after a wait was given up for the next one', async () => {
    const keypad = new Keypad(new VirtualClock(), 'off', 0);
    const stop = new AbortController();
    const waiting = keypad.next(stop.signal);
    stop.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    keypad.press('approve');
    await expect(keypad.next(stop.signal)).rejects.toThrow('gone');
    expect(await keypad.next(never)).toBe('approve');
  });

  it('takes 16 keys in advance, no more', () => {
    const keypad = new Keypad(new VirtualClock(), 'off', 0);
    for (let key = 0; key < 16; key += 1) keypad.press('approve');
    expect(() => keypad.press('approve')).toThrow(/16 keys wait already/);
  });
});
