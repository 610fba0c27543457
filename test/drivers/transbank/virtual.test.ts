import { describe, expect, it } from 'vitest';
import { transbankDialect } from '../../../drivers/terminals/transbank/virtual.ts';
import type { TransbankVirtualOptions } from '../../../drivers/terminals/transbank/virtual-options.ts';
import { silentLog } from '../../../src/base/log.ts';
import { VirtualTerminal } from '../../../src/sandbox/terminal/virtual-terminal.ts';
import { memoryLinkPair } from '../../support/memory-link.ts';
import { textMemory, VIRTUAL_TERMINAL } from '../../support/shop.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { framed } from './scripted-terminal.ts';

/** A till that knows nothing but frames written out by hand: neither the driver's nor the terminal's codec decides what is right. */
function counter(options: Partial<TransbankVirtualOptions> = {}) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 5, 9, 0, 0));
  const settings = {
    ...VIRTUAL_TERMINAL,
    protocol: 'transbank',
    over: 'pty',
    currency: 'CLP',
    terminalId: '75001637',
    autopilot: 'off',
  } as const;
  const ports = { clock, log: silentLog, memory: textMemory() };
  const terminal = new VirtualTerminal(settings, transbankDialect(options), ports);
  terminal.start();
  const pair = memoryLinkPair({ kind: 'serial' });
  terminal.attach(pair.theirs);
  const heard: string[] = [];
  let answers = true;
  const listen = async () => {
    for await (const piece of pair.ours.bytes) {
      const isControl = piece.length === 1;
      heard.push(
        isControl ? (piece[0] === 0x06 ? 'ACK' : 'NAK') : new TextDecoder().decode(piece.slice(1, -2)),
      );
      if (!isControl && answers) await pair.ours.write(Uint8Array.of(0x06));
    }
  };
  void listen();
  return {
    clock,
    terminal,
    heard,
    /** From now on nothing is acknowledged. */
    fallSilent: () => {
      answers = false;
    },
    write: (bytes: Uint8Array) => pair.ours.write(bytes),
    /** Sends a text and lets time pass; gives what came. */
    ask: async (text: string, ms = 3000) => {
      heard.length = 0;
      await pair.ours.write(framed(text));
      await clock.advance(ms);
      return [...heard];
    },
  };
}

const SALE = '0200|13990|A1B2C3|||1|';
const HEAD = '597029414300|75001637';

describe('a virtual POS Integrado', () => {
  it('acknowledges a poll and says nothing else; what is damaged or unknown is refused', async () => {
    const { ask, write, heard, clock } = counter();
    expect(await ask('0100')).toEqual(['ACK']);
    expect(await ask('0999')).toEqual(['NAK']);
    heard.length = 0;
    await write(framed('0100').map((byte, index) => (index === 2 ? byte ^ 1 : byte)));
    await clock.advance(100);
    expect(heard).toEqual(['NAK']);
  });

  it('sells: 0900 on the way, 0210 with the ticket, and the list has it', async () => {
    const { ask, terminal } = counter();
    terminal.press('approve');
    const received = await ask(SALE);
    expect(received.slice(0, 3)).toEqual(['ACK', '0900|78|', '0900|82|']);
    expect(received[3]).toBe(
      `0210|00|${HEAD}|A1B2C3|000001|13990|0||2346|000001|CR|||MC|05012026|090000||0||`,
    );
    expect(await ask('0260|1|')).toEqual([
      'ACK',
      `0261|00|${HEAD}|A1B2C3|000001|13990|2346|000001|CR|||MC|05012026|090000|0|0||0|`,
      `0261|00|${HEAD}||||||||||||||||`,
    ]);
  });

  it.each([
    ['decline', '01'],
    ['abort', '07'],
    ['walk_away', '22'],
  ] as const)('tells what the customer does: %s is %s, with an amount of nothing', async (key, code) => {
    const { ask, terminal } = counter();
    terminal.press(key);
    const received = await ask('0200|13990|ABCD|||0|', 70_000);
    expect(received[1]).toMatch(
      new RegExp(`^0210\\|${code}\\|${HEAD.replace('|', '\\|')}\\|00ABCD\\| {6}\\|0\\|`),
    );
    expect(received).toHaveLength(2);
  });

  it.each([
    ['0200|13990|ABCDEFG|||0|', '70'],
    ['0200|0|ABCD|||0|', '72'],
    ['0200|49|ABCD|||0|', '10'],
  ])('refuses %s without asking for a card: %s', async (text, code) => {
    expect((await counter().ask(text))[1]).toMatch(new RegExp(`^0210\\|${code}\\|`));
  });

  it('says its answer again after 10 s, twice, when nobody acknowledges it, and keeps the sale', async () => {
    const { ask, terminal, fallSilent, heard, clock } = counter();
    terminal.press('approve');
    fallSilent();
    await ask('0200|13990|A1B2C3|||0|');
    expect(heard.filter((text) => text.startsWith('0210'))).toHaveLength(1);
    await clock.advance(10_000);
    expect(heard.filter((text) => text.startsWith('0210'))).toHaveLength(2);
    await clock.advance(60_000);
    expect(heard.filter((text) => text.startsWith('0210'))).toHaveLength(3);
    expect(terminal.snapshot()).toMatchObject({ busy: false, ledger: [{ reversed: false }] });
  });

  it.each([
    ['nak', ['NAK']],
    ['silence', []],
  ] as const)('answers everything with %s while a customer pays', async (busy, answer) => {
    const { ask } = counter({ busy });
    await ask(SALE);
    expect(await ask('0100', 100)).toEqual(answer);
    expect(await ask(SALE, 100)).toEqual(answer);
  });

  it('may seem idle while a customer pays, but does not sell a second time', async () => {
    const { ask } = counter({ looksIdleMs: 20_000 });
    await ask(SALE);
    expect((await ask('0100', 100))[0]).toBe('ACK');
    expect((await ask('0260|1|', 100)).length).toBeGreaterThan(1);
    expect(await ask(SALE, 100)).toEqual([]);
  });

  it.each([2, 94, 95])('may say %i although it has charged', async (code) => {
    const { ask, terminal } = counter();
    terminal.spoilNextEnd('untold', code);
    terminal.press('approve');
    const text = (await ask('0200|13990|A1B2C3|||0|'))[1];
    expect(text).toMatch(new RegExp(`^0210\\|${String(code).padStart(2, '0')}\\|`));
    expect(terminal.snapshot().ledger).toMatchObject([{ result: 'approved', amountMinor: 13_990 }]);
  });

  it.each([
    ['twin', ['13990', '-13990']],
    ['replaced', ['-13990']],
  ] as const)('shows a voided sale as %s in its list', async (voidedShows, amounts) => {
    const { ask, terminal } = counter({ voidedShows });
    terminal.press('approve');
    await ask(SALE);
    expect((await ask('1200|1|'))[1]).toBe(`1210|00|${HEAD}|000002|1`);
    expect((await ask('1200|1|'))[1]).toMatch(/^1210\|04\|/);
    expect((await ask('1200|9|'))[1]).toMatch(/^1210\|05\|/);
    const lines = (await ask('0260|1|')).filter(
      (text) => text.startsWith('0261') && !text.includes('||||||||'),
    );
    expect(lines.map((text) => text.split('|')[6])).toEqual(amounts);
    expect(lines.map((text) => [text.split('|')[4], text.split('|')[8]])).toEqual(
      amounts.map(() => ['A1B2C3', '000001']),
    );
  });

  it('does not void what was paid by debit card', async () => {
    const { ask, terminal } = counter({ debit: true });
    terminal.nextCard('girocard-contactless');
    terminal.press('approve');
    expect((await ask(SALE)).at(-1)).toContain('|DB|||DB|');
    expect((await ask('1200|000001|'))[1]).toMatch(/^1210\|21\|/);
  });

  it.each([
    [{ ticketFill: ' ', ticketWidth: 9, blankBrand: true }, '|   A1B2C3|', '|CR|||  |'],
    [{ ticketWidth: 8 }, '|00A1B2C3|', '|CR|||MC|'],
  ] as const)('fills and leaves out what vendors do: %j', async (options, ticket, brand) => {
    const { ask, terminal } = counter({ ...options, progress: false });
    terminal.press('approve');
    const received = await ask(SALE);
    expect(received).toHaveLength(2);
    expect(received[1]).toContain(ticket);
    expect(received[1]).toContain(brand);
  });

  it('forgets its sales at an end of day, unless it is one that does not', async () => {
    for (const forgetsAtClose of [true, false]) {
      const { ask, terminal } = counter({ forgetsAtClose });
      terminal.press('approve');
      await ask(SALE);
      expect((await ask('0700||'))[1]).toBe('0710|00|1|13990|');
      expect((await ask('0500||'))[1]).toBe(`0510|00|${HEAD}|`);
      expect((await ask('0700||'))[1]).toBe('0710|00|0|0|');
      expect((await ask('0250|'))[1]).toMatch(/^0260\|11\|/);
    }
  });

  it('tells an empty list with one empty line or two, or with code 11, with its terminal id or without', async () => {
    expect(await counter({ endLines: 2 }).ask('0260|1|')).toEqual([
      'ACK',
      `0261|00|${HEAD}||||||||||||||||`,
      `0261|00|${HEAD}||||||||||||||||`,
    ]);
    expect((await counter({ emptyList: 'code_11' }).ask('0260|1|'))[1]).toMatch(/^0260\|11\|/);
    expect((await counter({ endNamesTerminal: false }).ask('0260|1|'))[1]).toMatch(/^0261\|00\|\|\|/);
    expect((await counter({ list: 'refused' }).ask('0260|1|'))[1]).toMatch(/^0261\|12\|/);
    expect(await counter().ask('0260|0|')).toEqual(['ACK']);
  });

  it('refuses sales until its keys are loaded, where they are missing', async () => {
    const { ask } = counter({ keys: 'missing' });
    expect((await ask(SALE))[1]).toMatch(/^0210\|26\|/);
    expect((await ask('0800'))[1]).toBe(`0810|00|${HEAD}`);
    expect((await ask(SALE))[1]).toBe('0900|78|');
    expect((await counter({ keys: 'refused' }).ask('0800'))[1]).toMatch(/^0810\|03\|/);
  });

  it('refuses everything when it is not in integrated mode, also after it was told to leave it', async () => {
    expect(await counter({ mode: 'normal' }).ask('0100')).toEqual(['NAK']);
    const { ask } = counter();
    expect(await ask('0300')).toEqual(['ACK']);
    expect(await ask('0100')).toEqual(['NAK']);
  });
});
