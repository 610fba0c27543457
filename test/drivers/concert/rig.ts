import { driver } from '../../../drivers/terminals/concert/driver.ts';
import { AppError } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { VirtualTerminalSettings } from '../../../src/sandbox/controllable-terminal.ts';
import type {
  DriverContext,
  MoneyCommand,
  Observer,
  Outcome,
  TransactionReport,
} from '../../../src/terminal/ports.ts';
import { memoryLinkPair } from '../../support/memory-link.ts';
import { noDial } from '../../support/no-dial.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

export const { signal } = new AbortController();
/** Our name of the payments in these tests, as it goes over the wire: the ticket in E+, the id without hyphens in V3. */
export const TICKET = 'A1B2C3';
export const ATTEMPT = '0198c5a0-0000-7000-8000-00000000abcd';
export const NAME = '0198c5a0000070008000' + '00000000abcd';
/** Those of another payment. */
export const OTHER_TICKET = 'A1B2C2';
export const OTHER_NAME = '0198c5a0000070008000' + '00000000abcc';

export function money(kind: 'sale' | 'refund', minor = 1250): MoneyCommand {
  return { kind, attemptId: ATTEMPT, ticket: TICKET, amount: { minor, currency: 'EUR' } };
}

export const SALE = money('sale');

export function voidOf(minor: number): MoneyCommand {
  return {
    kind: 'void',
    attemptId: ATTEMPT,
    ticket: TICKET,
    amount: { minor, currency: 'EUR' },
    original: { amountMinor: minor },
  };
}

/** A core that takes everything, or refuses one call; it notes what was reported to it, in one list with what was written. */
export class RecordingObserver implements Observer {
  readonly noted: string[];
  readonly reports: TransactionReport[] = [];
  readonly ends: Outcome[] = [];
  refuses: string | undefined;

  constructor(noted: string[] = []) {
    this.noted = noted;
  }

  accepted(): boolean {
    return this.#note('accepted');
  }

  progress(): void {}

  beforeAcknowledge(report: TransactionReport, end?: Outcome): boolean {
    this.reports.push(report);
    const mayGo = this.#note('report');
    return mayGo && end !== undefined ? this.beforeEnd(end) : mayGo;
  }

  beforeEnd(outcome: Outcome): boolean {
    this.ends.push(outcome);
    return this.#note('end');
  }

  #note(call: string): boolean {
    this.noted.push(call);
    return this.refuses !== call;
  }
}

export interface Scene {
  readonly options?: Readonly<Record<string, unknown>>;
  /** What the terminal says to each piece that the till writes; text in `<..>` is bytes in hex. */
  readonly answers: (written: string, line: Peer) => void;
}

/** The terminal's side of a wire, by hand. */
export interface Peer {
  say(text: string): void;
  hangUp(): void;
}

/** Bytes as these tests write them: control bytes as `<06>`, the rest as characters. */
export function shown(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) =>
    byte < 0x20 || byte > 0x7e ? `<${byte.toString(16).padStart(2, '0')}>` : String.fromCharCode(byte),
  ).join('');
}

export function raw(text: string): Uint8Array {
  const pieces = text.split(/(<[0-9a-f]{2}>)/);
  return Uint8Array.from(
    pieces.flatMap((piece) => {
      const hex = /^<([0-9a-f]{2})>$/.exec(piece)?.[1];
      return hex === undefined ? [...piece].map((sign) => sign.charCodeAt(0)) : [Number.parseInt(hex, 16)];
    }),
  );
}

/** `02 text 03 LRC`, written once more. */
export function framed(text: string): string {
  const body = [...raw(text), 3];
  return shown(Uint8Array.from([2, ...body, body.reduce((check, byte) => check ^ byte, 0)]));
}

/**
 * The driver, and a terminal that answers as the scene says. On a cable there is one line; over the network a connection for each
 * exchange, and `refuses` lets nobody in.
 */
export function stage(wire: 'serial' | 'tcp', { options = {}, answers }: Scene) {
  const clock = new VirtualClock();
  const noted: string[] = [];
  const transcript: string[] = [];
  const state = { refuses: false, dialled: 0, abandoned: 0 };
  const connect = () => {
    const pair = memoryLinkPair({ kind: wire });
    const line: Peer = {
      say: (text) => void pair.theirs.write(raw(text)).catch(() => undefined),
      hangUp: () => void pair.theirs.close(),
    };
    pair.ours.beforeWrite = (bytes) => {
      noted.push(shown(bytes));
      const written = shown(bytes);
      void clock.settle(1).then(() => answers(written, line));
    };
    const abandon = pair.ours.abandon.bind(pair.ours);
    pair.ours.abandon = () => {
      state.abandoned += 1;
      return abandon();
    };
    return { link: pair.ours, line };
  };
  const first = connect();
  const context: DriverContext = {
    deviceId: 'device',
    currency: 'EUR',
    clock,
    log: silentLog,
    transcript: { record: (direction, summary) => transcript.push(`${direction} ${summary}`) },
    dial: async () => {
      if (state.refuses) throw new AppError('LINK_REFUSED', 'nobody answers', { retry: 'safe' });
      state.dialled += 1;
      return connect().link;
    },
    openBeside: noDial,
    options,
  };
  const books = new RecordingObserver(noted);
  return {
    clock,
    noted,
    transcript,
    state,
    books,
    line: first.line,
    open: () => clock.runUntil(driver.open(first.link, context, signal)),
    /** Opens, forgets what that took, and runs one payment. */
    pay: async (command: MoneyCommand = SALE): Promise<Outcome> => {
      const session = await clock.runUntil(driver.open(first.link, context, signal));
      noted.length = 0;
      return clock.runUntil(session.execute(command, books, signal), 600_000, 500);
    },
  };
}

export function virtualSettings(changes: Partial<VirtualTerminalSettings> = {}): VirtualTerminalSettings {
  return {
    name: 'Counter 1',
    protocol: 'concert',
    over: 'tcp',
    port: 0,
    currency: 'EUR',
    serial: '17FD1E3C',
    terminalId: '52500038',
    autopilot: 'approve',
    autopilotMs: 20,
    missingAcknowledgement: 'reverse',
    faults: [],
    ...changes,
  };
}

/** Memory that survives what its terminal does not. */
export function memory() {
  let text: string | null = null;
  return {
    load: () => text,
    save: (next: string) => {
      text = next;
    },
  };
}
