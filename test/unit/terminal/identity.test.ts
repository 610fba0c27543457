import { describe, expect, it } from 'vitest';
import { isSameTerminal, isStronger, recognised } from '../../../src/terminal/identity.ts';
import type { TerminalIdentity } from '../../../src/terminal/ports.ts';
import { TerminalRegistry } from '../../../src/terminal/terminal-registry.ts';

const port: TerminalIdentity = { grade: 'port' };
const tid: TerminalIdentity = { grade: 'tid', terminalId: '1' };
const serial: TerminalIdentity = { grade: 'serial', serial: 'A', terminalId: '1' };

describe('whether a terminal is the one that is known', () => {
  it.each<[string, TerminalIdentity, TerminalIdentity, boolean]>([
    ['the same serial', serial, { ...serial, terminalId: '2' }, true],
    ['another serial, the same terminal id', serial, { ...serial, serial: 'B' }, false],
    ['known by its serial, but it tells only its terminal id', serial, tid, false],
    ['known by its serial, but it tells nothing', serial, port, false],
    ['the same terminal id', tid, serial, true],
    ['another terminal id', tid, { ...tid, terminalId: '2' }, false],
    ['known by its port only', port, serial, true],
  ])('%s', (_title, known, seen, same) => {
    expect(isSameTerminal(known, seen)).toBe(same);
  });

  it('is who it was where it cannot name itself before its next transaction, at its own place only', () => {
    const untold: TerminalIdentity = { ...port, untold: true };
    expect(recognised(tid, untold, true)).toBe(tid);
    expect(recognised(tid, untold, false)).toBe(untold);
    expect(recognised(null, untold, true)).toBe(untold);
    expect(recognised(tid, port, true)).toBe(port);
    expect(recognised(tid, serial, true)).toBe(serial);
  });

  it('is remembered again when it tells more than before, not when it tells less', () => {
    expect([
      isStronger(serial, tid),
      isStronger(tid, port),
      isStronger(tid, serial),
      isStronger(tid, tid),
    ]).toEqual([true, true, false, false]);
  });
});

describe('the roster of terminals', () => {
  it('gives one terminal to one device, until that leaves it', () => {
    const registry = new TerminalRegistry();
    registry.take('counter 1', serial);
    registry.take('counter 1', serial);
    expect(() => registry.take('counter 2', serial)).toThrow(
      expect.objectContaining({ code: 'WRONG_TERMINAL' }),
    );
    registry.leave('counter 1');
    registry.take('counter 2', serial);
    expect(() => registry.take('counter 1', serial)).toThrow(
      expect.objectContaining({ code: 'WRONG_TERMINAL' }),
    );
  });

  it('cannot tell terminals apart that tell nothing', () => {
    const registry = new TerminalRegistry();
    registry.take('counter 1', port);
    expect(() => registry.take('counter 2', port)).not.toThrow();
  });
});
