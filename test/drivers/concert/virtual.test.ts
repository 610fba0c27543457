import { describe, expect, it } from 'vitest';
import { concertDialect } from '../../../drivers/terminals/concert/virtual.ts';
import type { ConcertVirtualOptions } from '../../../drivers/terminals/concert/virtual-options.ts';
import { silentLog } from '../../../src/base/log.ts';
import { VirtualTerminal } from '../../../src/sandbox/terminal/virtual-terminal.ts';
import { memoryLinkPair } from '../../support/memory-link.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { framed, memory, raw, shown, virtualSettings } from './rig.ts';

/** A till that knows nothing but bytes written out by hand; customers do nothing by themselves. */
function till(kind: 'serial' | 'tcp', options: Partial<ConcertVirtualOptions> = {}) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 5, 9, 0, 0));
  const ports = { clock, log: silentLog, memory: memory() };
  const terminal = new VirtualTerminal(virtualSettings({ autopilot: 'off' }), concertDialect(options), ports);
  terminal.start();
  const heard: string[] = [];
  const call = () => {
    const { ours, theirs } = memoryLinkPair({ kind });
    terminal.attach(theirs);
    void (async () => {
      for await (const bytes of ours.bytes) {
        heard.push(shown(bytes));
        if (kind === 'serial' && /^<0[25]>/.test(shown(bytes))) await ours.write(raw('<06>'));
      }
    })();
    return ours;
  };
  const cable = kind === 'serial' ? call() : undefined;
  return {
    clock,
    terminal,
    heard,
    standing: () => terminal.snapshot().ledger.map(({ kind: what, amountMinor }) => [what, amountMinor]),
    /** ENQ, the frame, EOT; the terminal's own ENQ and frame are acknowledged. Returns the texts of its frames. */
    eplus: async (text: string) => {
      heard.length = 0;
      for (const written of ['<05>', framed(text), '<04>']) {
        await cable?.write(raw(written));
        await clock.advance(20);
      }
      await clock.advance(2000);
      return heard
        .filter((one) => one.startsWith('<02>'))
        .map((frame) => frame.slice(4, frame.lastIndexOf('<03>')));
    },
    v3: async (text: string) => {
      heard.length = 0;
      await call().write(raw(text));
      await clock.advance(2000);
      return heard.join('');
    },
  };
}

const ASKED = 'CZ0040300CJ012012345678901CA00201CE003978';
const EPLUS = { dialect: 'eplus' } as const;

describe('an answer before the payment', () => {
  it('is given at once to A011 (E+), before a card is presented; no result follows', async () => {
    const { eplus, terminal, heard, clock, standing } = till('serial', EPLUS);
    const sent = await eplus('0100001337010978          A011B010');
    expect(sent).toEqual(['010000013371978          ']);
    expect(standing()).toEqual([]);
    heard.length = 0;
    terminal.press('approve');
    await clock.advance(5000);
    expect([standing(), heard]).toEqual([[['sale', 1337]], []]);
  });

  it('waits for the end of the payment with A010 (E+)', async () => {
    const { eplus, terminal, standing } = till('serial', EPLUS);
    expect(await eplus('0100001337010978          A010B010')).toEqual([]);
    terminal.press('approve');
    expect(standing()).toEqual([]);
  });

  it('is AE 11 to BA 1 (V3), and no result follows', async () => {
    const { v3, terminal, heard, clock, standing } = till('tcp');
    const written = await v3(`${ASKED}BA0011CD0010CB0041234`);
    expect(written).toBe('CZ0040301CJ012330538600404CA00201CE003978BA0011CD0010CB0041234AE00211');
    expect(standing()).toEqual([]);
    heard.length = 0;
    terminal.press('approve');
    await clock.advance(5000);
    expect([standing(), heard]).toEqual([[['sale', 1234]], []]);
  });
});

describe('a cheque', () => {
  it('is one in E+ (mode C): its line of characters, and no card', async () => {
    const { eplus, terminal, standing } = till('serial', { ...EPLUS, hostMs: 10 });
    terminal.press('approve');
    const [sent = ''] = await eplus('01000012501C0978          A010B010');
    expect([sent.length, sent.slice(0, 12)]).toEqual([80, '01000001250C']);
    expect(sent.slice(12, 67)).toMatch(/^\d{31} {24}$/);
    expect(standing()).toEqual([['sale', 1250]]);
  });

  it('is one in V3 (CC 00C): AD, and nothing of a card', async () => {
    const { v3, terminal } = till('tcp', { hostMs: 10 });
    terminal.press('approve');
    const written = await v3(`${ASKED}BA0010CD0010CB0041250CC00300C`);
    expect(written).toMatch(/AE00210CC00300CAD031\d{31}/);
    expect(written).not.toMatch(/AA0|AI0|AB004|CI001/);
  });

  it('is not what a card is: the mode of the request is the mode of the answer', async () => {
    const { eplus, terminal } = till('serial', { ...EPLUS, hostMs: 10 });
    terminal.press('approve');
    const [sent = ''] = await eplus('0100001250020978          A010B010');
    expect(sent.slice(0, 12)).toBe('010000012502');
  });
});

describe('what this terminal does not do', () => {
  it.each(['2', '4'])('is not done (7), and is answered: E+ type %s', async (type) => {
    const { eplus, standing } = till('serial', EPLUS);
    expect(await eplus(`010000125001${type}978          A010B010`)).toEqual(['017000012501978          ']);
    expect(standing()).toEqual([]);
  });

  it('is an unknown action (AF 12): CD 2', async () => {
    const { v3, standing } = till('tcp');
    expect(await v3(`${ASKED}BA0010CD0012CB0041250`)).toMatch(/AE00201AF00212$/);
    expect(standing()).toEqual([]);
  });
});
