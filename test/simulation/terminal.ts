import { z } from 'zod';
import { zvtDialect } from '../../drivers/terminals/zvt/virtual.ts';
import type {
  Fault,
  FaultPoint,
  Key,
  VirtualTerminalSettings,
} from '../../src/sandbox/controllable-terminal.ts';
import type { VirtualDialect } from '../../src/sandbox/terminal/dialect.ts';
import { VirtualTerminal } from '../../src/sandbox/terminal/virtual-terminal.ts';
import type { Socket } from './cable.ts';
import type { Random } from './random.ts';
import { PartClock, type SimClock, Wall } from './sim-clock.ts';
import type { Trace } from './trace.ts';

/** One line of a terminal's own ledger, with what nobody outside may see. */
const Line = z.object({
  sequence: z.int(),
  receiptNumber: z.string(),
  kind: z.string(),
  amountMinor: z.int(),
  result: z.string(),
  reversed: z.boolean(),
  unsettled: z.boolean(),
});
const LedgerText = z.object({ records: z.array(Line) });
export type LedgerLine = z.infer<typeof Line>;

/** What the judge hears of a terminal. */
export interface TerminalWatch {
  /** A money command was taken and its dialogue begins. */
  began(terminal: SimTerminal): void;
  /** The ledger has changed. */
  wrote(terminal: SimTerminal, ledger: readonly LedgerLine[]): void;
  /** The till's positive answer to an approval is here. */
  acknowledged(terminal: SimTerminal): void;
  /** It became busy, idle, mute, dead or alive. */
  stood(terminal: SimTerminal): void;
  fault(text: string): void;
}

/** How its customers are, in hundredths up to which each kind goes. */
const CUSTOMERS: readonly (readonly [upTo: number, readonly Key[]])[] = [
  [70, ['approve']],
  [79, ['decline']],
  [85, ['wrong_pin', 'approve']],
  [88, ['wrong_pin', 'wrong_pin', 'wrong_pin']],
  [94, ['abort']],
  [100, ['walk_away']],
];

/** A virtual ZVT terminal with customers, and with eyes on its ledger. */
export class SimTerminal implements Socket {
  readonly name: string;
  readonly settings: VirtualTerminalSettings;
  /** Who may have started the payment that runs now, or ran last: set by the judge. */
  startedBy: string | null = null;
  readonly #time: SimClock;
  readonly #random: Random;
  readonly #watch: TerminalWatch;
  readonly #terminal: VirtualTerminal;
  #text: string | null = null;
  #muteUntil = 0;
  #payment = 0;

  constructor(
    settings: VirtualTerminalSettings,
    ports: { time: SimClock; random: Random; watch: TerminalWatch; trace: Trace },
  ) {
    this.name = settings.name;
    this.settings = settings;
    this.#time = ports.time;
    this.#random = ports.random;
    this.#watch = ports.watch;
    const clock = new PartClock(ports.time, new Wall(ports.random.pick([0, 0, -4_000, 65_000, 3_600_000])));
    const log = ports.trace.log(settings.name, (fields, message) => {
      if (message === 'fault strikes')
        this.#struck(String(fields['point']), String(fields['fault']), Number(fields['ms']));
    });
    const memory = { load: () => this.#text, save: (text: string) => this.#saved(text) };
    this.#terminal = new VirtualTerminal(settings, this.#dialect(), { clock, log, memory });
    this.#terminal.onPower = () => {
      this.#watch.stood(this);
      this.onPower();
    };
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

  get ledger(): readonly LedgerLine[] {
    return this.#text === null ? [] : LedgerText.parse(JSON.parse(this.#text)).records;
  }

  start(): void {
    this.#terminal.start();
  }

  attach(pipe: Parameters<VirtualTerminal['attach']>[0]): void {
    this.#terminal.attach(pipe);
  }

  inject(fault: Fault): void {
    this.#terminal.inject(fault);
  }

  /** The real firmware, with a listener at every moment of its dialogues. */
  #dialect(): VirtualDialect {
    const random = this.#random;
    const dialect = zvtDialect({
      hostMs: random.int(50, 900),
      cardRemovalMs: random.pick([0, 0, 1500]),
      bootMs: random.pick([0, 0, 4000]),
      storesDeclined: random.chance(0.4),
    });
    return {
      ...dialect,
      powerUp: (device) =>
        dialect.powerUp({
          ...device,
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
      this.#payment += 1;
      this.#watch.began(this);
    }
    if (point === 'customer') this.#bringCustomer(this.#payment);
    if (point === 'result_acknowledged') this.#watch.acknowledged(this);
  }

  #bringCustomer(payment: number): void {
    const at = this.#random.int(0, 99);
    const keys = CUSTOMERS.find(([upTo]) => at < upTo)?.[1] ?? [];
    let after = 0;
    for (const key of keys) {
      after += this.#random.time(150, 12_000);
      this.#time.at(after, () => {
        if (this.#payment === payment && this.busy) this.#terminal.press(key);
      });
    }
  }

  #saved(text: string): void {
    this.#text = text;
    this.#watch.wrote(this, this.ledger);
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
