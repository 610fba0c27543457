import { driver } from '../../../drivers/terminals/ecr17/driver.ts';
import { ecr17 } from '../../../drivers/terminals/ecr17/manifest.ts';
import { ecr17Dialect } from '../../../drivers/terminals/ecr17/virtual.ts';
import type { Ecr17VirtualOptions } from '../../../drivers/terminals/ecr17/virtual-options.ts';
import { AppError } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import { toHex } from '../../../src/driver-kit/hex.ts';
import type { VirtualTerminalSettings } from '../../../src/sandbox/controllable-terminal.ts';
import { VirtualTerminal } from '../../../src/sandbox/terminal/virtual-terminal.ts';
import type {
  DriverContext,
  MoneyCommand,
  Observer,
  Outcome,
  TransactionReport,
} from '../../../src/terminal/ports.ts';
import { type MemoryLink, memoryLinkPair } from '../../support/memory-link.ts';
import { noDial } from '../../support/no-dial.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

/** A core that stores what is reported to it. */
export class Note implements Observer {
  readonly calls: string[] = [];
  readonly texts: string[] = [];
  readonly reports: TransactionReport[] = [];
  refuses: string | undefined;

  accepted(): boolean {
    return this.#say('accepted');
  }

  progress(text: string): void {
    this.texts.push(text);
  }

  beforeAcknowledge(report: TransactionReport): boolean {
    this.reports.push(report);
    return this.#say('beforeAcknowledge');
  }

  beforeEnd(): boolean {
    return this.#say('beforeEnd');
  }

  #say(call: string): boolean {
    this.calls.push(call);
    return this.refuses !== call;
  }
}

export const SALE: MoneyCommand = {
  kind: 'sale',
  attemptId: 'attempt',
  ticket: 'A00001',
  amount: { minor: 1234, currency: 'EUR' },
};

const VIRTUAL: VirtualTerminalSettings = {
  name: 'counter-1',
  protocol: 'ecr17',
  over: 'tcp',
  port: 0,
  currency: 'EUR',
  serial: '17F00001',
  terminalId: '12345678',
  autopilot: 'approve',
  autopilotMs: 1000,
  missingAcknowledgement: 'keep',
  faults: [],
};

export function virtualSettings(changes: Partial<VirtualTerminalSettings> = {}): VirtualTerminalSettings {
  return { ...VIRTUAL, ...changes };
}

export function memory() {
  let text: string | null = null;
  return {
    load: () => text,
    save: (next: string) => {
      text = next;
    },
  };
}

export interface Context {
  readonly clock: VirtualClock;
  readonly transcript: string[];
  readonly dial: () => Promise<MemoryLink>;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** What `open` gets. */
export function contextOf({ clock, transcript, dial, options = {} }: Context): DriverContext {
  return {
    deviceId: 'device',
    currency: 'EUR',
    clock,
    log: silentLog,
    transcript: { record: (direction, summary) => transcript.push(`${direction} ${summary}`) },
    dial,
    openBeside: noDial,
    options: ecr17.options.parse(options),
  };
}

export interface SittingOptions {
  readonly settings?: Partial<VirtualTerminalSettings>;
  readonly dialect?: Partial<Ecr17VirtualOptions>;
  /** The device's options. */
  readonly device?: Readonly<Record<string, unknown>>;
}

/** The real driver and a virtual terminal at one table: pipes in memory, virtual time, customers who approve. */
export async function sitting({ settings, dialect, device }: SittingOptions = {}) {
  const clock = new VirtualClock();
  const transcript: string[] = [];
  const calls: MemoryLink[] = [];
  const terminal = new VirtualTerminal(virtualSettings(settings), ecr17Dialect(dialect), {
    clock,
    log: silentLog,
    memory: memory(),
  });
  terminal.start();
  const dial = async () => {
    if (!terminal.powered) throw new AppError('LINK_REFUSED', 'nobody answers', { retry: 'safe' });
    const { ours, theirs } = memoryLinkPair({ kind: 'tcp' });
    calls.push(ours);
    terminal.attach(theirs);
    return ours;
  };
  const { signal } = new AbortController();
  const context = contextOf({ clock, transcript, dial, ...(device ? { options: device } : {}) });
  const wait = <T>(answer: Promise<T>): Promise<T> => clock.runUntil(answer, 900_000, 100);
  const session = await wait(driver.open(await dial(), context, signal));
  const observer = new Note();
  return {
    clock,
    terminal,
    session,
    observer,
    transcript,
    signal,
    wait,
    /** The connections so far. */
    calls,
    /** Everything that the till wrote, as hex, write by write. */
    written: () => calls.flatMap(({ written }) => written.map(toHex)),
    pay: (command: MoneyCommand = SALE): Promise<Outcome> => wait(session.execute(command, observer, signal)),
    last: () => wait(session.lastTransaction(signal)),
    standing: () =>
      terminal.snapshot().ledger.filter(({ result, reversed }) => result === 'approved' && !reversed),
  };
}

/** What the terminal said of an approved payment. */
export function reportOf(outcome: Outcome): TransactionReport {
  if (outcome.kind !== 'approved')
    throw new Error(`not approved but ${outcome.kind}: ${'message' in outcome ? outcome.message : ''}`);
  return outcome.report;
}

/** The void of what a report tells of. */
export function voidOf(report: TransactionReport, changes: Partial<{ trace: string; minor: number }> = {}) {
  const { trace = report.trace ?? '', minor = report.amountMinor ?? 0 } = changes;
  return {
    kind: 'void',
    attemptId: 'void',
    ticket: 'A00002',
    amount: { minor, currency: 'EUR' },
    original: { amountMinor: minor, number: trace, trace },
  } as const satisfies MoneyCommand;
}
