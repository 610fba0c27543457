import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../base/errors.ts';
import { type DeliverDeps, deliver } from './alerts/deliver.ts';
import { evaluate } from './alerts/evaluate.ts';
import { isAway } from './database/away.ts';
import { asTenant, type Database } from './database/connect.ts';
import { printable } from './printing.ts';
import { advanceRollouts } from './rollouts/advance.ts';

/** Between two looks of one hub: the alerts of a tenant are evaluated once a minute, by that hub of several which comes first. */
const PAUSE_MS = 15_000;
/** Tenants whose messages one hub sends at a time. */
const AT_ONCE = 4;

export interface BeatDeps extends DeliverDeps {
  readonly database: Database;
}

/** What a hub does by itself for all tenants until it is stopped: evaluates the rules of alerts, sends what is due, and goes on with rollouts. */
export class Beat {
  readonly #deps: BeatDeps;
  readonly #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor(deps: BeatDeps) {
    this.#deps = deps;
  }

  start(): void {
    // A receiver that is slow holds up no evaluation.
    this.#running = Promise.all(
      [() => this.evaluate(), () => this.deliver(), () => this.advance()].map((work) => this.#repeat(work)),
    );
  }

  /** Waits for what is in work; a message that was being sent may go out again. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** One look at every tenant. */
  async evaluate(): Promise<void> {
    const { database } = this.#deps;
    await this.#eachTenant(1, (tenant) =>
      asTenant(database, tenant, (transaction) => evaluate(transaction, tenant)),
    );
  }

  /** One look at the rollouts of every tenant. */
  async advance(): Promise<void> {
    const { database } = this.#deps;
    await this.#eachTenant(1, (tenant) =>
      asTenant(database, tenant, (transaction) => advanceRollouts(transaction, tenant)),
    );
  }

  /** One turn of sending. */
  async deliver(): Promise<void> {
    const { database } = this.#deps;
    await this.#eachTenant(AT_ONCE, (tenant) => deliver(database, tenant, this.#deps, this.#stop.signal));
  }

  async #repeat(work: () => Promise<void>): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await work().catch(report);
      await sleep(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** A fault of one tenant's rows holds up no other tenant. */
  async #eachTenant(atOnce: number, work: (tenant: string) => Promise<unknown>): Promise<void> {
    const tenants = await this.#deps.database.selectFrom('tenant').select('id').execute();
    const next = tenants.values();
    const inTurn = async () => {
      for (const { id } of next) {
        if (this.#stop.signal.aborted) return;
        await work(id).catch(report);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, inTurn));
  }
}

function report(error: unknown): void {
  if (isAway(error)) return;
  process.stderr.write(`tillhub: in the background: ${printable(messageOf(error))}\n`);
}
