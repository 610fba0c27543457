import { driver } from '../../../../drivers/terminals/zvt/driver.ts';
import { zvt } from '../../../../drivers/terminals/zvt/manifest.ts';
import { type Agent, createAgent } from '../../../../src/agent/create-agent.ts';
import { type Money, openMoney } from '../../../../src/agent/money.ts';
import type { Ids } from '../../../../src/base/ids.ts';
import { silentLog } from '../../../../src/base/log.ts';
import type { Attempt } from '../../../../src/payment/attempt/attempt.ts';
import { Lifecycle } from '../../../../src/runtime/lifecycle.ts';
import type { Device } from '../../../../src/terminal/device.ts';
import type { OpenLink } from '../../../../src/terminal/link.ts';
import { PartClock, type SimClock, type Wall } from '../../../simulation/sim-clock.ts';
import { stateFolder } from '../../../support/state-folder.ts';
import { unreachableService } from '../../../support/unreachable-service.ts';

/** The config's defaults. */
const RECOVERY = { settleMs: null, readIntervalMs: 5000, askPersonAfterMs: 120_000, giveUpMs: 240_000 };
const LIMITS = { waitMs: 60_000, maxAgeMs: 300_000, maxWaiting: 20 };
/** Less often than by default: the model has no heartbeat. */
const HEARTBEAT_MS = 60_000;

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
 * One process run of the agent: the real core, its SQLite store and the ZVT driver, wired as the daemon's, with a
 * service whose link is not started: the model has none.
 * A crash drops everything between two awaits: its clock stops and its database is closed.
 */
export class AgentRun {
  readonly core: Agent;
  readonly #clock: PartClock;
  readonly #money: Money;

  constructor({ folder, time, wall, ids, openLink }: AgentRunDeps) {
    const clock = new PartClock(time, wall);
    this.#clock = clock;
    const log = silentLog;
    const lifecycle = new Lifecycle(log);
    const money = openMoney({ folder: stateFolder(folder), version: '0.1.0', clock, ids, log, lifecycle });
    this.#money = money;
    const terminal = {
      driver,
      capabilities: zvt.capabilities,
      driverOptions: zvt.options.parse({}),
      connectsPerExchange: false,
      openLink,
      heartbeatMs: HEARTBEAT_MS,
    };
    this.core = createAgent({
      name: 'agent-1',
      money,
      counters: [
        { device: DEVICE, terminal, log, policy: { lateApproval: 'keep', partialApproval: 'keep' } },
      ],
      service: unreachableService(clock),
      limits: LIMITS,
      recovery: RECOVERY,
      clock,
      ids,
      log,
      fatal: (error) => {
        throw error;
      },
    });
    this.core.inherit();
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
