import { createAgent, type Agent as TilldAgent } from '../../src/agent/create-agent.ts';
import { type Money, openMoney } from '../../src/agent/money.ts';
import { hasCode } from '../../src/base/errors.ts';
import type { Ids } from '../../src/base/ids.ts';
import type { Log } from '../../src/base/log.ts';
import type { HttpClient } from '../../src/net/http-client.ts';
import type { Counter } from '../../src/payment/core.ts';
import type { AttemptView } from '../../src/payment/payments.ts';
import { Lifecycle } from '../../src/runtime/lifecycle.ts';
import { holdStateFolder } from '../../src/runtime/state-folder.ts';
import { witnessPlace } from '../../src/runtime/witness-place.ts';
import { createServiceConnection } from '../../src/service/service-connection.ts';
import type { Link } from '../../src/terminal/link.ts';
import { SERVICE_KEY, type SimService } from '../simulation/service.ts';
import { type Machine, ProcessClock } from './machine.ts';
import type { Place } from './place.ts';

/** Five days: a beat every 15 s would be most of the work. */
const HEARTBEAT_MS = 300_000;
const LIMITS = { waitMs: 60_000, maxAgeMs: 300_000, maxWaiting: 20 };
const RECOVERY = { settleMs: null, readIntervalMs: 5000, askPersonAfterMs: 120_000, giveUpMs: 240_000 };

export interface AgentDeps {
  readonly name: string;
  /** The state folder. */
  readonly folder: string;
  readonly machine: Machine;
  readonly places: readonly Place[];
  readonly service: SimService;
  readonly ids: Ids;
  readonly log: Log;
  /** How the service writes what it answers; default: as it is. */
  readonly line?: (client: HttpClient) => HttpClient;
  /** Hears of each change of a payment once it is on disk. */
  readonly heard: (view: AttemptView) => void;
}

/** One life of tilld: the real core, store, drivers, outbox and link, wired as `agent/` wires them. */
export class Agent {
  readonly core: TilldAgent;
  readonly money: Money;
  readonly #deps: AgentDeps;
  readonly #clock: ProcessClock;
  #isDead = false;

  constructor(deps: AgentDeps) {
    this.#deps = deps;
    const { machine, ids, log, service } = deps;
    const clock = new ProcessClock(machine);
    this.#clock = clock;
    const folder = holdStateFolder(deps.folder);
    folder.release();
    const place = witnessPlace(deps.folder, machine.outside, {});
    const witnesses = {
      machine: machine.identity,
      hardware: machine.identity,
      place,
      boot: `${machine.identity}, start ${machine.starts}`,
    };
    const lifecycle = new Lifecycle(log);
    this.money = openMoney({ folder, version: '0.1.0', clock, ids, log, lifecycle, witnesses });
    const { money } = this;
    const connection = createServiceConnection({
      connect: () => (deps.line ?? asItIs)(service.connect(() => this.#isDead)),
      processRun: money.processRun,
      heardTime: (serviceMs) => money.elapsed.heard('service', serviceMs),
      credential: () => SERVICE_KEY,
      clock,
      log,
    });
    this.core = createAgent({
      name: deps.name,
      money,
      counters: deps.places.map((one) => this.#counter(one)),
      service: { connection, createLocal: true, pollIntervalMs: 20_000 },
      limits: LIMITS,
      recovery: RECOVERY,
      clock,
      ids,
      log,
      fatal: () => this.crash(),
    });
    this.core.inherit();
    this.core.payments.subscribe({
      event: ({ subject }) => {
        if (subject.kind === 'payment' && !this.#isDead) deps.heard(subject.view);
      },
    });
    this.core.start();
    this.#keepTime();
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  get isOnline(): boolean {
    return this.core.link?.health.view.state === 'online';
  }

  /** Everything in memory is gone between two awaits. */
  crash(): void {
    if (this.#isDead) return;
    this.#isDead = true;
    this.#clock.die();
    for (const place of this.#deps.places) place.abandoned();
    this.money.database.close();
  }

  /** The same, told before: what a stop writes is written. */
  stop(): void {
    if (this.#isDead) return;
    try {
      this.money.elapsed.keep();
      this.money.anchorJournal();
    } catch (error) {
      if (!hasCode(error, 'STORAGE_FAILED')) throw error;
    }
    this.crash();
  }

  /** The daemon's scheduled job. */
  #keepTime(): void {
    this.#clock.timer('elapsed time', 600_000, () => {
      this.money.elapsed.keep();
      this.#keepTime();
    });
  }

  #counter(place: Place): Counter {
    const { device, family, options } = place;
    const { log, machine } = this.#deps;
    const terminal = {
      driver: family.driver,
      capabilities: family.manifest.capabilities,
      driverOptions: family.manifest.options.parse(options),
      connectsPerExchange: family.manifest.connection === 'per_exchange',
      openLink: () =>
        new Promise<Link>((resolve, reject) =>
          machine.whenAwake(() => {
            if (!this.#isDead) place.open().then(resolve, reject);
          }),
        ),
      heartbeatMs: HEARTBEAT_MS,
    };
    return { device, terminal, log, policy: { lateApproval: 'void', partialApproval: 'void' } };
  }
}

function asItIs(client: HttpClient): HttpClient {
  return client;
}
