import { describe, expect, it } from 'vitest';
import { ecr17Dialect } from '../../../drivers/terminals/ecr17/virtual.ts';
import type { Ecr17VirtualOptions } from '../../../drivers/terminals/ecr17/virtual-options.ts';
import { silentLog } from '../../../src/base/log.ts';
import { VirtualTerminal } from '../../../src/sandbox/terminal/virtual-terminal.ts';
import { memoryLinkPair } from '../../support/memory-link.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { memory, virtualSettings } from './sitting.ts';

/** A till that knows nothing but frames written out by hand; customers pay at once. The LRC is that of mode `std`. */
function till(options: Partial<Ecr17VirtualOptions> = {}) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 5, 9, 0, 0));
  const ports = { clock, log: silentLog, memory: memory() };
  const dialect = ecr17Dialect({ lrc: 'std', progress: false, hostMs: 10, ...options });
  const terminal = new VirtualTerminal(virtualSettings({ autopilotMs: 10 }), dialect, ports);
  terminal.start();
  return {
    terminal,
    /** The texts and controls of the answer. */
    ask: async (text: string) => {
      const { ours, theirs } = memoryLinkPair({ kind: 'tcp' });
      terminal.attach(theirs);
      const heard: string[] = [];
      void (async () => {
        for await (const bytes of ours.bytes) {
          const written = String.fromCharCode(...bytes);
          heard.push(written.startsWith('\u0002') ? written.slice(1, -2) : written);
          if (written.startsWith('\u0002')) await ours.write(Uint8Array.of(0x06, 0x03, 0x79));
        }
      })();
      const lrc = [...text].reduce((sum, sign) => sum ^ sign.charCodeAt(0), 0x7f);
      await ours.write(Uint8Array.of(2, ...Buffer.from(text, 'latin1'), 3, lrc));
      await clock.advance(2000);
      return heard;
    },
  };
}

const [ACK, NAK] = ['\u0006\u0003y', '\u0015\u0003j'];
const HEAD = '123456780';
const payment = (code: 'P' | 'X') => `${HEAD}${code}876543210000000000650${' '.repeat(128)}00000000`;
const LAST = `${HEAD}G876543210000`;

describe('a payment', () => {
  it('with P has a result of 71 characters: no action code, no amount', async () => {
    const { ask, terminal } = till();
    const [sign, result = ''] = await ask(payment('P'));
    expect([sign, result.length, result.slice(0, 12)]).toEqual([ACK, 71, `${HEAD}E00`]);
    expect(terminal.snapshot().ledger).toMatchObject([{ kind: 'sale', amountMinor: 650 }]);
  });

  it('with X has one of 92 characters, with the amount', async () => {
    const [sign, result = ''] = await till().ask(payment('X'));
    expect([sign, result.length, result.slice(71, 82)]).toEqual([ACK, 92, '00000000650']);
  });

  it.each(['P', 'X'] as const)('with %s is the last result byte for byte', async (code) => {
    const { ask } = till();
    const [, result] = await ask(payment(code));
    expect(await ask(LAST)).toEqual([ACK, result]);
  });

  it('with P after one with X leaves each its own form', async () => {
    const { ask } = till();
    await ask(payment('P'));
    const [, extended] = await ask(payment('X'));
    expect(await ask(LAST)).toEqual([ACK, extended]);
  });

  it('with X is refused by a terminal that has P only', async () => {
    const { ask } = till({ knowsX: false });
    expect(await ask(payment('X'))).toEqual([NAK]);
    expect((await ask(payment('P')))[1]).toHaveLength(71);
  });
});
