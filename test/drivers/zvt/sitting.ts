import { driver } from '../../../drivers/terminals/zvt/driver.ts';
import { zvtDialect } from '../../../drivers/terminals/zvt/virtual.ts';
import type { ZvtVirtualOptions } from '../../../drivers/terminals/zvt/virtual-options.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { VirtualTerminalSettings } from '../../../src/sandbox/controllable-terminal.ts';
import { VirtualTerminal } from '../../../src/sandbox/terminal/virtual-terminal.ts';
import type { MoneyCommand, Outcome, TransactionReport } from '../../../src/terminal/ports.ts';
import { memoryLinkPair } from '../../support/memory-link.ts';
import { noDial } from '../../support/no-dial.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { memory, virtualSettings } from './raw-till.ts';
import { RecordingObserver } from './scripted-terminal.ts';

const { signal } = new AbortController();
/** How far time is moved at once while an answer is awaited; timers fire in their order all the same. */
const STEP_MS = 500;

export interface SittingOptions {
  readonly kind?: 'serial' | 'tcp';
  readonly settings?: Partial<VirtualTerminalSettings>;
  readonly options?: Partial<ZvtVirtualOptions>;
  /** The device's options beside the password. */
  readonly device?: Readonly<Record<string, unknown>>;
}

/** The real driver and a virtual terminal at one table: a pipe in memory, virtual time, customers who approve. */
export async function sitting({ kind = 'tcp', settings, options, device }: SittingOptions = {}) {
  const clock = new VirtualClock();
  const ownSettings = virtualSettings({ autopilot: 'approve', ...settings });
  const terminal = new VirtualTerminal(ownSettings, zvtDialect(options), {
    clock,
    log: silentLog,
    memory: memory(),
  });
  terminal.start();
  let pair = memoryLinkPair({ kind });
  const connect = () => {
    pair = memoryLinkPair({ kind });
    terminal.attach(pair.theirs);
    const context = {
      deviceId: 'device',
      currency: 'EUR',
      clock,
      log: silentLog,
      transcript: { record: () => undefined },
      dial: noDial,
      openBeside: noDial,
      options: { password: '123456', ...device },
    } as const;
    return clock.runUntil(driver.open(pair.ours, context, signal));
  };
  const observer = new RecordingObserver(() => 0);
  const wait = <T>(answer: Promise<T>): Promise<T> => clock.runUntil(answer, 600_000, STEP_MS);
  let session = await connect();
  return {
    clock,
    terminal,
    settings: ownSettings,
    observer,
    signal,
    connect,
    /** The session of the first connection. */
    session,
    cut: () => pair.cut(),
    readiness: () => wait(session.readiness(signal)),
    pay: (command: MoneyCommand): Promise<Outcome> => wait(session.execute(command, observer, signal)),
    /** Waits until whatever runs is over, connects anew and asks for the last transaction. */
    askAgain: async () => {
      await clock.advance(240_000);
      session = await connect();
      return wait(session.lastTransaction(signal));
    },
    lastTransaction: () => wait(session.lastTransaction(signal)),
    reprint: () => wait(session.reprint?.(signal) ?? Promise.reject(new Error('it cannot'))),
    journal: () => wait(session.journal(signal)),
    endOfDay: () => wait(session.endOfDay(() => undefined, signal)),
    standing: () =>
      terminal.snapshot().ledger.filter((entry) => entry.result === 'approved' && !entry.reversed),
  };
}

export type Sitting = Awaited<ReturnType<typeof sitting>>;

/** The void of what a report tells of. */
export function voidOf(report: TransactionReport | undefined): MoneyCommand {
  const minor = report?.amountMinor ?? 0;
  return {
    kind: 'void',
    attemptId: 'void',
    ticket: 'A00001',
    amount: { minor, currency: 'EUR' },
    original: {
      amountMinor: minor,
      ...(report?.number === undefined ? {} : { number: report.number }),
      ...(report?.trace === undefined ? {} : { trace: report.trace }),
    },
  };
}

/** What the terminal said of an approved payment. */
export function reportOf(outcome: Outcome): TransactionReport {
  if (outcome.kind !== 'approved') throw new Error(`not approved but ${outcome.kind}`);
  return outcome.report;
}
