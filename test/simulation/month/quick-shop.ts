import { driver as zvtDriver } from '../../../drivers/terminals/zvt/driver.ts';
import { zvt } from '../../../drivers/terminals/zvt/manifest.ts';
import { type Agent, createAgent } from '../../../src/agent/create-agent.ts';
import type { Ids } from '../../../src/base/ids.ts';
import type { Log } from '../../../src/base/log.ts';
import { ElapsedTime } from '../../../src/payment/attempt/elapsed-time.ts';
import type { Counter } from '../../../src/payment/core.ts';
import { createServiceConnection } from '../../../src/service/service-connection.ts';
import type { Database } from '../../../src/store/database.ts';
import { keptTimeIn } from '../../../src/store/epoch/kept-time.ts';
import { SqliteOutboxStore } from '../../../src/store/outbox/sqlite-outbox-store.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { SqliteIdentityStore } from '../../../src/store/terminals/sqlite-identity-store.ts';
import type { Device } from '../../../src/terminal/device.ts';
import { memoryLinkPair } from '../../support/memory-link.ts';
import { SERVICE_KEY, type SimService } from '../service.ts';
import { PartClock, type SimClock, Wall } from '../sim-clock.ts';
import type { LiveTerminal } from './live-terminal.ts';
import type { QuickTerminal } from './quick-terminal.ts';

/** The config's defaults. */
const RECOVERY = { settleMs: null, readIntervalMs: 5000, askPersonAfterMs: 120_000, giveUpMs: 240_000 };
const LIMITS = { waitMs: 60_000, maxAgeMs: 300_000, maxWaiting: 20 };
const HEARTBEAT_MS = 15_000;

export const COUNTER: Device = {
  id: '0199c0de-0000-7000-8000-0000000000d1',
  name: 'Counter 1',
  driver: zvt.id,
  currency: 'EUR',
  minAmountMinor: 1,
  maxAmountMinor: zvt.maxAmountMinor,
  onNetwork: true,
};

/** What a life of the shop stands on; all of it outlives the life. */
export interface Premises {
  readonly time: SimClock;
  readonly database: Database;
  readonly service: SimService;
  readonly ids: Ids;
  readonly log: Log;
  /** This installation's name at the service. */
  readonly agent: string;
  /** Default: payments that start here are created at the service. */
  readonly createLocal?: boolean;
}

/**
 * One life of the agent, from a morning to an evening: the real core, store, outbox and link, wired as `agent/` wires them.
 * Its database stays open over night; a new life knows nothing else of the one before.
 */
export class QuickShop {
  readonly agent: Agent;
  readonly outbox: SqliteOutboxStore;
  readonly #clock: PartClock;
  #isDead = false;

  constructor(premises: Premises, terminal: QuickTerminal | LiveTerminal) {
    const { time, database, service, ids, log, agent } = premises;
    const clock = new PartClock(time, new Wall());
    this.#clock = clock;
    this.outbox = new SqliteOutboxStore(database, clock);
    const connect = () => service.connect(() => this.#isDead);
    const credential = () => SERVICE_KEY;
    this.agent = createAgent({
      name: agent,
      money: {
        database,
        payments: new SqlitePaymentStore(database),
        outbox: this.outbox,
        identities: new SqliteIdentityStore(database),
        elapsed: new ElapsedTime(clock, keptTimeIn(database)),
        epoch: { kind: 'same', since: 0, id: '' },
        identity: null,
        beginAsCopy: () => undefined,
      },
      counters: [counterOf(log, terminal)],
      service: {
        connection: createServiceConnection({ connect, credential, clock, log }),
        createLocal: premises.createLocal ?? true,
      },
      limits: LIMITS,
      recovery: RECOVERY,
      clock,
      ids,
      log,
      fatal: (error) => {
        throw error;
      },
    });
    this.agent.inherit();
    this.agent.start();
  }

  get isReady(): boolean {
    return this.agent.queues.get(COUNTER.id)?.status === 'ready';
  }

  /** Rings up a sale as the counter does. */
  sell(amountMinor: number, reference: string): string {
    const { attempt } = this.agent.payments.create({
      deviceId: COUNTER.id,
      amount: { minor: amountMinor, currency: COUNTER.currency },
      invoiceId: null,
      reference,
      metadata: {},
      after: null,
      caller: 'socket',
    });
    return attempt.id;
  }

  /** The service has work: a webhook would come. */
  notify(): void {
    this.agent.link?.workMayWait();
  }

  /** The process is killed: nothing of it goes on, and answers find nobody. */
  kill(): void {
    this.#isDead = true;
    this.#clock.die();
  }

  /** Goes down in order; resolves while the time passes. */
  async close(): Promise<void> {
    await this.agent.stop();
    this.#clock.die();
  }
}

function counterOf(log: Log, terminal: QuickTerminal | LiveTerminal): Counter {
  const isQuick = 'driver' in terminal;
  const options = {
    driver: isQuick ? terminal.driver : zvtDriver,
    capabilities: zvt.capabilities,
    driverOptions: zvt.options.parse({}),
    connectsPerExchange: false,
    openLink: async () => (isQuick ? memoryLinkPair().ours : terminal.open()),
    heartbeatMs: HEARTBEAT_MS,
  };
  const policy = { lateApproval: 'void', partialApproval: 'void' } as const;
  return { device: COUNTER, terminal: options, log, policy };
}
