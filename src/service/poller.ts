import type { Clock } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import { Wakeup } from '../base/wakeup.ts';
import type { Budget } from '../outbox/budget.ts';
import type { FeedPlace } from '../outbox/ports.ts';
import type { ServiceTime } from '../outbox/report-port.ts';
import type { ServiceWork } from '../payment/guards/service-work.ts';
import { Cancellations } from './cancellations.ts';
import { Claims } from './claims.ts';
import type { ServicePayment } from './contract.ts';
import type { CreateWatch } from './create-watch.ts';
import type { HookWakeup, ListedWork } from './hook-wakeup.ts';
import { PaymentLists } from './payment-lists.ts';
import type { ServiceClient } from './service-client.ts';

export interface PollerDeps {
  readonly client: ServiceClient;
  readonly work: ServiceWork;
  readonly place: FeedPlace;
  readonly serviceTime: ServiceTime;
  readonly creates: Pick<CreateWatch, 'mayBeOurs'>;
  /** Webhooks; absent: tilld receives none. */
  readonly wakeup?: HookWakeup;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

export interface PollerOptions {
  /** This installation's name at the service; no two installations may share it. */
  readonly agent: string;
  /** The id of this machine and state folder; absent: claims name the agent alone. */
  readonly instance?: string;
  readonly deviceIds: readonly string[];
  /** Between two polls, with jitter; the budget may make it longer. */
  readonly intervalMs?: number;
  /** Between two checks for cancelled payments; each replaces a poll when the budget is small. */
  readonly cancelIntervalMs?: number;
  /** After a key that has been refused for ten minutes; before that the usual interval, so that a poll soon notices an accepted key. */
  readonly slowMs?: number;
  /** Older work is claimed and handed over, too, with a log entry. */
  readonly maxAgeMs?: number;
}

const REFUSED_QUICKLY_MS = 600_000;

/**
 * Fetches the work that the service has for this agent's devices, claims it and passes it to the payment core; reads what the service cancelled.
 *
 * INVARIANTS:
 * - one request at a time, each inside the budget for polls;
 * - work without a claim of {@link Claims} is never passed on;
 * - nothing is claimed before this agent's newest payments at the service were compared with the books, at the start and after each interruption.
 */
export class Poller {
  readonly #deps: PollerDeps;
  readonly #options: Required<Omit<PollerOptions, 'instance'>>;
  readonly #lists: PaymentLists;
  readonly #cancellations: Cancellations;
  readonly #claims: Claims;
  readonly #wakeup = new Wakeup();
  #cancelsDueAt = 0;
  #isCompared = false;
  /** Monotonic; null: the key is not refused. */
  #refusedSince: number | null = null;
  #running: { readonly stop: AbortController; readonly loop: Promise<void> } | null = null;

  constructor(deps: PollerDeps, options: PollerOptions) {
    this.#deps = deps;
    this.#options = {
      intervalMs: 4_000,
      cancelIntervalMs: 12_000,
      slowMs: 60_000,
      maxAgeMs: 300_000,
      ...options,
    };
    this.#lists = new PaymentLists(deps, this.#options.deviceIds);
    this.#cancellations = new Cancellations({ ...deps, lists: this.#lists });
    const wasCancelled = (id: string) => this.#cancellations.wasCancelled(id);
    const { instance } = options;
    const claimant = instance === undefined ? options.agent : `${options.agent}/${instance}`;
    this.#claims = new Claims({ ...deps, wasCancelled }, { ...this.#options, claimant });
  }

  start(): void {
    if (this.#running || this.#options.deviceIds.length === 0) return;
    this.#cancellations.start();
    const stop = new AbortController();
    this.#running = { stop, loop: this.#run(stop.signal) };
  }

  /** Aborts a running poll and waits for its end; idempotent. */
  async stop(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    running.stop.abort(new AppError('STOPPED', 'the poller was stopped'));
    await running.loop;
    this.#running = null;
  }

  /** Polls now, or as soon as the budget allows. `cancels`: checks for cancelled payments at once, too. */
  poke(cancels = false): void {
    if (cancels) this.#cancelsDueAt = 0;
    this.#wakeup.notify();
  }

  /** The line was interrupted: the payments at the service are compared with the books before more work is claimed. */
  lineRestored(): void {
    this.#isCompared = false;
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let waitMs = this.#jittered(this.#options.intervalMs);
      try {
        waitMs = await this.#round(signal);
      } catch (error) {
        if (!signal.aborted) this.#deps.log.error({ error: messageOf(error) }, 'poll for work failed');
      }
      await this.#idle(waitMs, signal);
    }
  }

  /** Runs what is due; returns the ms until the next round. */
  async #round(signal: AbortSignal): Promise<number> {
    if (this.#deps.clock.monotonic() >= this.#cancelsDueAt) {
      const waitMs = this.#deps.budget.take('poll');
      if (waitMs > 0) return waitMs;
      const { kind } = await this.#cancellations.look(signal);
      this.#cancelsDueAt = this.#deps.clock.monotonic() + this.#jittered(this.#options.cancelIntervalMs);
      if (kind === 'unauthorised') return this.#refusedMs();
      if (kind === 'unavailable') return this.#jittered(this.#options.intervalMs);
    }
    return this.#poll(signal);
  }

  /**
   * Checks whether the service knows a payment that this agent reported and that is not in the books. A service that refuses the list proves nothing.
   * @returns false when it did not answer
   */
  async #compare(signal: AbortSignal): Promise<boolean> {
    const { work, budget } = this.#deps;
    budget.spend();
    const { answer, dateMs } = await this.#lists.newest(signal);
    const { kind } = answer;
    if (kind === 'rate_limited') budget.exhausted(answer.retryAfterMs);
    if (kind === 'unavailable' || kind === 'rate_limited') return false;
    const items = kind === 'applied' ? answer.value.items : [];
    const ages = agesOf(items, dateMs);
    for (const [index, payment] of items.entries()) {
      const attempt = attemptOf(payment, this.#options.agent);
      if (attempt !== null) work.unknownAttempt?.(payment.id, attempt, ages[index]?.ageMs ?? null);
    }
    if (kind === 'applied' && answer.value.unreadable === 0) work.compared?.();
    this.#isCompared =
      kind === 'applied' || kind === 'refused' || kind === 'not_found' || kind === 'forbidden';
    return true;
  }

  /** One poll; returns the ms until the next. */
  async #poll(signal: AbortSignal): Promise<number> {
    const { clock, budget, log, work } = this.#deps;
    if (work.mayTake?.() === false) return this.#jittered(this.#options.intervalMs);
    const waitMs = budget.take('poll');
    if (waitMs > 0) return waitMs;
    if (!this.#isCompared && !(await this.#compare(signal))) return this.#jittered(this.#options.intervalMs);
    if (work.mayTake?.() === false) return this.#restMs();
    const askedAt = clock.monotonic();
    const { answer, dateMs } = await this.#lists.requested(signal);
    switch (answer.kind) {
      case 'applied': {
        const { items, unreadable } = answer.value;
        this.#refusedSince = null;
        if (unreadable > 0) log.warn({ unreadable }, 'the service lists payments that cannot be read');
        this.#deps.wakeup?.listed(agesOf(items, dateMs));
        // The line came back with this very answer.
        if (!this.#isCompared) return 1;
        await this.#claims.take(items, dateMs, askedAt, signal);
        return this.#restMs();
      }
      case 'rate_limited':
        budget.exhausted(answer.retryAfterMs);
        return this.#jittered(Math.max(answer.retryAfterMs ?? 0, this.#options.intervalMs));
      case 'unauthorised':
      case 'forbidden':
        return this.#refusedMs();
      default:
        return this.#jittered(this.#options.intervalMs);
    }
  }

  /** The usual interval while ops may be fixing the key, then a long one: a key that stays refused must not load the service. */
  #refusedMs(): number {
    const now = this.#deps.clock.monotonic();
    this.#refusedSince ??= now;
    if (now - this.#refusedSince < REFUSED_QUICKLY_MS) return this.#restMs();
    return this.#jittered(this.#options.slowMs);
  }

  /** Never longer than the interval: the poll after it notices a broken line. */
  #restMs(): number {
    const { intervalMs } = this.#options;
    const restMs = this.#deps.wakeup?.intervalMs(intervalMs) ?? intervalMs;
    return Math.ceil(restMs * (0.75 + this.#deps.ids.random() / 4));
  }

  #jittered(ms: number): number {
    return Math.ceil(ms * (0.75 + this.#deps.ids.random() / 2));
  }

  async #idle(ms: number, signal: AbortSignal): Promise<void> {
    const timer = this.#deps.clock.timer('poll', Math.max(1, ms), () => this.#wakeup.notify());
    await this.#wakeup.wait(signal);
    timer.stop();
  }
}

/** The attempt of this agent that a payment belongs to; null for work, and for a payment that another agent reports. */
function attemptOf({ metadata }: ServicePayment, agent: string): string | null {
  const tilld = metadata?.['tilld'];
  if (typeof tilld !== 'object' || tilld === null) return null;
  if (!('agent' in tilld) || tilld.agent !== agent || !('attempt' in tilld)) return null;
  return typeof tilld.attempt === 'string' ? tilld.attempt : null;
}

function agesOf(payments: readonly ServicePayment[], dateMs: number | null): readonly ListedWork[] {
  return payments.map(({ id, created_at }) => {
    const createdAt = Date.parse(created_at ?? '');
    return { id, ageMs: dateMs === null || Number.isNaN(createdAt) ? null : dateMs - createdAt };
  });
}
