import { afterEach, expect, it } from 'vitest';
import { driver } from '../../../drivers/terminals/ecr17/driver.ts';
import { ecr17 } from '../../../drivers/terminals/ecr17/manifest.ts';
import { ecr17Dialect } from '../../../drivers/terminals/ecr17/virtual.ts';
import { silentLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import {
  type RunningVirtualTerminal,
  startVirtualTerminal,
} from '../../../src/sandbox/terminal/start-virtual-terminal.ts';
import { Connections } from '../../../src/terminal/connections.ts';
import type { TerminalSession } from '../../../src/terminal/ports.ts';
import { openSerialLink } from '../../../src/transport/serial.ts';
import { openTcpLink } from '../../../src/transport/tcp.ts';
import { noDial } from '../../support/no-dial.ts';
import { ptyForTests } from '../../support/pty.ts';
import { memory, Note, reportOf, SALE, virtualSettings, voidOf } from './sitting.ts';

const { pty, reason } = await ptyForTests();
await pty?.pipe.close();
const { signal } = new AbortController();
const sessions: TerminalSession[] = [];
const running: RunningVirtualTerminal[] = [];

afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
  for (const terminal of running.splice(0)) await terminal.stop();
});

it.each([true, false])(
  'a day with sale, reversal and end of day over TCP; the terminal hangs up after each answer: %s',
  async (hangsUp) => {
    const settings = virtualSettings({ autopilot: 'approve', autopilotMs: 20 });
    const dialect = ecr17Dialect({ hostMs: 5, hangsUp });
    const terminal = await startVirtualTerminal(settings, dialect, {
      clock: systemClock,
      log: silentLog,
      memory: memory(),
    });
    running.push(terminal);
    const port = Number(new URL(terminal.address).port);
    const open = openTcpLink({ host: '127.0.0.1', port, connectTimeoutMs: 1000 });
    const first = await open(signal);
    const connections = new Connections(first, open);
    const context = {
      deviceId: 'device',
      currency: 'EUR',
      clock: systemClock,
      log: silentLog,
      transcript: { record: () => undefined },
      dial: (within: AbortSignal) => connections.dial(within),
      openBeside: (within: AbortSignal) => connections.openBeside(within),
      options: ecr17.options.parse({}),
    } as const;
    const session = await driver.open(first, context, signal);
    sessions.push(session);
    const observer = new Note();
    const sold = reportOf(await session.execute(SALE, observer, signal));
    expect(sold).toMatchObject({ amountMinor: 1234, terminalId: '12345678' });
    expect(reportOf(await session.execute(voidOf(sold), observer, signal))).toMatchObject({ kind: 'void' });
    expect(await session.totals(signal)).toEqual({ amountMinor: 0, currency: 'EUR' });
    expect(await session.endOfDay(() => undefined, signal)).toMatchObject({ kind: 'closed' });
    const { ledger } = terminal.snapshot();
    expect(ledger.map(({ kind, reversed }) => [kind, reversed])).toEqual([
      ['sale', true],
      ['void', false],
    ]);
  },
);

it.skipIf(!pty)(
  `a day with sale, reversal and end of day on a cable, on one line that stays open${pty ? '' : ` (skipped: ${reason})`}`,
  async () => {
    const settings = virtualSettings({ over: 'pty', autopilot: 'approve', autopilotMs: 20 });
    const terminal = await startVirtualTerminal(settings, ecr17Dialect({ hostMs: 5, hangsUp: false }), {
      clock: systemClock,
      log: silentLog,
      memory: memory(),
    });
    running.push(terminal);
    const line = {
      path: terminal.address,
      baudRate: 9600,
      dataBits: 8,
      stopBits: 1,
      parity: 'none',
    } as const;
    const link = await openSerialLink(line)(signal);
    const context = {
      deviceId: 'device',
      currency: 'EUR',
      clock: systemClock,
      log: silentLog,
      transcript: { record: () => undefined },
      dial: noDial,
      openBeside: noDial,
      options: ecr17.options.parse({}),
    } as const;
    const session = await driver.open(link, context, signal);
    sessions.push(session);
    const sold = reportOf(await session.execute(SALE, new Note(), signal));
    expect(sold).toMatchObject({ amountMinor: 1234, terminalId: '12345678' });
    expect(reportOf(await session.execute(voidOf(sold), new Note(), signal))).toMatchObject({ kind: 'void' });
    expect(await session.totals(signal)).toEqual({ amountMinor: 0, currency: 'EUR' });
    expect(await session.endOfDay(() => undefined, signal)).toMatchObject({ kind: 'closed' });
    expect(terminal.snapshot().ledger.map(({ kind, reversed }) => [kind, reversed])).toEqual([
      ['sale', true],
      ['void', false],
    ]);
  },
);
