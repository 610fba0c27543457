import { afterEach, describe, expect, it } from 'vitest';
import { driver } from '../../../drivers/terminals/zvt/driver.ts';
import { zvtDialect } from '../../../drivers/terminals/zvt/virtual.ts';
import { silentLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import {
  type RunningVirtualTerminal,
  startVirtualTerminal,
} from '../../../src/sandbox/terminal/start-virtual-terminal.ts';
import type { Link } from '../../../src/terminal/link.ts';
import type { TerminalSession } from '../../../src/terminal/ports.ts';
import { openSerialLink } from '../../../src/transport/serial.ts';
import { openTcpLink } from '../../../src/transport/tcp.ts';
import { noDial } from '../../support/no-dial.ts';
import { ptyForTests } from '../../support/pty.ts';
import { memory, virtualSettings } from './raw-till.ts';
import { REFUND, RecordingObserver, SALE } from './scripted-terminal.ts';
import { reportOf, voidOf } from './sitting.ts';

const { signal } = new AbortController();
const sessions: TerminalSession[] = [];
const running: RunningVirtualTerminal[] = [];

afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
  for (const terminal of running.splice(0)) await terminal.stop();
});

async function start(over: 'tcp' | 'pty'): Promise<RunningVirtualTerminal> {
  const settings = virtualSettings({ over, autopilot: 'approve', autopilotMs: 20 });
  const ports = { clock: systemClock, log: silentLog, memory: memory() };
  const terminal = await startVirtualTerminal(settings, zvtDialect({ hostMs: 5 }), ports);
  running.push(terminal);
  return terminal;
}

async function open(link: Link): Promise<TerminalSession> {
  const context = {
    deviceId: 'device',
    currency: 'EUR',
    clock: systemClock,
    log: silentLog,
    transcript: { record: () => undefined },
    dial: noDial,
    openBeside: noDial,
    options: { password: '123456' },
  } as const;
  const session = await driver.open(link, context, signal);
  sessions.push(session);
  return session;
}

/** A short day: sale, refund, void by hand seen, void, totals, close. */
async function aDay(terminal: RunningVirtualTerminal, session: TerminalSession) {
  const observer = new RecordingObserver(() => 0);
  const sold = reportOf(await session.execute(SALE, observer, signal));
  reportOf(await session.execute(REFUND, observer, signal));
  terminal.typeByHand({ kind: 'sale', amountMinor: 5000 });
  expect(reportOf(await session.execute(voidOf(sold), observer, signal))).toMatchObject({
    kind: 'void',
    originalTrace: sold.trace,
  });
  expect(await session.journal(signal)).toMatchObject({
    lines: [{ kind: 'void' }],
    totals: { amountMinor: 3766 },
  });
  expect(await session.endOfDay(() => undefined, signal)).toMatchObject({
    kind: 'closed',
    receipts: { merchant: expect.stringContaining('Kassenschnitt') },
  });
  const kinds = terminal.snapshot().ledger.map(({ kind, reversed, byHand }) => ({ kind, reversed, byHand }));
  expect(kinds).toEqual([
    { kind: 'sale', reversed: true, byHand: false },
    { kind: 'refund', reversed: false, byHand: false },
    { kind: 'sale', reversed: false, byHand: true },
    { kind: 'void', reversed: false, byHand: false },
  ]);
}

it('a day with refund, void and end of day over TCP', async () => {
  const terminal = await start('tcp');
  const port = Number(new URL(terminal.address).port);
  const link = await openTcpLink({ host: '127.0.0.1', port, connectTimeoutMs: 1000 })(signal);
  await aDay(terminal, await open(link));
});

const { pty, reason } = await ptyForTests();
await pty?.pipe.close();

describe.skipIf(!pty)(`on a pty${pty ? '' : ` (skipped: ${reason})`}`, () => {
  it('a day with refund, void and end of day', async () => {
    const terminal = await start('pty');
    const line = {
      path: terminal.address,
      baudRate: 9600,
      dataBits: 8,
      stopBits: 2,
      parity: 'none',
    } as const;
    await aDay(terminal, await open(await openSerialLink(line)(signal)));
  });
});
