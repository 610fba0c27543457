import { describe, expect, it } from 'vitest';
import { driver } from '../../../drivers/terminals/zvt/driver.ts';
import { zvtDialect } from '../../../drivers/terminals/zvt/virtual.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { Fault, Key } from '../../../src/sandbox/controllable-terminal.ts';
import { VirtualTerminal } from '../../../src/sandbox/terminal/virtual-terminal.ts';
import { memoryLinkPair } from '../../support/memory-link.ts';
import { noDial } from '../../support/no-dial.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { memory, virtualSettings } from './raw-till.ts';
import { RecordingObserver, SALE } from './scripted-terminal.ts';

const { signal } = new AbortController();

async function sitting(kind: 'tcp' | 'serial', autopilot: Key | 'off', faults: readonly Fault[] = []) {
  const clock = new VirtualClock();
  const settings = virtualSettings({ autopilot, faults });
  const terminal = new VirtualTerminal(settings, zvtDialect(), { clock, log: silentLog, memory: memory() });
  terminal.start();
  const connect = () => {
    const pair = memoryLinkPair({ kind });
    terminal.attach(pair.theirs);
    const context = {
      deviceId: 'device',
      currency: 'EUR',
      clock,
      log: silentLog,
      transcript: { record: () => undefined },
      dial: noDial,
      openBeside: noDial,
      options: { password: '123456' },
    } as const;
    return clock.runUntil(driver.open(pair.ours, context, signal));
  };
  const observer = new RecordingObserver(() => 0);
  return { clock, terminal, settings, connect, observer, session: await connect() };
}

describe.each(['tcp', 'serial'] as const)('the driver and the virtual terminal over %s', (kind) => {
  it.each([
    ['approve', 'approved'],
    ['decline', 'declined'],
    ['abort', 'aborted'],
  ] as const)('agree on a sale when the customer chooses to %s', async (key, expected) => {
    const { clock, terminal, session, observer } = await sitting(kind, key);
    expect(await clock.runUntil(session.readiness(signal))).toEqual({
      kind: 'ready',
      terminalClock: expect.stringMatching(/^\d{10}$/),
    });
    const selling = session.execute(SALE, observer, signal);
    const outcome = await clock.runUntil(selling);
    expect(outcome.kind).toBe(expected);
    const charged = terminal
      .snapshot()
      .ledger.filter((entry) => entry.result === 'approved' && !entry.reversed);
    expect(charged.map((entry) => entry.amountMinor)).toEqual(expected === 'approved' ? [1234] : []);
  });

  it('agree that a wrong PIN and then the right one is one charge', async () => {
    const { clock, terminal, session, observer } = await sitting(kind, 'off');
    const selling = session.execute(SALE, observer, signal);
    for (const key of ['wrong_pin', 'approve'] as const) {
      await clock.advance(3000);
      terminal.press(key);
    }
    expect((await clock.runUntil(selling)).kind).toBe('approved');
    expect(observer.reports.map((report) => report.verdict)).toEqual(['refused', 'approved']);
    expect(terminal.snapshot().ledger.filter((entry) => entry.result === 'approved')).toHaveLength(1);
  });

  it('agree on who the terminal is and on its last transaction', async () => {
    const { clock, session, settings, observer } = await sitting(kind, 'approve');
    expect(await clock.runUntil(session.identify(signal))).toMatchObject({
      grade: 'serial',
      serial: settings.serial.toUpperCase(),
      terminalId: settings.terminalId,
    });
    expect(await clock.runUntil(session.lastTransaction(signal))).toEqual({ kind: 'empty' });
    const outcome = await clock.runUntil(session.execute(SALE, observer, signal));
    const last = await clock.runUntil(session.lastTransaction(signal));
    expect(outcome).toMatchObject({
      kind: 'approved',
      receipts: { merchant: expect.any(String), customer: expect.any(String) },
    });
    expect(last).toMatchObject({ kind: 'found', report: { verdict: 'approved', amountMinor: 1234 } });
    if (outcome.kind === 'approved' && last.kind === 'found')
      expect(last.report.number).toBe(outcome.report.number);
  });

  it.each(['command', 'customer', 'result', 'result_acknowledged', 'print', 'completion'] as const)(
    'a cut at the %s never becomes a decline, and a new session can tell what happened',
    async (when) => {
      const { clock, session, connect, observer } = await sitting(kind, 'approve', [{ when, do: 'cut' }]);
      expect(await clock.runUntil(session.execute(SALE, observer, signal))).toMatchObject({
        kind: 'unknown',
      });
      await clock.advance(240_000);
      const again = await connect();
      expect(await clock.runUntil(again.readiness(signal))).toEqual({
        kind: 'ready',
        terminalClock: expect.stringMatching(/^\d{10}$/),
      });
      expect((await clock.runUntil(again.lastTransaction(signal))).kind).toMatch(/found|empty/);
    },
  );
});
