import { describe, expect, it } from 'vitest';
import { decode } from '../../../drivers/skeleton/sample/decode.ts';
import { driver } from '../../../drivers/skeleton/sample/driver.ts';
import { sample } from '../../../drivers/skeleton/sample/manifest.ts';
import { readAnswer, sale } from '../../../drivers/skeleton/sample/messages.ts';
import { sampleDialect } from '../../../drivers/skeleton/sample/virtual.ts';
import { silentLog } from '../../../src/base/log.ts';
import { fromHex, toHex } from '../../../src/driver-kit/hex.ts';
import { VirtualTerminal } from '../../../src/sandbox/terminal/virtual-terminal.ts';
import type { MoneyCommand, Observer } from '../../../src/terminal/ports.ts';
import { memoryLinkPair } from '../../support/memory-link.ts';
import { noDial } from '../../support/no-dial.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const { signal } = new AbortController();
const SALE: MoneyCommand = {
  kind: 'sale',
  attemptId: 'a',
  ticket: 'A00001',
  amount: { minor: 1234, currency: 'EUR' },
};
const TAKES_ALL: Observer = {
  accepted: () => true,
  progress: () => undefined,
  beforeAcknowledge: () => true,
  beforeEnd: () => true,
};

async function counter() {
  const clock = new VirtualClock();
  const pair = memoryLinkPair({ kind: 'serial' });
  const terminal = new VirtualTerminal(
    {
      name: 'Counter 1',
      protocol: sample.id,
      over: 'pty',
      port: 0,
      currency: 'EUR',
      serial: '17F00001',
      terminalId: '52500038',
      autopilot: 'off',
      autopilotMs: 0,
      missingAcknowledgement: 'reverse',
      faults: [],
    },
    sampleDialect(),
    { clock, log: silentLog, memory: { load: () => null, save: () => undefined } },
  );
  terminal.start();
  terminal.attach(pair.theirs);
  const context = {
    deviceId: 'device',
    currency: 'EUR',
    clock,
    log: silentLog,
    transcript: { record: () => undefined },
    dial: noDial,
    openBeside: noDial,
    options: {},
  } as const;
  const session = await clock.runUntil(driver.open(pair.ours, context, signal));
  const sell = (observer = TAKES_ALL) => clock.runUntil(session.execute(SALE, observer, signal));
  return { clock, pair, terminal, session, sell };
}

describe('bytes', () => {
  it('are those of the README', () => {
    expect(new TextDecoder().decode(sale(1234, 978))).toBe('S|00001234|978');
    expect(decode(fromHex('02 51 03 52') ?? new Uint8Array(), 'frame', undefined)).toMatchObject({
      name: 'Who',
      checksum: { ok: true },
    });
  });

  it.each(['', 'X', 'Q|1|2|0', 'R|00|0001|12|||', 'E', 'B|1', 'Q|17F00001|52500038|0|more'])(
    'that are no message ("%s") are refused',
    (text) => {
      expect(() => readAnswer(new TextEncoder().encode(text))).toThrowError(
        expect.objectContaining({ code: 'DECODE_MALFORMED' }),
      );
    },
  );
});

describe('a sale', () => {
  it('is approved when the customer pays, and the ledger of the terminal shows it once', async () => {
    const { terminal, sell } = await counter();
    terminal.press('approve');
    expect(await sell()).toMatchObject({ kind: 'approved', report: { amountMinor: 1234, number: '0001' } });
    expect(terminal.snapshot().ledger).toMatchObject([{ amountMinor: 1234, reversed: false }]);
  });

  it.each([
    ['decline', 'declined'],
    ['abort', 'aborted'],
    ['walk_away', 'aborted'],
  ] as const)('when the customer does "%s" is %s', async (key, kind) => {
    const { terminal, sell } = await counter();
    terminal.press(key);
    expect((await sell()).kind).toBe(kind);
  });

  it('is not acknowledged when its result could not be stored, and stays unknown', async () => {
    const { pair, terminal, sell } = await counter();
    terminal.press('approve');
    const outcome = await sell({ ...TAKES_ALL, beforeAcknowledge: () => false });
    expect(outcome).toMatchObject({ kind: 'unknown', code: 'NOT_STORED' });
    expect(toHex(pair.ours.written.at(-1) ?? new Uint8Array())).toMatch(/^02.*53/);
  });

  it('whose line is cut while the customer pays is unknown, and can be found out afterwards', async () => {
    const { clock, pair, terminal, session } = await counter();
    const running = session.execute(SALE, TAKES_ALL, signal);
    await clock.advance(1000);
    pair.cut();
    expect(await clock.runUntil(running)).toMatchObject({ kind: 'unknown', code: 'TERMINAL_LINK_LOST' });
    expect(terminal.snapshot().ledger).toEqual([]);
  });
});
