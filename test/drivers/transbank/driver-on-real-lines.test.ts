import { afterEach, describe, expect, it } from 'vitest';
import { driver } from '../../../drivers/terminals/transbank/driver.ts';
import { transbankDialect } from '../../../drivers/terminals/transbank/virtual.ts';
import { silentLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import {
  type RunningVirtualTerminal,
  startVirtualTerminal,
} from '../../../src/sandbox/terminal/start-virtual-terminal.ts';
import type { Outcome, TerminalSession, TransactionReport } from '../../../src/terminal/ports.ts';
import { openSerialLink } from '../../../src/transport/serial.ts';
import { noDial } from '../../support/no-dial.ts';
import { ptyForTests } from '../../support/pty.ts';
import { textMemory, VIRTUAL_TERMINAL } from '../../support/shop.ts';
import { RecordingObserver, SALE, signal } from './scripted-terminal.ts';

const { pty, reason } = await ptyForTests();
await pty?.pipe.close();
const sessions: TerminalSession[] = [];
const running: RunningVirtualTerminal[] = [];

afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
  for (const terminal of running.splice(0)) await terminal.stop();
});

async function start(): Promise<RunningVirtualTerminal> {
  const settings = {
    ...VIRTUAL_TERMINAL,
    protocol: 'transbank',
    over: 'pty',
    currency: 'CLP',
    autopilotMs: 20,
  } as const;
  const ports = { clock: systemClock, log: silentLog, memory: textMemory() };
  const terminal = await startVirtualTerminal(settings, transbankDialect({ hostMs: 5, answerMs: 5 }), ports);
  running.push(terminal);
  return terminal;
}

async function open({ address }: RunningVirtualTerminal): Promise<TerminalSession> {
  const line = { path: address, baudRate: 115_200, dataBits: 8, stopBits: 1, parity: 'none' } as const;
  const context = {
    deviceId: 'device',
    currency: 'CLP',
    clock: systemClock,
    log: silentLog,
    transcript: { record: () => undefined },
    dial: noDial,
    openBeside: noDial,
    options: {},
  } as const;
  const session = await driver.open(await openSerialLink(line)(signal), context, signal);
  sessions.push(session);
  return session;
}

function approvalOf(outcome: Outcome): TransactionReport {
  if (outcome.kind !== 'approved') throw new Error(`not approved but ${outcome.kind}`);
  return outcome.report;
}

describe.skipIf(!pty)(`on a pty${pty ? '' : ` (skipped: ${reason})`}`, () => {
  it('a short day: a sale, the list, a void, an end of day', async () => {
    const terminal = await start();
    const session = await open(terminal);
    const observer = new RecordingObserver();
    const sold = approvalOf(await session.execute(SALE, observer, signal));
    expect(await session.readiness(signal)).toEqual({ kind: 'ready' });
    terminal.typeByHand({ kind: 'sale', amountMinor: 5000 });
    expect(await session.ownTransaction?.(SALE, signal)).toMatchObject({
      kind: 'found',
      report: { authCode: sold.authCode, reference: 'A1B2C3' },
    });
    const { number = '', trace = '', reference = '', amountMinor = 0 } = sold;
    const command = {
      ...SALE,
      kind: 'void',
      ticket: 'A1B2C4',
      original: { number, trace, reference, amountMinor },
    } as const;
    expect(approvalOf(await session.execute(command, observer, signal))).toMatchObject({
      kind: 'void',
      originalTrace: sold.trace,
    });
    expect((await session.journal(signal)).lines.map(({ kind }) => kind)).toEqual(['sale', 'sale', 'void']);
    expect((await session.endOfDay(() => undefined, signal)).kind).toBe('closed');
    expect(await session.lastTransaction(signal)).toEqual({ kind: 'empty' });
    expect(terminal.snapshot().ledger.map(({ kind, reversed }) => [kind, reversed])).toEqual([
      ['sale', true],
      ['sale', false],
      ['void', false],
    ]);
  });
});
