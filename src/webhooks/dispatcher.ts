import { Bell } from '../base/bell.ts';
import { sleep, type Timer } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import { attempt, type CourierPorts } from './courier.ts';
import { afterAttempt, type Delivery, type Outcome } from './delivery.ts';
import type { Endpoint } from './endpoint.ts';
import { readOn } from './feed.ts';
import type { WebhookStore } from './ports.ts';

export interface DispatcherPorts extends CourierPorts {
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
export class Dispatcher {
  readonly #ports: DispatcherPorts;
  readonly #bell = new Bell();
  readonly #lanes = new Map<string, Promise<void>>();
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

  constructor(ports: DispatcherPorts) {
    this.#ports = ports;
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
    const { clock } = this.#ports;
    const reason = new AppError('STOPPED', 'tilld stops');
    const cut = clock.timer('webhooks stop', this.#lanes.size > 0 ? STOP_MS : 0, () =>
      running.stop.abort(reason),
    );
    await Promise.all(this.#lanes.values());
    cut.stop();
    running.stop.abort(reason);
    this.#pause?.stop();
    this.#pause = null;
    await running.loop;
  }

  /** There is a new event, or an endpoint was changed. */
  ring(): void {
    if (!this.#open || this.#pause) return;
    this.#pause = this.#ports.clock.timer('webhook bell', PAUSE_MS, () => {
      this.#pause = null;
      this.#bell.ring();
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
      const waitMs = this.#ports.mayWrite() ? this.#round(signal) : AGAIN_MS;
      this.#trouble = null;
      return waitMs;
    } catch (error) {
      const trouble = messageOf(error);
      if (trouble !== this.#trouble) this.#ports.log.error({ error: trouble }, 'webhook round failed');
      this.#trouble = trouble;
      return AGAIN_MS;
    }
  }

  /** Records new events, starts due attempts; returns the ms until the next may be due. */
  #round(signal: AbortSignal): number {
    const endpoints = this.#ports.store.endpoints();
    if (endpoints.length === 0) return NET_MS;
    this.#noticeTheClock();
    if (this.#read()) this.ring();
    return this.#startLanes(this.#inTurn(endpoints), signal);
  }

  /** @returns whether there is more to read. */
  #read(): boolean {
    const { store, clock } = this.#ports;
    let step = { to: Math.max(this.#readTo, store.cursor()), more: true };
    for (let pages = 0; step.more && pages < PAGES_AT_ONCE; pages += 1) {
      step = readOn(this.#ports, step.to, clock.now());
      this.#readTo = step.to;
    }
    return step.more;
  }

  #startLanes(endpoints: readonly Endpoint[], signal: AbortSignal): number {
    const { store, clock } = this.#ports;
    let soonest = NET_MS;
    for (const endpoint of endpoints) {
      if (!this.#open || this.#lanes.size >= MOST_AT_ONCE) break;
      if (endpoint.status === 'disabled' || this.#lanes.has(endpoint.id)) continue;
      const next = store.nextOf(endpoint.id);
      if (next?.fate.name !== 'pending') continue;
      const waitMs = next.fate.nextAt - clock.now();
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
    const lane = this.#deliver(endpoint, delivery, signal)
      .catch((error: unknown) => {
        if (signal.aborted) return;
        this.#ports.log.error({ delivery: delivery.id, error: messageOf(error) }, 'webhook delivery broke');
      })
      .finally(() => {
        this.#lanes.delete(endpoint.id);
        this.#bell.ring();
      });
    this.#lanes.set(endpoint.id, lane);
  }

  async #deliver(endpoint: Endpoint, delivery: Delivery, signal: AbortSignal): Promise<void> {
    const startedAt = this.#ports.clock.now();
    const outcome = await attempt(this.#ports, endpoint, delivery, signal);
    while (!this.#noted(delivery.id, outcome, startedAt)) {
      await sleep(this.#ports.clock, AGAIN_MS, signal, 'webhook outcome');
    }
  }

  /** The endpoint waits until its outcome is on disk: a receiver is not asked again and again because tilld's disk is full. */
  #noted(deliveryId: string, outcome: Outcome, startedAt: number): boolean {
    const { store, clock, log } = this.#ports;
    try {
      const delivery = store.findDelivery(deliveryId);
      if (delivery === null) return true;
      const after = afterAttempt(delivery, outcome, startedAt, clock.now());
      if (after !== delivery) store.updateDelivery(after);
      tell(log, after);
      return true;
    } catch (error) {
      log.error({ delivery: deliveryId, error: messageOf(error) }, 'outcome of a webhook not noted');
      return false;
    }
  }

  /** At the start, and after a clock jump: see {@link WebhookStore.resume}. */
  #noticeTheClock(): void {
    const { clock, store, log } = this.#ports;
    const now = clock.now();
    const offset = now - clock.monotonic();
    const last = this.#offset;
    const isSteady = last !== null && Math.abs(offset - last) <= CLOCK_SLACK_MS;
    if (!isSteady) store.resume(now);
    if (!isSteady && last !== null) log.info({ byMs: offset - last }, 'clock was set, or we slept');
    this.#offset = offset;
  }

  async #idle(ms: number, signal: AbortSignal): Promise<void> {
    const timer = this.#ports.clock.timer('webhooks', Math.max(1, ms), () => this.#bell.ring());
    await this.#bell.wait(signal);
    timer.stop();
  }
}

function tell(log: Log, { id, endpointId, eventId, eventType, attempts, fate, lastError }: Delivery): void {
  const facts = { delivery: id, endpoint: endpointId, event: eventId, type: eventType, attempts };
  if (fate.name === 'failed') log.warn({ ...facts, error: lastError }, 'webhook failed');
  else if (fate.name === 'pending') log.info({ ...facts, error: lastError }, 'webhook not acknowledged');
  else log.debug(facts, 'webhook delivered');
}
