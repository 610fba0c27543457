import { driver } from '../../../drivers/terminals/zvt/driver.ts';
import { encodeFrame, SerialReader } from '../../../drivers/terminals/zvt/serial-framing.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log.ts';
import { fromHex, toHex } from '../../../src/driver-kit/hex.ts';
import type {
  DriverContext,
  MoneyCommand,
  Observer,
  Outcome,
  TerminalSession,
  TransactionReport,
} from '../../../src/terminal/ports.ts';
import { type MemoryLinkOptions, type MemoryLinkPair, memoryLinkPair } from '../../support/memory-link.ts';
import { noDial } from '../../support/no-dial.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

export function bytes(hex: string): Uint8Array {
  const value = fromHex(hex);
  if (!value) throw new Error(`no hex: ${hex}`);
  return value;
}

/** `expect`: how the till's next packet must begin; `send`: what to answer; `after`: what to do after that. */
export interface Turn {
  readonly expect: string;
  readonly send?: readonly string[];
  readonly after?: () => void;
}

const ACK = 'ACK';
const NAK = 'NAK';

/**
 * A terminal that follows a script, packet by packet, over one end of a memory link.
 * What does not fit the script is kept in `surprises` and not answered; after its last turn it is silent.
 */
export class ScriptedTerminal {
  /** Every APDU of the till (serial: also ACK and NAK), upper-case hex. */
  readonly heard: string[] = [];
  readonly surprises: string[] = [];
  /** Serial only: what to answer to the next frames instead of ACK; `''`: nothing. */
  readonly signs: (typeof ACK | typeof NAK | '')[] = [];
  readonly #pair: MemoryLinkPair;
  readonly #script: Turn[];
  readonly #serial: boolean;
  readonly #reader = new SerialReader();

  constructor(pair: MemoryLinkPair, script: readonly Turn[]) {
    this.#pair = pair;
    this.#script = [...script];
    this.#serial = pair.theirs.kind === 'serial';
    void this.#listen();
  }

  /** Turns that have not been taken. */
  get left(): number {
    return this.#script.length;
  }

  add(...turns: readonly Turn[]): void {
    this.#script.push(...turns);
  }

  async send(hex: string): Promise<void> {
    if (hex.startsWith('raw:')) return this.#pair.theirs.write(bytes(hex.slice(4)));
    await this.#pair.theirs.write(this.#serial ? encodeFrame(bytes(hex)) : bytes(hex));
  }

  /** How often a packet that begins so was heard. */
  count(prefix: string): number {
    return this.heard.filter((packet) => packet.startsWith(prefix)).length;
  }

  async #listen(): Promise<void> {
    for await (const piece of this.#pair.theirs.bytes) {
      if (!this.#serial) await this.#take(toHex(piece));
      else for (const packet of this.#reader.push(piece)) await this.#packet(packet);
    }
  }

  async #packet(packet: ReturnType<SerialReader['push']>[number]): Promise<void> {
    if (packet.kind === 'ack') this.heard.push(ACK);
    if (packet.kind === 'nak') this.heard.push(NAK);
    if (packet.kind !== 'frame') return;
    const sign = this.signs.shift() ?? ACK;
    if (sign !== '') await this.#pair.theirs.write(Uint8Array.of(sign === ACK ? 0x06 : 0x15));
    if (sign === ACK) await this.#take(toHex(packet.apdu));
    else this.heard.push(toHex(packet.apdu));
  }

  async #take(packet: string): Promise<void> {
    this.heard.push(packet);
    const turn = this.#script[0];
    if (!turn?.expect || !packet.startsWith(turn.expect)) {
      this.surprises.push(packet);
      return;
    }
    this.#script.shift();
    for (const answer of turn.send ?? []) await this.send(answer);
    turn.after?.();
  }
}

/** Registration accepted, terminal id 52523535. */
export const REGISTERS: readonly Turn[] = [
  { expect: '0600', send: ['800000', '060F0A19002952523535490978'] },
  { expect: '800000' },
];

type ObserverCall = 'accepted' | 'beforeAcknowledge' | 'beforeEnd';

/** What was reported to an observer, in order, with what had been sent to the terminal by then. */
export class RecordingObserver implements Observer {
  readonly calls: string[] = [];
  readonly reports: TransactionReport[] = [];
  readonly outcomes: Outcome[] = [];
  readonly progressTexts: string[] = [];
  /** The call that answers `false`. */
  refuses: ObserverCall | undefined;
  /** What happens inside a call, as a slow disk does. */
  inside: (call: ObserverCall | 'progress') => void = () => undefined;
  readonly #written: () => number;

  constructor(written: () => number) {
    this.#written = written;
  }

  accepted(): boolean {
    return this.#note('accepted');
  }

  progress(text: string): void {
    this.inside('progress');
    this.progressTexts.push(text);
  }

  beforeAcknowledge(report: TransactionReport): boolean {
    this.reports.push(report);
    return this.#note('beforeAcknowledge');
  }

  beforeEnd(outcome: Outcome): boolean {
    this.outcomes.push(outcome);
    return this.#note('beforeEnd');
  }

  #note(call: ObserverCall): boolean {
    this.inside(call);
    this.calls.push(`${call}@${this.#written()}`);
    return this.refuses !== call;
  }
}

export const SALE: MoneyCommand = {
  kind: 'sale',
  attemptId: 'attempt',
  ticket: 'A00001',
  amount: { minor: 1234, currency: 'EUR' },
};

export const REFUND: MoneyCommand = { ...SALE, kind: 'refund' };

export const VOID: MoneyCommand = {
  kind: 'void',
  attemptId: 'attempt',
  ticket: 'A00001',
  amount: { minor: 1234, currency: 'EUR' },
  original: { number: '0042', trace: '000974', amountMinor: 1234 },
};

export interface Counter {
  readonly clock: VirtualClock;
  readonly pair: MemoryLinkPair;
  readonly terminal: ScriptedTerminal;
  readonly session: TerminalSession;
  readonly observer: RecordingObserver;
  readonly transcript: string[];
  readonly signal: AbortSignal;
  /** Runs the sale to its end on the virtual clock. */
  sell(signal?: AbortSignal): Promise<Outcome>;
  /** Runs any money command to its end on the virtual clock. */
  pay(command: MoneyCommand, signal?: AbortSignal): Promise<Outcome>;
  /** Lets time pass for the driver at once, as when the process hangs in a write to disk. */
  stall(ms: number): void;
}

export interface CounterOptions extends MemoryLinkOptions {
  readonly options?: unknown;
  readonly opening?: readonly Turn[];
}

/** Links, clock and context of one conversation that has not been opened. */
export function prepare(script: readonly Turn[], { options, ...link }: CounterOptions = {}) {
  const clock = new VirtualClock();
  const pair = memoryLinkPair(link);
  const terminal = new ScriptedTerminal(pair, script);
  const transcript: string[] = [];
  let stalledMs = 0;
  const driversClock: Clock = {
    now: () => clock.now() + stalledMs,
    monotonic: () => clock.monotonic() + stalledMs,
    timer: (name, ms, fn) => clock.timer(name, ms, fn),
  };
  const stall = (ms: number) => {
    stalledMs += ms;
  };
  const context: DriverContext = {
    deviceId: 'device',
    currency: 'EUR',
    clock: driversClock,
    log: silentLog,
    transcript: { record: (direction, summary) => transcript.push(`${direction} ${summary}`) },
    dial: noDial,
    openBeside: noDial,
    options,
  };
  return { clock, pair, terminal, transcript, context, stall };
}

/** Opens a session with a terminal that registers and then follows `script`. */
export async function openCounter(
  script: readonly Turn[],
  counterOptions: CounterOptions = {},
): Promise<Counter> {
  const prepared = prepare([...(counterOptions.opening ?? REGISTERS)], counterOptions);
  const { clock, pair, terminal, transcript, context, stall } = prepared;
  const { signal } = new AbortController();
  const session = await clock.runUntil(driver.open(pair.ours, context, signal));
  await clock.settle();
  terminal.add(...script);
  terminal.heard.length = 0;
  const before = pair.ours.written.length;
  const observer = new RecordingObserver(() => pair.ours.written.length - before);
  const pay = (command: MoneyCommand, stop = signal) =>
    clock.runUntil(session.execute(command, observer, stop));
  const sell = (stop = signal) => pay(SALE, stop);
  return { clock, pair, terminal, session, observer, transcript, signal, sell, pay, stall };
}

/** A `04 0F` with this result, amount 12.34, receipt 231, trace 975. */
export function result(code: string, more = ''): string {
  const data = `27${code}040000000012344909788702310B000975${more}`;
  return `040F${(data.length / 2).toString(16).padStart(2, '0')}${data}`.toUpperCase();
}

/**
 * The turns of a dialogue up to its end: command (0601, 0631, 0630, 0650), progress, the results, print commands, the end.
 */
export function saleTurns(
  results: readonly string[],
  end: string,
  prints: readonly string[] = [],
  command = '0601',
): Turn[] {
  const packets = ['04FF010A', ...results, ...prints, end];
  return [
    { expect: command, send: ['800000', packets[0] ?? ''] },
    ...packets.slice(1).map((packet) => ({ expect: '800000', send: [packet] })),
    { expect: '800000' },
  ];
}
