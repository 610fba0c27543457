import { getEventListeners } from 'node:events';
import { silentLog } from '../../../src/base/log.ts';
import type {
  Key,
  LedgerEntry,
  VirtualTerminalSettings,
} from '../../../src/sandbox/controllable-terminal.ts';
import { VirtualTerminal } from '../../../src/sandbox/terminal/virtual-terminal.ts';
import type { Link } from '../../../src/terminal/link.ts';
import type {
  DriverContext,
  MoneyCommand,
  Outcome,
  TerminalDriver,
  TerminalSession,
} from '../../../src/terminal/ports.ts';
import { Breach } from '../breach.ts';
import type { Habits, Subject } from '../subject.ts';
import { Cable } from './cable.ts';
import type { Happening } from './happenings.ts';
import { type ObserverHabits, StageObserver } from './observer.ts';
import { StageClock, WatchedClock } from './stage-clock.ts';
import type { Pieces } from './steps.ts';

export interface BenchOptions {
  readonly pieces?: Pieces;
  readonly habits?: Habits;
  readonly settings?: Partial<VirtualTerminalSettings>;
  /** Changes to the device's options. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** A link and the conversation over it. */
export interface Seat {
  readonly link: Link;
  readonly session: TerminalSession;
}

/** A money dialogue that was run. */
export interface Paid {
  readonly command: MoneyCommand;
  readonly outcome: Outcome;
  readonly observer: StageObserver;
  /** What happened from its first byte until it resolved. */
  readonly happenings: readonly Happening[];
  /** What the ledger had before. */
  readonly before: readonly LedgerEntry[];
}

const CUSTOMER_MS = 300;
/** How long a power loss lasts, ms. */
export const POWER_GONE_MS = 3000;

/** Serial number and terminal id of the terminal, and of another of the same family. */
const TERMINALS = {
  ours: { serial: '17FD1E3C', terminalId: '52500038' },
  another: { serial: '2A0B77D1', terminalId: '52500099' },
} as const;

/**
 * One virtual terminal, one driver, one clock, and the cable between them.
 * The judge is the terminal's ledger; what the driver says is compared with it.
 */
export class Bench {
  readonly subject: Subject;
  readonly clock = new StageClock();
  readonly driverClock = new WatchedClock(this.clock);
  readonly happenings: Happening[] = [];
  readonly transcript: string[] = [];
  readonly cable: Cable;
  /** Signals on which the driver left a listener behind. */
  readonly leaks: string[] = [];
  readonly #options: BenchOptions;
  readonly #driver: TerminalDriver;
  #terminal: VirtualTerminal;
  /** Calls of the driver that run. */
  #asked = 0;
  #lastSeat: Seat | undefined;

  private constructor(subject: Subject, driver: TerminalDriver, options: BenchOptions) {
    this.subject = subject;
    this.#driver = driver;
    this.#options = options;
    const { clock, happenings } = this;
    const { pieces = 'whole' } = options;
    this.cable = new Cable({ subject, clock, pieces, happenings, isAsked: () => this.#asked > 0 });
    this.#terminal = this.#switchOn('ours');
  }

  static async set(subject: Subject, options: BenchOptions = {}): Promise<Bench> {
    return new Bench(subject, await subject.manifest.load(), options);
  }

  get terminal(): VirtualTerminal {
    return this.#terminal;
  }

  /** The seat that was opened last. */
  get lastSeat(): Seat | undefined {
    return this.#lastSeat;
  }

  get ledger(): readonly LedgerEntry[] {
    return this.#terminal.snapshot().ledger;
  }

  /** Somebody exchanges the terminal for another of its family. */
  exchangeTerminal(): void {
    this.#terminal.stop();
    this.#terminal = this.#switchOn('another');
  }

  /** The power goes now and comes back after `ms`. */
  losePower(ms = POWER_GONE_MS): void {
    const terminal = this.#terminal;
    terminal.stop();
    this.clock.timer('conformance power', ms, () => terminal.start());
  }

  /** Opens a fresh link. @throws LINK_REFUSED */
  plug(): Link {
    return this.cable.open();
  }

  context(): DriverContext {
    const { subject } = this;
    return {
      deviceId: 'device',
      currency: subject.currency,
      clock: this.driverClock,
      log: silentLog,
      transcript: { record: (direction, summary) => this.transcript.push(`${direction} ${summary}`) },
      dial: async () => this.plug(),
      openBeside: async () => this.cable.openBeside(),
      options: subject.manifest.options.parse({ ...subject.options, ...this.#options.options }),
    };
  }

  /** A fresh link and a conversation over it. @throws what `open` of the driver throws. */
  async sit(): Promise<Seat> {
    const link = this.plug();
    const session = await this.call('open', (signal) => this.#driver.open(link, this.context(), signal));
    const isAskedByReference = session.capabilities.recover === 'by_reference';
    if (isAskedByReference !== (session.ownTransaction !== undefined))
      throw new Breach('capability recover: by_reference and the method ownTransaction go together');
    this.#lastSeat = { link, session };
    return this.#lastSeat;
  }

  /** Opens over a link that the scenario holds. */
  openOver(link: Link, controller = new AbortController()): Promise<TerminalSession> {
    return this.call('open', (signal) => this.#driver.open(link, this.context(), signal), controller);
  }

  /** Runs one method of the driver to its end, on the virtual clock, and looks for listeners that it left. */
  async call<T>(
    what: string,
    work: (signal: AbortSignal) => Promise<T>,
    controller = new AbortController(),
  ): Promise<T> {
    this.#asked += 1;
    try {
      return await this.clock.run(what, begun(work, controller.signal));
    } finally {
      this.#asked -= 1;
      const left = getEventListeners(controller.signal, 'abort').length;
      if (left > 0) this.leaks.push(`${what} left ${left} listener(s) on its signal`);
    }
  }

  /** Runs a money command to its end. */
  async pay(
    { session }: Seat,
    command: MoneyCommand,
    { controller, ...habits }: ObserverHabits & { readonly controller?: AbortController } = {},
  ): Promise<Paid> {
    const observer = new StageObserver(this.happenings, habits);
    const from = this.happenings.length;
    const before = this.ledger;
    const outcome = await this.call(
      `execute(${command.kind})`,
      (signal) => session.execute(command, observer, signal),
      controller,
    ).catch((error: unknown) => {
      throw error instanceof Breach ? error : new Breach(`execute(${command.kind}) threw: ${String(error)}`);
    });
    return { command, outcome, observer, happenings: this.happenings.slice(from), before };
  }

  /** What the customer will do at the terminal. */
  press(...keys: readonly Key[]): void {
    for (const key of keys) this.#terminal.press(key);
  }

  #switchOn(which: keyof typeof TERMINALS): VirtualTerminal {
    const { subject } = this;
    const settings: VirtualTerminalSettings = {
      name: which,
      protocol: subject.manifest.id,
      over: subject.wire === 'tcp' ? 'tcp' : 'pty',
      port: 0,
      currency: subject.currency,
      ...TERMINALS[which],
      autopilot: 'approve',
      autopilotMs: CUSTOMER_MS,
      missingAcknowledgement: 'reverse',
      faults: [],
      ...this.#options.settings,
    };
    const terminal = new VirtualTerminal(settings, subject.dialect(this.#options.habits ?? {}), {
      clock: this.clock,
      log: silentLog,
      memory: memory(),
    });
    terminal.subscribe((on) => {
      if (on && subject.wire === 'serial' && terminal === this.#terminal) this.cable.reattach();
    });
    terminal.start();
    this.cable.plugInto(terminal);
    return terminal;
  }
}

/** A driver that throws instead of rejecting is one that rejects, here. */
async function begun<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  return work(signal);
}

function memory() {
  let text: string | null = null;
  return {
    load: () => text,
    save: (next: string) => {
      text = next;
    },
  };
}
