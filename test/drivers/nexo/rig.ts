import { driver } from '../../../drivers/terminals/nexo/driver.ts';
import { silentLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import type { OpenLink } from '../../../src/terminal/link.ts';
import type {
  MoneyCommand,
  Observer,
  Outcome,
  TerminalSession,
  TransactionReport,
} from '../../../src/terminal/ports.ts';

export const { signal } = new AbortController();
export const POI_ID = '17FD1E3C';

let given = 0;

/** A sale or a refund of its own. */
export function money(
  kind: 'sale' | 'refund',
  minor = 1250,
): Extract<MoneyCommand, { kind: 'sale' | 'refund' }> {
  given += 1;
  const suffix = given.toString(16).padStart(12, '0');
  const ticket = `B${given.toString(36).toUpperCase().padStart(5, '0')}`;
  return { kind, attemptId: `0198c5a0-0000-7000-8000-${suffix}`, ticket, amount: { minor, currency: 'EUR' } };
}

/** The void of an approved payment. */
export function voidOf(outcome: Outcome): MoneyCommand {
  if (outcome.kind !== 'approved') throw new Error(`it is ${outcome.kind}`);
  const { amountMinor = 0, number, terminalClock, reference } = outcome.report;
  const facts = Object.fromEntries(
    Object.entries({ number, terminalClock, reference }).filter(([, value]) => value),
  );
  return { ...money('sale', amountMinor), kind: 'void', original: { amountMinor, ...facts } };
}

/** A core that stores everything, or refuses one call. */
export class RecordingObserver implements Observer {
  readonly noted: string[] = [];
  readonly reports: TransactionReport[] = [];
  readonly shown: string[] = [];
  refuses: string | undefined;

  accepted(): boolean {
    return this.#note('accepted');
  }

  progress(text: string): void {
    this.shown.push(text);
  }

  beforeAcknowledge(report: TransactionReport): boolean {
    this.reports.push(report);
    return this.#note('report');
  }

  beforeEnd(): boolean {
    return this.#note('end');
  }

  #note(call: string): boolean {
    this.noted.push(call);
    return this.refuses !== call;
  }
}

/** A session over real connections. */
export async function openOver(
  way: OpenLink,
  options: Readonly<Record<string, unknown>> = {},
  transcript: string[] = [],
): Promise<TerminalSession> {
  const context = {
    deviceId: '01930000-0000-7000-8000-000000000001',
    currency: 'EUR',
    clock: systemClock,
    log: silentLog,
    transcript: {
      record: (direction: string, summary: string) => void transcript.push(`${direction} ${summary}`),
    },
    dial: way,
    openBeside: way,
    options: { poi_id: POI_ID, ...options },
  } as const;
  return driver.open(await way(signal), context, signal);
}
