import { driver } from '../../../../drivers/terminals/zvt/driver.ts';
import { zvt } from '../../../../drivers/terminals/zvt/manifest.ts';
import { databaseAgeIn, type Money, openMoney } from '../../../../src/agent/money.ts';
import type { Ids } from '../../../../src/base/ids.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { createBody, resultBody } from '../../../../src/outbox/reports.ts';
import type { Attempt } from '../../../../src/payment/attempt/attempt.ts';
import { createPaymentCore, type PaymentCore } from '../../../../src/payment/core.ts';
import { Lifecycle } from '../../../../src/runtime/lifecycle.ts';
import type { Device } from '../../../../src/terminal/device.ts';
import type { OpenLink } from '../../../../src/terminal/link.ts';
import { folderOf } from '../../../simulation/agent.ts';
import { PartClock, type SimClock, type Wall } from '../../../simulation/sim-clock.ts';

/** The config's defaults. */
const RECOVERY = { settleMs: null, readIntervalMs: 5000, askPersonAfterMs: 120_000, giveUpMs: 240_000 };
const LIMITS = { waitMs: 60_000, maxAgeMs: 300_000, maxWaiting: 20 };
/** Less often than by default: the model has no heartbeat. */
const HEARTBEAT_MS = 60_000;
const AGENT = 'agent-1';

export const DEVICE: Device = {
  id: '0199c0de-0000-7000-8000-0000000000d1',
  name: 'Counter 1',
  driver: zvt.id,
  currency: 'EUR',
  minAmountMinor: 1,
  maxAmountMinor: 999_999,
  onNetwork: true,
};

export interface AgentRunDeps {
  readonly folder: string;
  readonly time: SimClock;
  /** The machine's wall clock, which outlives the process. */
  readonly wall: Wall;
  readonly ids: Ids;
  readonly openLink: OpenLink;
}

/**
 * One process run of the agent: the real core, its SQLite store and the ZVT driver, wired as `agent/` wires them, without the service.
 * A crash drops everything between two awaits: its clock stops and its database is closed.
 */
export class AgentRun {
  readonly core: PaymentCore;
  readonly #clock: PartClock;
  readonly #money: Money;

  constructor({ folder, time, wall, ids, openLink }: AgentRunDeps) {
    const clock = new PartClock(time, wall);
    this.#clock = clock;
    const log = silentLog;
    const lifecycle = new Lifecycle(log);
    const money = openMoney({ folder: folderOf(folder), version: '0.1.0', clock, ids, log, lifecycle });
    this.#money = money;
    const terminal = {
      driver,
      capabilities: zvt.capabilities,
      driverOptions: zvt.options.parse({}),
      connectsPerExchange: false,
      openLink,
      heartbeatMs: HEARTBEAT_MS,
    };
    this.core = createPaymentCore(
      {
        store: money.payments,
        terminals: money.identities,
        reports: {
          create: (attempt: Attempt) => createBody(attempt, AGENT),
          result: (attempt: Attempt) => resultBody(attempt, AGENT),
        },
        limits: LIMITS,
        recovery: RECOVERY,
        databaseAge: databaseAgeIn(money),
        clock,
        elapsed: money.elapsed,
        ids,
        log,
        fatal: (error) => {
          throw error;
        },
      },
      [{ device: DEVICE, terminal, log, policy: { lateApproval: 'keep', partialApproval: 'keep' } }],
    );
    this.core.queues.inherit();
    this.core.queues.start();
  }

  /** An attempt, where its database knows it. */
  find(id: string): Attempt | null {
    return this.#money.payments.findAttempt(id);
  }

  /** What the daemon does every ten minutes. */
  keepTime(): void {
    this.#money.elapsed.keep();
  }

  crash(): void {
    this.#clock.die();
    this.#money.database.close();
  }
}
