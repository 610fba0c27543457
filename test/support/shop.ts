import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { driver as zvtDriver } from '../../drivers/terminals/zvt/driver.ts';
import { zvt } from '../../drivers/terminals/zvt/manifest.ts';
import { virtualZvt } from '../../drivers/terminals/zvt/virtual.ts';
import { renderTask } from '../../src/api/render/terminal-task.ts';
import { AppError } from '../../src/base/errors.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Currency } from '../../src/base/money.ts';
import type { TerminalManifest } from '../../src/driver-kit/define.ts';
import { createBody, resultBody } from '../../src/outbox/reports.ts';
import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import { ElapsedTime } from '../../src/payment/attempt/elapsed-time.ts';
import { isFinal } from '../../src/payment/attempt/state-machine.ts';
import type { TerminalOperationsService } from '../../src/payment/batch/terminal-operations-service.ts';
import { type Counter, createPaymentCore } from '../../src/payment/core.ts';
import type { TerminalQueues } from '../../src/payment/dispatch/terminal-queues.ts';
import type { DiskSpace } from '../../src/payment/guards/disk-space.ts';
import type { DrainLease } from '../../src/payment/guards/drain-lease.ts';
import type { PaymentRequestGuard } from '../../src/payment/guards/payment-request-guard.ts';
import type { PaymentWriter } from '../../src/payment/payment-writer.ts';
import type { SaleRequest } from '../../src/payment/payments.ts';
import type { PaymentsApi } from '../../src/payment/payments-api.ts';
import type { RecoveryLimits } from '../../src/payment/recovery/recovery.ts';
import type { DatabaseAge } from '../../src/payment/recovery/restored-database.ts';
import { systemIds } from '../../src/runtime/system-ids.ts';
import type {
  Memory as TextMemory,
  VirtualTerminalSettings,
} from '../../src/sandbox/controllable-terminal.ts';
import type { VirtualDialect } from '../../src/sandbox/terminal/dialect.ts';
import { VirtualTerminal } from '../../src/sandbox/terminal/virtual-terminal.ts';
import type { Database } from '../../src/store/database.ts';
import { noteBoot } from '../../src/store/epoch/boot-note.ts';
import { keptTimeIn } from '../../src/store/epoch/kept-time.ts';
import { SqliteOutboxStore } from '../../src/store/outbox/sqlite-outbox-store.ts';
import { SqlitePaymentStore } from '../../src/store/payments/sqlite-payment-store.ts';
import { SqliteIdentityStore } from '../../src/store/terminals/sqlite-identity-store.ts';
import type { Device, DeviceView } from '../../src/terminal/device.ts';
import type { OpenLink } from '../../src/terminal/link.ts';
import type { TerminalDriver } from '../../src/terminal/ports.ts';
import { DEVICE_ID } from './attempts.ts';
import { memoryLinkPair } from './memory-link.ts';
import { aFolder, aMoneyDatabase } from './money-database.ts';
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
  readonly memory?: Partial<DatabaseAge>;
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
 * A whole shop in one process on a clock that the test moves: the real core, the real store on a real file, a real
 * driver (ZVT unless another family is named), and a virtual terminal that speaks bytes over a pipe in memory. Only the wire and the time are not real.
 */
export class Shop {
  readonly clock = new VirtualClock();
  readonly databasePath: string;
  readonly database: Database;
  readonly store: SqlitePaymentStore;
  readonly identities: SqliteIdentityStore;
  readonly outbox: SqliteOutboxStore;
  readonly elapsed: ElapsedTime;
  readonly writer: PaymentWriter;
  readonly payments: PaymentsApi;
  readonly requestGuard: PaymentRequestGuard;
  readonly operations: TerminalOperationsService;
  readonly drain: DrainLease;
  readonly queues: TerminalQueues;
  terminal: VirtualTerminal;
  terminal2: VirtualTerminal;
  fatal: unknown = null;
  readonly deviceId = DEVICE_ID;
  readonly #options: ShopOptions;
  readonly #family: Family;

  /** @param driver that of `options.family` */
  constructor(options: ShopOptions = {}, driver: TerminalDriver = zvtDriver) {
    this.#options = options;
    this.#family = options.family ?? ZVT;
    this.databasePath = options.databasePath ?? join(aFolder(), 'money.db');
    this.database = aMoneyDatabase(this.databasePath);
    if (options.boot !== undefined) noteBoot(this.database, options.boot);
    this.store = new SqlitePaymentStore(this.database);
    this.identities = new SqliteIdentityStore(this.database);
    this.outbox = new SqliteOutboxStore(this.database, this.clock);
    this.elapsed = new ElapsedTime(this.clock, keptTimeIn(this.database));
    const [first = textMemory(), second = textMemory()] = options.memories ?? [];
    this.terminal = this.#terminal(first);
    this.terminal2 = this.#terminal(second, { serial: '17F00077', terminalId: '52500077' });
    const core = createPaymentCore(
      {
        store: this.store,
        terminals: this.identities,
        reports: {
          create: (attempt: Attempt) => createBody(attempt, 'agent-1'),
          result: (attempt: Attempt) => resultBody(attempt, 'agent-1'),
        },
        limits: LIMITS,
        recovery: { ...RECOVERY, ...options.recovery },
        // The very object: a test may find out that it is lost while the shop is open.
        databaseAge: Object.assign(options.memory ?? {}, {
          since: 0,
          lost: false,
          sinceElapsed: 0,
          ...options.memory,
        }),
        ...(options.disk ? { disk: options.disk } : {}),
        clock: this.clock,
        elapsed: this.elapsed,
        ids: systemIds,
        log: silentLog,
        fatal: (error) => {
          this.fatal = error;
        },
      },
      [DEVICE_ID, ...(options.second ? [DEVICE_2] : [])].map((id) => this.#counter(driver, id)),
    );
    this.writer = core.writer;
    this.queues = core.queues;
    this.requestGuard = core.requestGuard;
    this.payments = core.payments;
    this.operations = core.operations;
    this.drain = core.drain;
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

  async close(): Promise<void> {
    this.terminal.stop();
    this.terminal2.stop();
    await this.clock.runUntil(this.queues.stop(), 60_000);
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
