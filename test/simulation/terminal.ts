import { hasCode } from '../../src/base/errors.ts';
import type {
  Added,
  Fault,
  FaultPoint,
  LedgerEntry,
  NextClose,
  SpoiltEnd,
  TypedTransaction,
  VirtualTerminalSettings,
} from '../../src/sandbox/controllable-terminal.ts';
import type { VirtualDialect } from '../../src/sandbox/terminal/dialect.ts';
import { VirtualTerminal } from '../../src/sandbox/terminal/virtual-terminal.ts';
import type { Socket } from './cable.ts';
import { Customers } from './customers.ts';
import type { Made, SimFamily, Traits } from './families/family.ts';
import type { Random } from './random.ts';
import { PartClock, type SimClock, Wall } from './sim-clock.ts';
import type { Trace } from './trace.ts';

/** One line of a terminal's own ledger, with what nobody outside may see. */
export type LedgerLine = LedgerEntry & { readonly unsettled: boolean };

/** What the judge hears of a terminal. */
export interface TerminalWatch {
  /** A command that moves money, or closes the batch, was taken and its dialogue begins. */
  began(terminal: SimTerminal): void;
  /** These lines of the ledger are new or have changed. */
  wrote(terminal: SimTerminal, changed: readonly LedgerLine[]): void;
  /** The till's positive answer to a result is here. */
  acknowledged(terminal: SimTerminal): void;
  /** It became busy, idle, mute, dead or alive. */
  stood(terminal: SimTerminal): void;
  /** A card is in it: from now on it may approve at any moment. */
  cardShown(terminal: SimTerminal): void;
  fault(text: string): void;
}

/** A virtual terminal of some vendor, with customers, staff at its keys, and eyes on its ledger. */
export class SimTerminal implements Socket {
  readonly name: string;
  readonly settings: VirtualTerminalSettings;
  readonly family: SimFamily;
  readonly made: Made;
  /** Who may have started the payment that runs now, or ran last: set by the judge. */
  startedBy: string | null = null;
  /** Amounts that it was told to approve whatever is asked for. */
  readonly ordered = new Set<number>();
  /** When its day was closed without the till, in ms of the history. */
  readonly closedByHandAt: number[] = [];
  readonly #time: SimClock;
  readonly #customers: Customers;
  readonly #watch: TerminalWatch;
  readonly #terminal: VirtualTerminal;
  #text: string | null = null;
  #lines: readonly LedgerLine[] = [];
  #openBatch = 1;
  /** It took money before our first day. */
  #hasPast = false;
  #muteUntil = 0;

  constructor(
    settings: VirtualTerminalSettings,
    ports: { family: SimFamily; time: SimClock; random: Random; watch: TerminalWatch; trace: Trace },
  ) {
    const { family, time, random, watch, trace } = ports;
    this.name = settings.name;
    this.settings = settings;
    this.#time = time;
    this.#watch = watch;
    this.family = family;
    this.made = family.make(random);
    const clock = new PartClock(time, new Wall(random.pick([0, 0, -4_000, 65_000, 3_600_000])));
    this.#customers = new Customers(clock, random, () => watch.cardShown(this));
    const log = trace.log(settings.name, (fields, message) => {
      if (message === 'fault strikes')
        this.#struck(String(fields['point']), String(fields['fault']), Number(fields['ms']));
    });
    const memory = { load: () => this.#text, save: (text: string) => this.#saved(text) };
    this.#terminal = new VirtualTerminal(settings, this.#dialect(), { clock, log, memory });
    this.#terminal.subscribe(() => {
      this.#watch.stood(this);
      this.onPower();
    });
    if (!random.chance(0.2)) return;
    this.#terminal.presetNumbers(random.int(9985, 9999), random.int(999_980, 999_999));
    this.#hasPast = true;
  }

  /** Called when the power goes or comes back. */
  onPower: () => void = () => undefined;

  get powered(): boolean {
    return this.#terminal.powered;
  }

  get busy(): boolean {
    return this.#terminal.snapshot().busy;
  }

  /** On, not mute, and no payment runs on it. */
  get isWell(): boolean {
    return this.powered && !this.busy && this.#time.elapsed >= this.#muteUntil;
  }

  /** Its last transaction can be read: what is in doubt on it can be found out by a machine. */
  get reportsPast(): boolean {
    return this.traits.reportsPast;
  }

  get traits(): Traits {
    return this.made.traits;
  }

  /** The number of the batch that it is in; lines of an earlier one were closed. */
  get openBatch(): number {
    return this.#openBatch;
  }

  get ledger(): readonly LedgerLine[] {
    return this.#lines;
  }

  /** A terminal whose numbers are about to wrap has taken money before. */
  start(): void {
    this.#terminal.start();
    if (!this.#hasPast) return;
    this.#hasPast = false;
    this.#terminal.typeByHand({ kind: 'sale', amountMinor: 100 });
  }

  attach(pipe: Parameters<VirtualTerminal['attach']>[0]): void {
    this.#terminal.attach(pipe);
  }

  inject(fault: Fault): void {
    this.#terminal.inject(fault);
  }

  /** Staff type a transaction at the terminal itself; null when it does not let them. */
  typeByHand(typed: TypedTransaction): LedgerEntry | null {
    return this.#ifPossible(() => this.#terminal.typeByHand(typed));
  }

  /** Staff, or the terminal's own timer, close its day; false when it does not let them. */
  closeByHand(): boolean {
    const isClosed = this.#ifPossible(() => this.#terminal.closeByHand() ?? true) ?? false;
    if (isClosed) this.closedByHandAt.push(this.#time.elapsed);
    return isClosed;
  }

  /** The next sale is approved for this amount, whatever is asked for. */
  nextAmount(amountMinor: number, added: Added): void {
    this.ordered.add(amountMinor);
    this.#terminal.nextAmount(amountMinor, added);
  }

  spoilNextEnd(how: SpoiltEnd): void {
    this.#terminal.spoilNextEnd(how);
  }

  nextClose(how: NextClose): void {
    this.#terminal.nextClose(how);
  }

  #ifPossible<T>(what: () => T): T | null {
    try {
      return what();
    } catch (error) {
      if (hasCode(error, 'SANDBOX_TERMINAL_BUSY') || hasCode(error, 'SANDBOX_NOT_POSSIBLE')) return null;
      throw error;
    }
  }

  /** The real firmware, with a listener at every moment of its dialogues, and customers instead of keys. */
  #dialect(): VirtualDialect {
    const { dialect } = this.made;
    return {
      ...dialect,
      powerUp: (device) =>
        dialect.powerUp({
          ...device,
          keypad: this.#customers,
          show: (text) => {
            device.show(text);
            this.#watch.stood(this);
          },
          reach: async (point, wire) => {
            this.#reached(point);
            await device.reach(point, wire);
          },
        }),
    };
  }

  #reached(point: FaultPoint): void {
    if (point === 'command') {
      this.#customers.newDialogue();
      this.#watch.began(this);
    }
    if (point === 'result_acknowledged') this.#watch.acknowledged(this);
  }

  #saved(text: string): void {
    this.#text = text;
    const { records, batch }: { readonly records: readonly LedgerLine[]; readonly batch: number } =
      JSON.parse(text);
    this.#openBatch = batch;
    const before = this.#lines;
    this.#lines = records;
    const changed = records.filter((line, index) => isChanged(line, before[index]));
    if (changed.length > 0) this.#watch.wrote(this, changed);
  }

  #struck(point: string, fault: string, ms: number): void {
    if (fault === 'silence') {
      this.#muteUntil = this.#time.elapsed + ms;
      this.#time.at(ms, () => this.#watch.stood(this));
    }
    this.#watch.fault(`${this.name}: ${fault} at ${point} for ${ms} ms`);
    this.#watch.stood(this);
  }
}

/** What can change of a line once it is written. */
function isChanged(line: LedgerLine, before: LedgerLine | undefined): boolean {
  return (
    before === undefined ||
    before.result !== line.result ||
    before.reversed !== line.reversed ||
    before.unsettled !== line.unsettled
  );
}
