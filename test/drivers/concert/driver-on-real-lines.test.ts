import { afterEach, describe, expect, it } from 'vitest';
import { driver } from '../../../drivers/terminals/concert/driver.ts';
import { concertDialect } from '../../../drivers/terminals/concert/virtual.ts';
import type { ConcertVirtualOptions } from '../../../drivers/terminals/concert/virtual-options.ts';
import { silentLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import {
  type RunningVirtualTerminal,
  startVirtualTerminal,
} from '../../../src/sandbox/terminal/start-virtual-terminal.ts';
import type { OpenLink } from '../../../src/terminal/link.ts';
import type { TerminalSession } from '../../../src/terminal/ports.ts';
import { openSerialLink } from '../../../src/transport/serial.ts';
import { openTcpLink } from '../../../src/transport/tcp.ts';
import { noDial } from '../../support/no-dial.ts';
import { ptyForTests } from '../../support/pty.ts';
import { ATTEMPT, memory, money, RecordingObserver, signal, TICKET, virtualSettings } from './rig.ts';

const sessions: TerminalSession[] = [];
const running: RunningVirtualTerminal[] = [];

afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
  for (const terminal of running.splice(0)) await terminal.stop();
});

async function start(
  over: 'tcp' | 'pty',
  options: Partial<ConcertVirtualOptions>,
): Promise<RunningVirtualTerminal> {
  const settings = virtualSettings({ over });
  const ports = { clock: systemClock, log: silentLog, memory: memory() };
  const terminal = await startVirtualTerminal(settings, concertDialect({ hostMs: 5, ...options }), ports);
  running.push(terminal);
  return terminal;
}

async function open(way: OpenLink, options: Readonly<Record<string, unknown>>): Promise<TerminalSession> {
  const context = {
    deviceId: 'device',
    currency: 'EUR',
    clock: systemClock,
    log: silentLog,
    transcript: { record: () => undefined },
    dial: way,
    openBeside: noDial,
    options,
  } as const;
  const session = await driver.open(await way(signal), context, signal);
  sessions.push(session);
  return session;
}

/** A short day: ready, sale, refund, sale. */
async function aDay(terminal: RunningVirtualTerminal, session: TerminalSession, reference: string) {
  const books = new RecordingObserver();
  expect(await session.readiness(signal)).toMatchObject({ kind: 'ready' });
  const kinds: string[] = [];
  for (const command of [money('sale', 1250), money('refund', 300), money('sale', 500)]) {
    const outcome = await session.execute(command, books, signal);
    kinds.push(outcome.kind);
    expect(outcome).toMatchObject({ report: { reference, amountMinor: command.amount.minor } });
  }
  expect(kinds).toEqual(Array(3).fill('approved'));
  expect(terminal.snapshot().ledger.map(({ kind, reversed }) => [kind, reversed])).toEqual([
    ['sale', false],
    ['refund', false],
    ['sale', false],
  ]);
}

describe('over TCP', () => {
  it.each<Partial<ConcertVirtualOptions>>([
    {},
    { afterAnswer: 'stays' },
    { splitMs: 150, paddedAmount: true, version: '0320' },
  ])('a day with %j', async (options) => {
    const terminal = await start('tcp', options);
    const port = Number(new URL(terminal.address).port);
    const way = openTcpLink({ host: '127.0.0.1', port, connectTimeoutMs: 1000 });
    await aDay(terminal, await open(way, {}), ATTEMPT);
  });
});

const { pty, reason } = await ptyForTests();
await pty?.pipe.close();

describe.skipIf(!pty)(`on a pty${pty ? '' : ` (skipped: ${reason})`}`, () => {
  it.each([
    ['eplus', TICKET, {}],
    ['eplus', TICKET, { parity: true }],
    ['v3', ATTEMPT, {}],
  ] as const)(
    'a day in %s',
    async (dialect, reference, options) => {
      const terminal = await start('pty', { dialect, ...options });
      const line = {
        path: terminal.address,
        baudRate: 9600,
        dataBits: 8,
        stopBits: 1,
        parity: 'none',
      } as const;
      const session = await open(openSerialLink(line), {
        dialect,
        seven_data_bits: 'parity' in options,
      });
      await aDay(terminal, session, reference);
    },
    60_000,
  );
});
