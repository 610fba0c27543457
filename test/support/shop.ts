import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { driver as zvtDriver } from '../../drivers/terminals/zvt/driver.ts';
import { zvt } from '../../drivers/terminals/zvt/manifest.ts';
import { virtualZvt } from '../../drivers/terminals/zvt/virtual.ts';
import { type Agent, createAgent } from '../../src/agent/create-agent.ts';
import type { Money } from '../../src/agent/money.ts';
import { renderTask } from '../../src/api/render/terminal-task.ts';
import { AppError } from '../../src/base/errors.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Currency } from '../../src/base/money.ts';
import type { TerminalManifest } from '../../src/driver-kit/define.ts';
import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import { isFinal } from '../../src/payment/attempt/state-machine.ts';
import type { Counter } from '../../src/payment/core.ts';
import type { DiskSpace } from '../../src/payment/guards/disk-space.ts';
import type { SaleRequest } from '../../src/payment/payments.ts';
import type { RecoveryLimits } from '../../src/payment/recovery/recovery.ts';
import { systemIds } from '../../src/runtime/system-ids.ts';
import type {
  Memory as TextMemory,
  VirtualTerminalSettings,
} from '../../src/sandbox/controllable-terminal.ts';
import type { VirtualDialect } from '../../src/sandbox/terminal/dialect.ts';
import { VirtualTerminal } from '../../src/sandbox/terminal/virtual-terminal.ts';
import type { Device, DeviceView } from '../../src/terminal/device.ts';
import type { OpenLink } from '../../src/terminal/link.ts';
import type { TerminalDriver } from '../../src/terminal/ports.ts';
import { DEVICE_ID } from './attempts.ts';
import { memoryLinkPair } from './memory-link.ts';
import { aFolder } from './money-database.ts';
import { openedMoney } from './opened-money.ts';
import { unreachableService } from './unreachable-service.ts';
import { VirtualClock } from './virtual-clock.ts';

export const VIRTUAL_TERMINAL: VirtualTerminalSettings = {
  name: 'counter-1',
  protocol: 'zvt',
  over: 'tcp',
  port: 0,
  currency: 'EUR',
  serial: '17F00001',
  terminalId: '52500038',
  autopilot: 'approve',
  autopilotMs: 1000,
  missingAcknowledgement: 'keep',
  faults: [],
};

/** A family of terminals, and one of its virtual terminals. */
export interface Family {
  readonly manifest: TerminalManifest;
  readonly currency: Currency;
  readonly dialect: VirtualDialect;
}

const ZVT: Family = { manifest: zvt, currency: 'EUR', dialect: virtualZvt };

const RECOVERY = { settleMs: null, readIntervalMs: 5000, askPersonAfterMs: 120_000, giveUpMs: 240_000 };
/** The boot id is the only witness outside the state folder that is read. */
const NO_WITNESS = { machine: null, hardware: null, place: { kind: 'none', why: 'it is a test' } } as const;
const LIMITS = { waitMs: 60_000, maxAgeMs: 300_000, maxWaiting: 20 };

export interface ShopOptions {
  /** A second counter with a terminal of its own, `terminal2`. */
  readonly second?: boolean;
  /** The second terminal is not switched on. */
  readonly isOff?: boolean;
  /** The money database; default: a new one. */
  readonly databasePath?: string;
  /** The id of the running system; default: it is not known. */
  readonly boot?: string;
  /** When the machine is started, epoch ms; default: when every shop of a test begins. */
  readonly startsAt?: number;
  /** What the terminals remember; default: nothing. */
  readonly memories?: readonly TextMemory[];
  readonly recovery?: Partial<RecoveryLimits>;
  readonly terminal?: Partial<VirtualTerminalSettings>;
  /** Default: ZVT, in euros. */
  readonly family?: Family;
  readonly kind?: 'tcp' | 'serial';
  /** Room on the disk; default: nobody looks. */
  readonly disk?: DiskSpace;
  readonly policy?: Partial<Counter['policy']>;
  /** Whether the terminals ask for a tip; default: they do not. */
  readonly tip?: Device['tip'];
  /** The device's `options` of the config. */
  readonly driverOptions?: Readonly<Record<string, unknown>>;
  /** How the virtual terminal behaves where vendors differ. */
  readonly dialect?: VirtualDialect;
  /** How bytes are cut on the wire; default: as they were written. */
  readonly segment?: (bytes: Uint8Array) => readonly Uint8Array[];
  /** Called before each write of the agent; throwing breaks the pipe. */
  readonly beforeWrite?: (bytes: Uint8Array) => void;
}

/** The second counter. */
export const DEVICE_2 = '0199c0de-0000-7000-8000-0000000000d2';

/**
 * A whole shop in one process on a clock that the test moves: the agent as the daemon wires it, the real store on a real file, a real
 * driver (ZVT unless another family is named), and a virtual terminal that speaks bytes over a pipe in memory. Only the wire and the time are not
 * real. No request reaches the service, and its link is not started: reports are written, and wait.
 */
export class Shop {
  readonly clock = new VirtualClock();
  readonly databasePath: string;
  readonly money: Money;
  readonly database: Money['database'];
  readonly store: Money['payments'];
  readonly identities: Money['identities'];
  readonly outbox: Money['outbox'];
  readonly writer: Agent['writer'];
  readonly payments: Agent['payments'];
  readonly requestGuard: Agent['requestGuard'];
  readonly operations: Agent['operations'];
  readonly drain: Agent['drain'];
  readonly queues: Agent['queues'];
  terminal: VirtualTerminal;
  terminal2: VirtualTerminal;
  fatal: unknown = null;
  readonly deviceId = DEVICE_ID;
  readonly #options: ShopOptions;
  readonly #family: Family;
  readonly #closeMoney: () => Promise<void>;
  #closed: Promise<void> | null = null;

  /** @param driver that of `options.family` */
  constructor(options: ShopOptions = {}, driver: TerminalDriver = zvtDriver) {
    this.#options = options;
    this.#family = options.family ?? ZVT;
    const { databasePath = join(aFolder(), 'money.db'), boot } = options;
    this.databasePath = databasePath;
    const witnesses = boot === undefined ? null : { ...NO_WITNESS, boot };
    const { money, close } = openedMoney(this.databasePath, this.clock, witnesses);
    this.money = money;
    this.#closeMoney = close;
    this.database = money.database;
    this.store = money.payments;
    this.identities = money.identities;
    this.outbox = money.outbox;
    const [first = textMemory(), second = textMemory()] = options.memories ?? [];
    this.terminal = this.#terminal(first);
    this.terminal2 = this.#terminal(second, { serial: '17F00077', terminalId: '52500077' });
    const agent = createAgent({
      name: 'agent-1',
      money,
      counters: [DEVICE_ID, ...(options.second ? [DEVICE_2] : [])].map((id) => this.#counter(driver, id)),
      service: unreachableService(this.clock),
      limits: LIMITS,
      recovery: { ...RECOVERY, ...options.recovery },
      ...(options.disk ? { disk: options.disk } : {}),
      clock: this.clock,
      ids: systemIds,
      log: silentLog,
      fatal: (error) => {
        this.fatal = error;
      },
    });
    this.writer = agent.writer;
    this.queues = agent.queues;
    this.requestGuard = agent.requestGuard;
    this.payments = agent.payments;
    this.operations = agent.operations;
    this.drain = agent.drain;
  }

  /** Opens the shop and waits until the terminal is ready. */
  static async open(options: ShopOptions = {}): Promise<Shop> {
    const shop = new Shop(options, await (options.family ?? ZVT).manifest.load());
    const { startsAt = shop.clock.now(), second = false } = options;
    await shop.clock.advance(startsAt - shop.clock.now());
    shop.terminal.start();
    if (second && !options.isOff) shop.terminal2.start();
    shop.queues.inherit();
    shop.queues.start();
    onTestFinished(() => shop.close());
    const isUp = ({ device, status }: DeviceView) =>
      status === 'ready' || (device.id === DEVICE_2 && options.isOff);
    await shop.until(() => shop.queues.list().every(isUp), 30_000);
    return shop;
  }

  /** Goes down in order, once. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.terminal.stop();
    this.terminal2.stop();
    await this.clock.runUntil(this.queues.stop(), 60_000);
    await this.#closeMoney();
  }

  /** Rings up a sale as the counter does. */
  sell(changes: Partial<SaleRequest> = {}): Attempt {
    return this.payments.create({
      deviceId: DEVICE_ID,
      amount: { minor: 1234, currency: this.#family.currency },
      invoiceId: null,
      reference: null,
      metadata: {},
      after: null,
      caller: 'socket',
      ...changes,
    }).attempt;
  }

  attempt(id: string): Attempt {
    return this.writer.require(id);
  }

  /** What its open tasks say now, as the interface shows them. */
  tasksOf(id: string): readonly string[] {
    const view = this.payments.get(id);
    return view.tasks.map((task) => renderTask(task, view).message);
  }

  /** Lets time pass until the attempt is final, or waits for a person. */
  async settle(id: string, limitMs = 600_000): Promise<Attempt> {
    await this.until(() => isFinal(this.attempt(id).state) || this.attempt(id).releasedAt !== null, limitMs);
    return this.attempt(id);
  }

  async until(condition: () => boolean, limitMs: number): Promise<void> {
    for (let passed = 0; passed < limitMs; passed += 50) {
      await this.clock.settle(2);
      if (condition()) return;
      await this.clock.advance(50);
    }
    if (!condition())
      throw new Error(
        `nothing after ${limitMs} ms of virtual time; timers: ${this.clock.pending.join(', ')}`,
      );
  }

  /** Somebody plugs in another terminal. */
  plugIn(changes: Partial<VirtualTerminalSettings>): void {
    this.terminal.stop();
    this.terminal = this.#terminal(textMemory(), changes);
    this.terminal.start();
  }

  /** The terminal comes back from its workshop with everything forgotten. */
  forgetEverything(): void {
    this.terminal.stop();
    this.terminal = this.#terminal(textMemory());
    this.terminal.start();
  }

  /** Minor units that the customers really paid and did not get back, by the terminal's own ledger. */
  get charged(): number {
    const standing = this.terminal
      .snapshot()
      .ledger.filter((entry) => entry.result === 'approved' && !entry.reversed && entry.kind !== 'void');
    return standing.reduce(
      (sum, { kind, amountMinor }) => sum + (kind === 'sale' ? amountMinor : -amountMinor),
      0,
    );
  }

  #counter(driver: TerminalDriver, id: string): Counter {
    const { manifest, currency } = this.#family;
    const device: Device = {
      id,
      name: id === DEVICE_ID ? 'Counter 1' : 'Counter 2',
      driver: manifest.id,
      currency,
      minAmountMinor: manifest.minAmountMinor ?? 1,
      maxAmountMinor: 999_999,
      ...(this.#options.kind === 'serial' ? {} : { onNetwork: true }),
      ...(this.#options.tip ? { tip: this.#options.tip } : {}),
    };
    const { driverOptions = {}, policy = {} } = this.#options;
    const terminal = {
      driver,
      capabilities: manifest.capabilities,
      driverOptions: manifest.options.parse(driverOptions),
      connectsPerExchange: manifest.connection === 'per_exchange',
      openLink: this.#openLink(id),
      heartbeatMs: 15_000,
    };
    const keep = { lateApproval: 'void', partialApproval: 'void', ...policy } as const;
    return { device, terminal, log: silentLog, policy: keep };
  }

  #openLink(id: string): OpenLink {
    const { kind = 'tcp', segment, beforeWrite } = this.#options;
    return async () => {
      const terminal = id === DEVICE_ID ? this.terminal : this.terminal2;
      if (!terminal.powered) throw new AppError('LINK_REFUSED', 'nobody answers', { retry: 'safe' });
      const { ours, theirs } = memoryLinkPair(segment ? { kind, segment } : { kind });
      if (beforeWrite) ours.beforeWrite = beforeWrite;
      terminal.attach(theirs);
      return ours;
    };
  }

  #terminal(memory: TextMemory, changes: Partial<VirtualTerminalSettings> = {}): VirtualTerminal {
    const { currency, manifest, dialect } = this.#family;
    const settings = {
      ...VIRTUAL_TERMINAL,
      protocol: manifest.id,
      currency,
      ...this.#options.terminal,
      ...changes,
    };
    return new VirtualTerminal(settings, this.#options.dialect ?? dialect, {
      clock: this.clock,
      log: silentLog,
      memory,
    });
  }
}

/** A memory that a power cut does not touch. */
export function textMemory(): TextMemory {
  let text: string | null = null;
  return {
    load: () => text,
    save: (next) => {
      text = next;
    },
  };
}
