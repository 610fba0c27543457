import { AppError } from '../../src/base/errors.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Fault, Key, LedgerEntry } from '../../src/sandbox/controllable-terminal.ts';
import { VirtualTerminal } from '../../src/sandbox/terminal/virtual-terminal.ts';
import type { Device } from '../../src/terminal/device.ts';
import type { Link } from '../../src/terminal/link.ts';
import type { Made, SimFamily } from '../simulation/families/family.ts';
import type { Random } from '../simulation/random.ts';
import { PartClock, type SimClock, Wall } from '../simulation/sim-clock.ts';
import { type MemoryLinkPair, memoryLinkPair } from '../support/memory-link.ts';

/** A place at the counter: the terminal that stands there now, and those that stood there before; their ledgers stay. */
export class Place {
  readonly device: Device;
  readonly family: SimFamily;
  readonly options: Readonly<Record<string, unknown>>;
  terminal: VirtualTerminal;
  readonly #made: Made;
  readonly #time: SimClock;
  readonly #random: Random;
  readonly #kind: 'tcp' | 'serial';
  readonly #autopilotMs: number;
  readonly #stood: VirtualTerminal[] = [];
  readonly #pipes = new Set<MemoryLinkPair>();
  #isPlugged = true;

  constructor(index: number, family: SimFamily, time: SimClock, random: Random) {
    this.family = family;
    this.#time = time;
    this.#random = random;
    this.#made = family.make(random);
    this.#kind = random.pick(family.wires);
    this.#autopilotMs = random.chance(0.3) ? 29_000 : random.int(800, 8000);
    this.options = this.#made.optionsOf(random);
    this.device = {
      id: `0199c0de-0000-7000-8000-0000000000d${index}`,
      name: `Counter ${index}`,
      driver: family.manifest.id,
      currency: family.currency,
      minAmountMinor: family.manifest.minAmountMinor ?? 1,
      maxAmountMinor: 999_999,
      onNetwork: true,
    };
    this.terminal = this.#install();
  }

  /** Another terminal of the same kind takes its place; the old one is carried away as it is. */
  exchange(): void {
    this.cut();
    this.terminal.stop();
    this.terminal = this.#install();
  }

  /** A till whose numbers are about to begin anew. */
  presetNumbers(): void {
    this.terminal.presetNumbers(this.#random.int(9990, 9999), this.#random.int(999_990, 999_999));
  }

  /** What the next customers do, after their time. */
  serve(key: Key): void {
    this.terminal.setAutopilot(key);
  }

  /** Customers here take as long as the terminal lets them. */
  get isSlow(): boolean {
    return this.#autopilotMs > 20_000;
  }

  inject(fault: Fault): void {
    this.terminal.inject(fault);
  }

  /** The cable is pulled for so long. */
  unplug(ms: number): void {
    this.#isPlugged = false;
    this.cut();
    this.#time.at(ms, () => {
      this.#isPlugged = true;
    });
  }

  /** Whoever was connected is not any more. */
  cut(): void {
    for (const { cut } of this.#pipes) cut();
    this.#pipes.clear();
  }

  /** Its till is dead: the terminal sees the line end, and the dead see nothing. */
  abandoned(): void {
    for (const { theirs } of this.#pipes)
      theirs.end({ reason: 'closed_by_peer', detail: 'the till is gone' });
    this.#pipes.clear();
  }

  async open(): Promise<Link> {
    if (!this.terminal.powered || !this.#isPlugged)
      throw new AppError('LINK_REFUSED', 'nobody answers', { retry: 'safe' });
    const pipe = memoryLinkPair({ kind: this.#kind });
    this.#pipes.add(pipe);
    this.terminal.attach(pipe.theirs);
    return pipe.ours;
  }

  /** What all terminals that ever stood here have taken at a till's command. */
  get ledger(): readonly LedgerEntry[] {
    return this.#stood.flatMap((terminal) => terminal.snapshot().ledger).filter(({ byHand }) => !byHand);
  }

  #install(): VirtualTerminal {
    const serial = `17F000${this.device.id.slice(-1)}${this.#stood.length}`;
    const settings = {
      name: this.device.name,
      protocol: this.family.manifest.id,
      over: 'tcp',
      port: 0,
      currency: this.family.currency,
      serial,
      terminalId: `525000${this.device.id.slice(-1)}${this.#stood.length}`,
      autopilot: 'approve',
      autopilotMs: this.#autopilotMs,
      missingAcknowledgement: this.#random.pick(['reverse', 'decline', 'keep'] as const),
      faults: [],
    } as const;
    let text: string | null = null;
    const memory = {
      load: () => text,
      save: (next: string) => {
        text = next;
      },
    };
    const clock = new PartClock(this.#time, new Wall(this.#random.pick([0, 0, -4000, 65_000])));
    const terminal = new VirtualTerminal(settings, this.#made.dialect, { clock, log: silentLog, memory });
    terminal.start();
    this.#stood.push(terminal);
    return terminal;
  }
}
