import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { driver } from '../../../drivers/terminals/zvt/driver.ts';
import { zvt } from '../../../drivers/terminals/zvt/manifest.ts';
import { virtualZvt } from '../../../drivers/terminals/zvt/virtual.ts';
import { type Agent, type AgentService, createAgent } from '../../../src/agent/create-agent.ts';
import { type Money, openMoney } from '../../../src/agent/money.ts';
import { AppError } from '../../../src/base/errors.ts';
import type { Ids } from '../../../src/base/ids.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import { isFinal } from '../../../src/payment/attempt/state-machine.ts';
import type { Counter } from '../../../src/payment/core.ts';
import type { SaleRequest } from '../../../src/payment/payments.ts';
import { Lifecycle } from '../../../src/runtime/lifecycle.ts';
import type { StateFolder } from '../../../src/runtime/state-folder.ts';
import type { VirtualTerminalSettings } from '../../../src/sandbox/controllable-terminal.ts';
import { VirtualTerminal } from '../../../src/sandbox/terminal/virtual-terminal.ts';
import { createServiceConnection } from '../../../src/service/service-connection.ts';
import { Archiver, type Turn } from '../../../src/store/archive/archiver.ts';
import { chainEnd } from '../../../src/store/journal/journal-chain.ts';
import type { Device } from '../../../src/terminal/device.ts';
import { Random, seededIds } from '../../simulation/random.ts';
import { SERVICE_KEY, SimService } from '../../simulation/service.ts';
import { SimClock } from '../../simulation/sim-clock.ts';
import { Trace } from '../../simulation/trace.ts';
import { memoryLinkPair } from '../../support/memory-link.ts';
import { stateFolder } from '../../support/state-folder.ts';
import { unreachableService } from '../../support/unreachable-service.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import type { Ack } from './acks.ts';

const DEVICE: Device = {
  id: '0199c0de-0000-7000-8000-0000000000d1',
  name: 'Counter 1',
  driver: 'zvt',
  currency: 'EUR',
  minAmountMinor: 1,
  maxAmountMinor: 999_999,
  onNetwork: true,
};
const TERMINAL: VirtualTerminalSettings = {
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
const RECOVERY = { settleMs: null, readIntervalMs: 5000, askPersonAfterMs: 120_000, giveUpMs: 240_000 };
const LIMITS = { waitMs: 60_000, maxAgeMs: 300_000, maxWaiting: 20 };
const HALF_A_DAY_MS = 43_200_000;

export interface ShopDeps {
  /** The state folder: the disk that is lost. */
  readonly folder: string;
  /** A folder on another disk: the terminal's memory. */
  readonly spare: string;
  readonly ack: (ack: Ack) => void;
  /** Which life of the folder this is, from 0: its clock stands half a day after that of the life before. */
  readonly life: number;
  readonly terminal?: Partial<VirtualTerminalSettings>;
  readonly withService?: boolean;
}

/**
 * A whole shop in one process on a clock of its own: the real store on real files, core, driver, outbox and link to the service, wired as
 * `agent/` wires them, with a virtual terminal on a pipe in memory. It says what it acknowledges. The same parts give the same writes.
 */
export class RecordedShop {
  readonly clock: VirtualClock;
  readonly terminal: VirtualTerminal;
  readonly service: SimService | null;
  money: Money;
  readonly #deps: ShopDeps;
  readonly #ids: Ids;
  #agent: Agent;
  #lifecycle = new Lifecycle(silentLog);
  #isCut = false;

  constructor(deps: ShopDeps) {
    this.#deps = deps;
    this.clock = new VirtualClock(Date.UTC(2026, 0, 5, 9, 0, 0) + deps.life * HALF_A_DAY_MS);
    this.#ids = seededIds(new Random(1 + deps.life, 'power cut'), this.clock);
    this.terminal = this.#terminal();
    this.service = deps.withService ? this.#service() : null;
    this.money = this.#openMoney();
    this.#agent = this.#createAgent();
  }

  /** Opens the shop and waits until its terminal is ready. */
  static async open(deps: ShopDeps): Promise<RecordedShop> {
    const shop = new RecordedShop(deps);
    shop.terminal.start();
    await shop.#start();
    return shop;
  }

  get deviceId(): string {
    return DEVICE.id;
  }

  get payments(): Agent['payments'] {
    return this.#agent.payments;
  }

  get office(): Agent['operations'] {
    return this.#agent.operations;
  }

  /** Goes down in order, as for SIGTERM. */
  async close(): Promise<void> {
    await this.clock.runUntil(this.#agent.stop(), 60_000);
    await this.#lifecycle.stop();
    this.#deps.ack({ kind: 'closed' });
  }

  /** Goes down in order, and starts again in the same process: terminal and service never noticed. */
  async reopen(): Promise<void> {
    await this.close();
    this.#lifecycle = new Lifecycle(silentLog);
    this.money = this.#openMoney();
    this.#agent = this.#createAgent();
    await this.#start();
  }

  /** Rings up a sale as the counter does, under an idempotency key. */
  sell(minor: number, changes: Partial<SaleRequest> = {}): Attempt {
    const request = {
      deviceId: DEVICE.id,
      amount: { minor, currency: 'EUR' },
      invoiceId: null,
      reference: `BASKET-${minor}`,
      metadata: {},
      after: null,
      caller: 'socket',
      ...changes,
    } as const;
    const key = { key: `key-${minor}`, fingerprint: `fingerprint-${minor}`, requestId: `req-${minor}` };
    const { attempt } = this.payments.create(request, {
      ...key,
      answer: () => ({ status: 201, body: '{}' }),
    });
    // The till is answered once it is on disk, as the local interface does it.
    this.payments
      .durable()
      .then(() => this.#answered('till', attempt))
      .catch(() => undefined);
    return attempt;
  }

  refund(parentId: string, amountMinor: number | null = null): Attempt {
    const { attempt } = this.payments.refund({ parentId, amountMinor, after: null, caller: 'socket' });
    return this.#answered('till', attempt);
  }

  void(parentId: string): Attempt {
    return this.#answered('till', this.payments.void({ parentId, caller: 'socket' }).attempt);
  }

  attempt(id: string): Attempt {
    return this.#answered('till', this.payments.get(id).attempt);
  }

  /** Lets time pass until the attempt is final, or waits for a person. */
  async settle({ id }: Attempt, limitMs = 600_000): Promise<Attempt> {
    const ended = () => {
      const { state, releasedAt } = this.payments.get(id).attempt;
      return isFinal(state) || releasedAt !== null;
    };
    await this.until(ended, limitMs);
    return this.attempt(id);
  }

  async until(condition: () => boolean, limitMs = 600_000): Promise<void> {
    for (let passed = 0; passed < limitMs; passed += 50) {
      await this.clock.settle(2);
      if (condition()) return;
      await this.clock.advance(50);
    }
    if (!condition())
      throw new Error(`nothing after ${limitMs} ms; timers: ${this.clock.pending.join(', ')}`);
  }

  /** The hourly scheduled job of the daemon. */
  anchor(): void {
    this.money.anchorJournal();
    this.#deps.ack({ kind: 'anchored', count: chainEnd(this.money.database).count });
  }

  /** A turn of the archiver, which may take whatever has ended. */
  archive(): Turn {
    const { database, archive } = this.money;
    const archiver = new Archiver({ money: database, archive: () => archive.archive() });
    return archiver.turn(this.clock.now(), this.clock.now());
  }

  /** The cable to the terminal is out from now on, or in again. */
  plug(isIn: boolean): void {
    this.#isCut = !isIn;
  }

  async #start(): Promise<void> {
    const { queues, writer } = this.#agent;
    this.#agent.inherit();
    writer.subscribe({
      event: ({ subject }) => {
        if (subject.kind === 'payment') this.#answered('listener', subject.view.attempt);
      },
    });
    if (this.service) this.#agent.start();
    else queues.start();
    await this.until(() => ['ready', 'recovering'].includes(queues.get(DEVICE.id)?.status ?? ''), 30_000);
  }

  #answered(whom: 'till' | 'listener' | 'terminal', attempt: Attempt): Attempt {
    const { id, version, state, type, origin, amount } = attempt;
    const basket = type === 'sale' && origin.kind === 'local' ? amount.minor : null;
    this.#deps.ack({ kind: 'answered', whom, attempt: id, version, state: state.name, basket });
    return attempt;
  }

  #openMoney(): Money {
    const folder = folderAfterKill(this.#deps.folder);
    const { clock } = this;
    const ports = {
      folder,
      version: '0.1.0',
      clock,
      ids: this.#ids,
      log: silentLog,
      lifecycle: this.#lifecycle,
      // Every other life leaves the pages for later, as one with a large database does.
      ...(this.#deps.life % 2 === 1 && { atOnceBytes: 0 }),
    };
    const money = openMoney(ports);
    this.#deps.ack({ kind: 'opened', epoch: money.epoch.kind });
    return money;
  }

  #createAgent(): Agent {
    const { money, clock } = this;
    return createAgent({
      name: 'agent-1',
      money,
      counters: [this.#counter()],
      service: this.service ? this.#reached(this.service) : unreachableService(clock),
      limits: LIMITS,
      recovery: RECOVERY,
      clock,
      ids: this.#ids,
      log: silentLog,
      fatal: (error) => {
        throw error;
      },
    });
  }

  #reached(service: SimService): AgentService {
    const { clock } = this;
    const connect = () => service.connect(() => false);
    const credential = () => SERVICE_KEY;
    const connection = createServiceConnection({ connect, credential, clock, log: silentLog });
    return { connection, createLocal: true };
  }

  #counter(): Counter {
    const terminal = {
      driver,
      capabilities: zvt.capabilities,
      driverOptions: zvt.options.parse({}),
      openLink: async () => {
        if (!this.terminal.powered || this.#isCut)
          throw new AppError('LINK_REFUSED', 'nobody answers', { retry: 'safe' });
        const { ours, theirs } = memoryLinkPair({ kind: 'tcp' });
        ours.beforeWrite = (bytes) => this.#sends(bytes);
        this.terminal.attach(theirs);
        return ours;
      },
      heartbeatMs: 15_000,
    };
    const policy = { lateApproval: 'void', partialApproval: 'void' } as const;
    return { device: DEVICE, terminal, log: silentLog, policy };
  }

  /** From the first byte of a money command on a customer may be charged: the terminal was told of its attempt. */
  #sends(bytes: Uint8Array): void {
    if (this.#isCut) throw new AppError('LINK_LOST', 'the cable is out', { moneyMoved: 'unknown' });
    if (bytes[0] !== 0x06 || !MONEY.includes(bytes[1] ?? 0)) return;
    const running = this.money.payments
      .openAttempts(DEVICE.id)
      .find(({ state }) => state.name === 'dispatched');
    if (running) this.#answered('terminal', running);
  }

  #terminal(): VirtualTerminal {
    const { spare, ack, terminal = {} } = this.#deps;
    const file = join(spare, 'terminal.json');
    const memory = {
      load: () => (existsSync(file) ? readFileSync(file, 'utf8') : null),
      save: (text: string) => {
        writeFileSync(file, text);
        ack({ kind: 'ledger', text });
      },
    };
    return new VirtualTerminal({ ...TERMINAL, ...terminal }, virtualZvt, {
      clock: this.clock,
      log: silentLog,
      memory,
    });
  }

  #service(): SimService {
    const shape = {
      devices: [{ id: DEVICE.id, name: DEVICE.name }],
      honoursOurId: false,
      keepsMetadata: true,
      refusesUnknownFields: false,
      plan: 'growth',
    } as const;
    return new SimService(shape, {
      clock: this.clock,
      ids: seededIds(new Random(7, 'service ids'), this.clock),
      random: new Random(7, 'service'),
      trace: new Trace(new SimClock(), false),
      fault: () => undefined,
      accuse: (crime, text) => {
        throw new Error(`${crime}: ${text}`);
      },
    });
  }
}

/** Authorisation, refund, reversal. */
const MONEY: readonly number[] = [0x01, 0x31, 0x30];

/** The files of a state folder whose last process did not end in order. */
export function folderAfterKill(path: string): StateFolder {
  return { ...stateFolder(path), cutShort: true };
}
