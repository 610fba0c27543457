import { join } from 'node:path';
import { hasCode } from '../../src/base/errors.ts';
import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import type { Device } from '../../src/terminal/device.ts';
import { Agent, type AgentDeps, type Counter } from './agent.ts';
import { RunLedger } from './books.ts';
import { Cable, type CableShape } from './cable.ts';
import { Disk, type Loss } from './disk.ts';
import { Doubts } from './doubts.ts';
import type { SimFamily } from './families/family.ts';
import { FAMILIES, type Families } from './families/list.ts';
import { zvtFamily } from './families/zvt.ts';
import { Random, seededIds } from './random.ts';
import { SimService } from './service.ts';
import { PartClock, SimClock, Wall } from './sim-clock.ts';
import { SimTerminal, type TerminalWatch } from './terminal.ts';
import { Trace } from './trace.ts';

/** A place at the counter: what stands there, and what should. */
export interface Place extends Counter {
  readonly home: SimTerminal;
  terminal: SimTerminal;
}

export interface WorldOptions {
  readonly seed: number;
  /** A folder of its own, on a fast disk. */
  readonly folder: string;
  readonly trace: boolean;
  /** Which terminals stand there; default: of all families. */
  readonly families?: Families;
  readonly print?: (line: string) => void;
}

/**
 * One shop with everything around it: terminals, cables, the service, the machine's clock, and an agent that may die and be
 * born again on the same folder. All chance comes from one seed.
 */
export class World {
  readonly seed: number;
  readonly time = new SimClock();
  readonly wall = new Wall();
  readonly trace: Trace;
  readonly books: RunLedger;
  readonly doubts: Doubts;
  readonly places: readonly Place[];
  /** A terminal that belongs to nobody here. */
  readonly stranger: SimTerminal;
  readonly service: SimService;
  readonly disk: Disk;
  /** Called when an attempt falls in doubt, and when the agent is gone. */
  onDoubt: (attempt: Attempt) => void = () => undefined;
  onCrash: () => void = () => undefined;
  /** Called when a customer shows a card: from now on the terminal may approve at any moment. */
  onCard: (terminal: SimTerminal) => void = () => undefined;
  agent: Agent | null = null;
  crashes = 0;
  faults = 0;
  /** How often the machine's clock has jumped. */
  jumps = 0;
  readonly #random: Random;
  readonly #createLocal: boolean;
  #bornAt = 0;
  #wasCrossed = false;
  #timeLost = 0;
  #isClosed = false;
  #retired = false;

  constructor(options: WorldOptions) {
    this.seed = options.seed;
    this.disk = new Disk(join(options.folder, 'state'), this.time);
    const random = new Random(options.seed, 'world');
    this.#random = random;
    this.trace = new Trace(this.time, options.trace, options.print);
    this.doubts = new Doubts({
      isWell: (deviceId) => this.#isWell(deviceId),
      isStrong: (deviceId) => this.positionOf(deviceId)?.home.reportsPast ?? false,
      goesOnMs: (deviceId) => this.positionOf(deviceId)?.family.goesOnMs ?? 0,
      now: () => this.time.elapsed,
    });
    this.books = new RunLedger({
      trace: this.trace,
      elapsed: () => this.time.elapsed,
      ageOfWork: (serviceId) => this.service.ageOf(serviceId),
      settleMs: (deviceId) => this.positionOf(deviceId)?.family.settleMs ?? 0,
      doubt: (attempt, before) => {
        this.doubts.changed(attempt, before);
        if (attempt.state.name === 'in_doubt' && before?.state.name !== 'in_doubt') this.onDoubt(attempt);
      },
    });
    const count = random.pick([1, 1, 2, 2, 3]);
    this.stranger = this.#terminal(9, zvtFamily);
    this.stranger.start();
    const { families = FAMILIES } = options;
    this.places = Array.from({ length: count }, (_, index) =>
      this.#place(index + 1, new Random(options.seed, `family ${index + 1}`).pick(families)),
    );
    for (const { terminal } of this.places) {
      terminal.onPower = () => this.#powerChanged(terminal);
      terminal.start();
    }
    const honoursOurId = random.chance(0.7);
    const keepsMetadata = random.chance(0.8);
    // Without either nobody could tell a payment of ours from work: an operator may not switch it on there.
    this.#createLocal = random.chance(0.8) && (honoursOurId || keepsMetadata);
    this.service = new SimService(
      {
        devices: this.places.map(({ device }) => ({ id: device.id, name: device.name })),
        honoursOurId,
        keepsMetadata,
        refusesUnknownFields: random.chance(0.5),
        plan: random.pick(['starter', 'growth']),
      },
      {
        clock: new PartClock(this.time, new Wall(random.pick([0, 0, 2000, -30_000]))),
        ids: seededIds(new Random(options.seed, 'service ids'), { now: () => this.time.now }),
        random: new Random(options.seed, 'service'),
        trace: this.trace,
        fault: (text) => this.struck(text),
        accuse: (crime, text) => this.books.accuse(crime, text),
      },
    );
    if (random.chance(0.05)) this.#crossCables();
  }

  /** Before anybody knows which terminal stands where, two devices lead to one. */
  #crossCables(): void {
    const [first, second] = this.places;
    if (!first || !second || !mayStandFor(first.home, second)) return;
    this.struck('two devices lead to one terminal');
    this.#wasCrossed = true;
    this.plugIn(second, first.home);
    this.time.at(this.#random.time(20_000, 200_000), () => this.plugIn(second, second.home));
  }

  /** The machine is switched off, in order where it can be, and stays off. */
  closeShop(): void {
    this.#isClosed = true;
    const { agent } = this;
    agent?.stop().catch((error: unknown) => {
      if (!agent.dead) this.books.accuse('broken_rules', `the stop failed: ${String(error)}`);
    });
  }

  openShop(): void {
    this.#isClosed = false;
    this.boot();
  }

  /** Starts the agent on what its folder holds. */
  boot(): void {
    if (this.agent || this.#isClosed) return;
    this.trace.say('agent', 'starts');
    const ids = seededIds(new Random(this.seed, `agent ${this.#bornAt++}`), { now: () => this.time.now });
    const { time, wall, trace, books, service } = this;
    this.agent = this.#bear({
      counters: this.places,
      time,
      wall,
      ids,
      trace,
      books,
      service,
      createLocal: this.#createLocal,
    });
    this.doubts.look();
  }

  /** Whether the wall clock stands at 1970. */
  get isIn1970(): boolean {
    return this.#timeLost !== 0;
  }

  /** The machine's clock begins at 1970 and is mended after `ms`. */
  loseTime(ms: number): void {
    if (this.isIn1970) return;
    this.#timeLost = this.time.now + this.wall.skewMs;
    this.jumpClock(-this.#timeLost);
    this.time.at(ms, () => this.#mendTime());
  }

  #mendTime(): void {
    if (!this.isIn1970) return;
    this.jumpClock(this.#timeLost);
    this.#timeLost = 0;
    this.trace.say('shop', 'the clock is right again');
  }

  /** The machine breaks, and its database is replaced by one that remembers less. */
  loseMemory(loss: Loss, which: number): void {
    this.struck(`the database is lost: ${loss}`);
    this.agent?.crash('the machine broke');
    this.disk.replace(loss, which);
    // Who sets up a machine anew looks that the right terminals are plugged in: without a memory it takes the first for its own.
    if (loss === 'fresh' || loss === 'foreign')
      for (const place of this.places) this.plugIn(place, place.home);
    this.books.memoryLost();
  }

  /** Null when it did not come up: its disk refuses. */
  #bear(parts: Omit<AgentDeps, 'disk' | 'onCrash'>): Agent | null {
    try {
      return new Agent({ ...parts, disk: this.disk, onCrash: (why) => this.#crashed(why) });
    } catch (error) {
      if (hasCode(error, 'STORAGE_FULL') || hasCode(error, 'STORAGE_FAILED')) return null;
      throw error;
    }
  }

  /** Whether payments that were started here are created at the service. */
  get reportsLocal(): boolean {
    return this.#createLocal;
  }

  jumpClock(ms: number): void {
    this.wall.skewMs += ms;
    this.jumps += 1;
  }

  /** The history is over: nothing runs on. */
  retire(): void {
    this.#retired = true;
    this.agent?.crash('the history is over');
  }

  struck(text: string): void {
    this.faults += 1;
    this.trace.say('FAULT', text);
  }

  /** Plugs `terminal` in at a place. */
  plugIn(place: Place, terminal: SimTerminal): void {
    if (place.terminal === terminal) return;
    this.trace.say('shop', `${terminal.name} is plugged in at ${place.device.name}`);
    place.terminal = terminal;
    place.cable.plugInto(terminal);
    terminal.onPower = () => this.#powerChanged(terminal);
    this.doubts.look();
  }

  #powerChanged(terminal: SimTerminal): void {
    for (const place of this.places) if (place.terminal === terminal) place.cable.powerChanged();
  }

  /** Everything that was wrong is mended; who is off comes back by itself. */
  heal(): void {
    this.service.heal();
    this.disk.heal();
    this.#mendTime();
    for (const place of this.places) {
      this.plugIn(place, place.home);
      place.cable.heal();
    }
    this.doubts.look();
  }

  #crashed(why: string): void {
    if (this.#retired) return;
    const orderly = why === 'an orderly stop';
    if (!orderly) this.crashes += 1;
    this.trace.say('agent', orderly ? 'stopped' : `CRASHES ${why}`);
    this.agent = null;
    this.doubts.look();
    this.onCrash();
    this.time.at(this.#random.time(300, 45_000), () => this.boot());
  }

  positionOf(deviceId: string): Place | undefined {
    return this.places.find(({ device }) => device.id === deviceId);
  }

  #isWell(deviceId: string): boolean {
    const place = this.positionOf(deviceId);
    return (
      place !== undefined &&
      this.agent !== null &&
      place.terminal === place.home &&
      place.cable.isUp &&
      place.terminal.isWell
    );
  }

  #place(number: number, family: SimFamily): Place {
    const terminal = this.#terminal(number, family);
    const cable = new Cable(
      this.#shape(family),
      terminal,
      this.time,
      new Random(this.seed, `cable ${number}`),
    );
    cable.onFault = (text) => {
      this.struck(`cable ${number}: ${text}`);
      this.doubts.look();
    };
    cable.onLateResultAnswered = () =>
      this.books.accuse('broken_rules', `${nameOf(number)} has answered the result of an older dialogue`);
    cable.onAnswer = () => this.books.answered(idOf(number));
    cable.onMoney = (afterNak) => {
      const place = this.positionOf(idOf(number));
      if (place) this.books.moneyWritten(place.device.id, place.terminal, afterNak);
    };
    const random = new Random(this.seed, `owner ${number}`);
    const policy = {
      lateApproval: random.pick(['void', 'void', 'keep'] as const),
      partialApproval: random.pick(['void', 'void', 'keep'] as const),
    };
    const options = terminal.made.optionsOf(random);
    return { device: this.#device(number, family), cable, family, home: terminal, terminal, policy, options };
  }

  /** Every second owner of a terminal that can ask for a tip has it ask. */
  #device(number: number, family: SimFamily): Device {
    const asks = family.manifest.capabilities.tip && new Random(this.seed, `tip ${number}`).chance(0.5);
    return { ...device(number, family), tip: asks ? 'ask' : 'none' };
  }

  #shape({ wires, isMoney, answers }: SimFamily): CableShape {
    const random = this.#random;
    const [first, second = first] = wires;
    return {
      kind: random.chance(0.65) ? first : second,
      isMoney,
      answers,
      pieces: random.pick(['whole', 'whole', 'bytes', 'random']),
      latencyMs: random.pick([0, 3, 40]),
      diesSilently: random.chance(0.5),
    };
  }

  #terminal(number: number, family: SimFamily): SimTerminal {
    const { time, trace } = this;
    const random = new Random(this.seed, `terminal ${number}`);
    const missingAcknowledgement = this.#random.pick(['reverse', 'decline', 'keep'] as const);
    const settings = {
      name: `T${number}`,
      protocol: family.manifest.id,
      over: 'tcp',
      port: 0,
      currency: family.currency,
      serial: `17F0000${number}`,
      terminalId: `5250003${number}`,
      autopilot: 'off',
      autopilotMs: 1000,
      tipPercent: new Random(this.seed, `customers of ${number}`).pick([0, 5, 10]),
      missingAcknowledgement,
      faults: [],
    } as const;
    return new SimTerminal(settings, { family, time, random, trace, watch: this.#watch() });
  }

  #watch(): TerminalWatch {
    return {
      began: (terminal) => {
        const here = this.places.filter((place) => place.terminal === terminal);
        // An agent that has forgotten who stood there, or has never known, takes whom it meets.
        const knows = this.books.forgotten.size === 0 && !this.#wasCrossed;
        if (knows && here.every((place) => place.home !== terminal))
          this.books.accuse('broken_rules', `a payment reached ${terminal.name}, which is the wrong one`);
        this.books.began(
          terminal,
          here.map(({ device }) => device.id),
        );
      },
      wrote: (terminal, changed) => this.books.wrote(terminal, changed),
      cardShown: (terminal) => this.onCard(terminal),
      acknowledged: (terminal) => {
        const isOlder = this.places.some((place) => place.terminal === terminal && place.cable.answeredOlder);
        if (!isOlder) this.books.acknowledged(terminal);
      },
      stood: () => this.doubts.look(),
      fault: (text) => this.struck(text),
    };
  }
}

/** Whether a terminal at a place that is not its own can be told from the right one. */
export function mayStandFor(terminal: SimTerminal, { family }: Place): boolean {
  return terminal.family === family && family.isRecognised;
}

function device(number: number, { manifest, currency }: SimFamily): Device {
  return {
    id: idOf(number),
    name: nameOf(number),
    driver: manifest.id,
    currency,
    minAmountMinor: manifest.minAmountMinor ?? 1,
    maxAmountMinor: manifest.maxAmountMinor,
    onNetwork: true,
  };
}

function idOf(number: number): string {
  return `0199c0de-0000-7000-8000-0000000000d${number}`;
}

function nameOf(number: number): string {
  return `Counter ${number}`;
}
