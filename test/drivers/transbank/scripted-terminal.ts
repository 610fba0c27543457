import { driver } from '../../../drivers/terminals/transbank/driver.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { Currency } from '../../../src/base/money.ts';
import { toHex } from '../../../src/driver-kit/hex.ts';
import type { MoneyCommand, Observer, Outcome, TransactionReport } from '../../../src/terminal/ports.ts';
import { memoryLinkPair } from '../../support/memory-link.ts';
import { noDial } from '../../support/no-dial.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const ACK = Uint8Array.of(0x06);
const NAK = Uint8Array.of(0x15);
export const { signal } = new AbortController();

export const SALE: MoneyCommand = {
  kind: 'sale',
  attemptId: '0198c5a0-0000-7000-8000-000000000001',
  ticket: 'A1B2C3',
  amount: { minor: 13_990, currency: 'CLP' },
};

/** The answer to {@link SALE}, as the maker's libraries have recorded such ones; `changes` by the index of a field. */
export function sold(changes: Readonly<Record<number, string>> = {}): string {
  const text =
    '0210|00|597029414300|75001637|A1B2C3|252985|13990|0||0461|000123|CR|||VI|26072023|113748|0|0||';
  return changed(text, changes);
}

/** A line of the list with the same sale in it. */
export function listed(changes: Readonly<Record<number, string>> = {}): string {
  const text =
    '0261|00|597029414300|75001637|A1B2C3|252985|13990|0461|000123|CR|||VI|26072023|113748|0|0||0|';
  return changed(text, changes);
}

/** The empty line that ends the list, as recorded. */
export const END = '0261|00|597029414300|75001637| | | | |000124||||  || | | | | |||';

function changed(text: string, changes: Readonly<Record<number, string>>): string {
  return text
    .split('|')
    .map((field, index) => changes[index] ?? field)
    .join('|');
}

/** `02 | text | 03 | LRC`, by hand. */
export function framed(text: string): Uint8Array {
  const body = [...new TextEncoder().encode(text), 0x03];
  return Uint8Array.of(
    0x02,
    ...body,
    body.reduce((check, byte) => check ^ byte, 0),
  );
}

export class RecordingObserver implements Observer {
  readonly reports: TransactionReport[] = [];
  readonly ends: Outcome[] = [];
  readonly texts: string[] = [];
  stores = true;
  acceptedTimes = 0;

  accepted(): boolean {
    this.acceptedTimes += 1;
    return true;
  }

  progress(text: string): void {
    this.texts.push(text);
  }

  beforeAcknowledge(report: TransactionReport, end?: Outcome): boolean {
    this.reports.push(report);
    return this.stores && (end === undefined || this.beforeEnd(end));
  }

  beforeEnd(outcome: Outcome): boolean {
    this.ends.push(outcome);
    return true;
  }
}

/** The real driver, and a terminal that the test plays by hand. */
export function atTheTable(options: Readonly<Record<string, unknown>> = {}, currency: Currency = 'CLP') {
  const clock = new VirtualClock();
  const pair = memoryLinkPair({ kind: 'serial' });
  const transcript: string[] = [];
  const context = {
    deviceId: 'device',
    currency,
    clock,
    log: silentLog,
    transcript: { record: (_: string, summary: string) => void transcript.push(summary) },
    dial: noDial,
    openBeside: noDial,
    options,
  } as const;
  const raw = async (...bytes: readonly Uint8Array[]) => {
    await pair.theirs.write(Uint8Array.from(bytes.flatMap((piece) => [...piece])));
    await clock.settle();
  };
  const opening = () => driver.open(pair.ours, context, signal);
  return {
    clock,
    pair,
    transcript,
    raw,
    opening,
    observer: new RecordingObserver(),
    ack: () => raw(ACK),
    nak: () => raw(NAK),
    /** Says frames, each once the one before was answered. */
    says: async (...texts: readonly string[]) => {
      for (const text of texts) await raw(framed(text));
    },
    /** Everything that the driver has written: texts, `ACK`, `NAK`. */
    written: () => pair.ours.written.map(wordOf),
    /** Opens a session: the poll is acknowledged. */
    opened: async () => {
      const session = opening();
      await clock.advance(301);
      await raw(ACK);
      const opened = await session;
      pair.ours.written.length = 0;
      return opened;
    },
    /** Sends a list and takes the poll behind it; an empty list is asked for once more, when the line is quiet. */
    lists: async (...texts: readonly string[]) => {
      for (let reading = 0; reading < (texts.length > 1 ? 1 : 2); reading += 1) {
        await clock.advance(reading === 0 ? 1 : 501);
        await raw(ACK);
        for (const text of texts) await raw(framed(text));
        await clock.advance(1);
        await raw(ACK);
      }
    },
    /** Lets what the driver waits for by itself pass: leftovers, and the silent gap before money. */
    gap: () => clock.advance(200),
  };
}

function wordOf(bytes: Uint8Array): string {
  if (bytes.length === 1) return bytes[0] === 0x06 ? 'ACK' : bytes[0] === 0x15 ? 'NAK' : toHex(bytes);
  return new TextDecoder().decode(bytes.subarray(1, -2));
}
