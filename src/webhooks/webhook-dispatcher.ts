import { sleep, type Timer } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import { Wakeup } from '../base/wakeup.ts';
import { afterAttempt, type Delivery, type Outcome } from './delivery.ts';
import type { Endpoint } from './endpoint.ts';
import { readOn } from './feed.ts';
import type { WebhookStore } from './ports.ts';
import { attempt, type WebhookDelivererDeps } from './webhook-deliverer.ts';

export interface WebhookDispatcherDeps extends WebhookDelivererDeps {
  readonly store: WebhookStore;
  /** False while the disk space is short: nothing is recorded and nothing is sent. */
  readonly mayWrite: () => boolean;
  readonly ids: Ids;
  readonly log: Log;
}

/** Concurrent requests over all endpoints. */
const MOST_AT_ONCE = 8;
/** After a commit the answer to the till and the bytes to the terminal go first; events of the same moment are recorded together. */
const PAUSE_MS = 20;
/** The fallback for a missed wake-up and for the timer of the next attempt. */
const NET_MS = 60_000;
/** How soon a failed write is tried again. */
const AGAIN_MS = 1_000;
/** A wall clock that moved by more than this beside the monotonic clock was set, or the machine slept: a clock jump. */
const CLOCK_SLACK_MS = 60_000;
/** How long requests under way may take at a stop. */
const STOP_MS = 2_000;
const PAGES_AT_ONCE = 10;

/**
 * Sends events to the registered endpoints.
 * Why a feed and a wake-up: payments write nothing for it and never wait for it. A commit wakes the dispatcher, which then reads the events
 * from the database. The price is a short pause, and one more transaction for each event with a subscriber.
 *
 * INVARIANTS:
 * - the cursor of the feed and the deliveries before it are written in one transaction: no event is missed, none is recorded twice;
 * - an attempt is recorded after its outcome: a kill in between repeats it (at least once; the event's id identifies a repeat);
 * - at most one request at a time per endpoint, eight in all; an endpoint waits for another only when all eight places are taken;
 * - with no endpoint registered nothing is written.
 */
export class WebhookDispatcher {
  readonly #deps: WebhookDispatcherDeps;
  readonly #wakeup = new Wakeup();
  readonly #deliveries = new Map<string, Promise<void>>();
  /** The last turn of each endpoint: the one that waited longest comes first. */
  readonly #turns = new Map<string, number>();
  #turn = 0;
  /** Read so far in this run; events without a subscriber do not move the cursor in the database. */
  #readTo = 0;
  /** Wall clock minus monotonic clock at the last check. */
  #offset: number | null = null;
  #pause: Timer | null = null;
  /** The error of the last round: logged once, not every second. */
  #trouble: string | null = null;
  /** Requests may be started. */
  #open = false;
  #running: { readonly stop: AbortController; readonly loop: Promise<void> } | null = null;

  constructor(deps: WebhookDispatcherDeps) {
    this.#deps = deps;
  }

  start(): void {
    if (this.#running) return;
    const stop = new AbortController();
    this.#open = true;
    this.#running = { stop, loop: this.#run(stop.signal) };
  }

  /** Lets requests under way end for a moment, then aborts them: they are repeated at the next start. Idempotent. */
  async stop(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#running = null;
    this.#open = false;
    const { clock } = this.#deps;
    const reason = new AppError('STOPPED', 'tilld stops');
    const cut = clock.timer('webhooks stop', this.#deliveries.size > 0 ? STOP_MS : 0, () =>
      running.stop.abort(reason),
    );
    await Promise.all(this.#deliveries.values());
    cut.stop();
    running.stop.abort(reason);
    this.#pause?.stop();
    this.#pause = null;
    await running.loop;
  }

  /** There is a new event, or an endpoint was changed. */
  notify(): void {
    if (!this.#open || this.#pause) return;
    this.#pause = this.#deps.clock.timer('webhook wakeup', PAUSE_MS, () => {
      this.#pause = null;
      this.#wakeup.notify();
    });
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#idle(this.#guardedRound(signal), signal);
    }
  }

  /** A failed write is tried again; the feed and the deliveries are unchanged. */
  #guardedRound(signal: AbortSignal): number {
    try {
      const waitMs = this.#deps.mayWrite() ? this.#round(signal) : AGAIN_MS;
      this.#trouble = null;
      return waitMs;
    } catch (error) {
      const trouble = messageOf(error);
      if (trouble !== this.#trouble) this.#deps.log.error({ error: trouble }, 'webhook round failed');
      this.#trouble = trouble;
      return AGAIN_MS;
    }
  }

  /** Records new events, starts due attempts; returns the ms until the next may be due. */
  #round(signal: AbortSignal): number {
    const endpoints = this.#deps.store.endpoints();
    if (endpoints.length === 0) return NET_MS;
    this.#noticeTheClock();
    if (this.#read()) this.notify();
    return this.#startDeliveries(this.#inTurn(endpoints), signal);
  }

  /** @returns whether there is more to read. */
  #read(): boolean {
    const { store, clock } = this.#deps;
    let step = { to: Math.max(this.#readTo, store.cursor()), more: true };
    for (let pages = 0; step.more && pages < PAGES_AT_ONCE; pages += 1) {
      step = readOn(this.#deps, step.to, clock.now());
      this.#readTo = step.to;
    }
    return step.more;
  }

  #startDeliveries(endpoints: readonly Endpoint[], signal: AbortSignal): number {
    const { store, clock } = this.#deps;
    let soonest = NET_MS;
    for (const endpoint of endpoints) {
      if (!this.#open || this.#deliveries.size >= MOST_AT_ONCE) break;
      if (endpoint.status === 'disabled' || this.#deliveries.has(endpoint.id)) continue;
      const next = store.nextOf(endpoint.id);
      if (next?.status.name !== 'pending') continue;
      const waitMs = next.status.nextAt - clock.now();
      if (waitMs > 0) soonest = Math.min(soonest, waitMs);
      else this.#start(endpoint, next, signal);
    }
    return soonest;
  }

  #inTurn(endpoints: readonly Endpoint[]): readonly Endpoint[] {
    const known = new Set(endpoints.map(({ id }) => id));
    for (const id of this.#turns.keys()) if (!known.has(id)) this.#turns.delete(id);
    return endpoints.toSorted((a, b) => (this.#turns.get(a.id) ?? 0) - (this.#turns.get(b.id) ?? 0));
  }

  #start(endpoint: Endpoint, delivery: Delivery, signal: AbortSignal): void {
    this.#turn += 1;
    this.#turns.set(endpoint.id, this.#turn);
    const delivering = this.#deliver(endpoint, delivery, signal)
      .catch((error: unknown) => {
        if (signal.aborted) return;
        this.#deps.log.error({ delivery: delivery.id, error: messageOf(error) }, 'webhook delivery broke');
      })
      .finally(() => {
        this.#deliveries.delete(endpoint.id);
        this.#wakeup.notify();
      });
    this.#deliveries.set(endpoint.id, delivering);
  }

  async #deliver(endpoint: Endpoint, delivery: Delivery, signal: AbortSignal): Promise<void> {
    const startedAt = this.#deps.clock.now();
    const outcome = await attempt(this.#deps, endpoint, delivery, signal);
    while (!this.#noted(delivery.id, outcome, startedAt)) {
      await sleep(this.#deps.clock, AGAIN_MS, signal, 'webhook outcome');
    }
  }

  /** The endpoint waits until its outcome is on disk: a receiver is not asked again and again because tilld's disk is full. */
  #noted(deliveryId: string, outcome: Outcome, startedAt: number): boolean {
    const { store, clock, log } = this.#deps;
    try {
      const delivery = store.findDelivery(deliveryId);
      if (delivery === null) return true;
      const after = afterAttempt(delivery, outcome, startedAt, clock.now());
      if (after !== delivery) store.updateDelivery(after);
      logResult(log, after);
      return true;
    } catch (error) {
      log.error({ delivery: deliveryId, error: messageOf(error) }, 'outcome of a webhook not noted');
      return false;
    }
  }

  /** At the start, and after a clock jump: see {@link WebhookStore.resume}. */
  #noticeTheClock(): void {
    const { clock, store, log } = this.#deps;
    const now = clock.now();
    const offset = now - clock.monotonic();
    const last = this.#offset;
    const isSteady = last !== null && Math.abs(offset - last) <= CLOCK_SLACK_MS;
    if (!isSteady) store.resume(now);
    if (!isSteady && last !== null) log.info({ byMs: offset - last }, 'clock was set, or we slept');
    this.#offset = offset;
  }

  async #idle(ms: number, signal: AbortSignal): Promise<void> {
    const timer = this.#deps.clock.timer('webhooks', Math.max(1, ms), () => this.#wakeup.notify());
    await this.#wakeup.wait(signal);
    timer.stop();
  }
}

function logResult(
  log: Log,
  { id, endpointId, eventId, eventType, attempts, status, lastError }: Delivery,
): void {
  const facts = { delivery: id, endpoint: endpointId, event: eventId, type: eventType, attempts };
  if (status.name === 'failed') log.warn({ ...facts, error: lastError }, 'webhook failed');
  else if (status.name === 'pending') log.info({ ...facts, error: lastError }, 'webhook not acknowledged');
  else log.debug(facts, 'webhook delivered');
}
