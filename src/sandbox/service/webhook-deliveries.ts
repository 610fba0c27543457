import { createHmac } from 'node:crypto';
import type { Timer } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import type { BehaviourSwitch } from './behaviour.ts';
import type { Ledger } from './ledger.ts';
import { cursorPage, type Page, type Query } from './pagination.ts';
import type { DeliveryRecord, EventRecord } from './records.ts';
import { iso, type ServiceClock } from './service-clock.ts';
import { LIMITS } from './settings.ts';

/** When the six attempts are made, counted from the event. */
const SCHEDULE_MS = [0, 5, 30, 120, 480, 1440].map((minutes) => minutes * 60_000);

/**
 * Sends events to the registered endpoints: signed, six attempts, across restarts.
 *
 * INVARIANTS:
 * - a pending delivery has exactly one timer or is in its endpoint's queue;
 * - only a 2xx is an acknowledgement; redirects are not followed;
 * - the outcome of an attempt is committed before the next one is planned.
 */
export class WebhookDeliveries {
  readonly #ledger: Ledger;
  readonly #clock: ServiceClock;
  readonly #ids: Ids;
  readonly #log: Log;
  readonly #behaviour: BehaviourSwitch;
  readonly #timers = new Map<string, Timer>();
  readonly #queues = new Map<string, SerialQueue>();
  #stopping = new AbortController();

  constructor(ledger: Ledger, clock: ServiceClock, ids: Ids, log: Log, behaviour: BehaviourSwitch) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#ids = ids;
    this.#log = log;
    this.#behaviour = behaviour;
  }

  /** Plans what an earlier run left pending. */
  start(): void {
    this.#stopping = new AbortController();
    for (const delivery of this.#ledger.deliveries.values()) this.#plan(delivery);
  }

  /** Ends timers and running requests; what is pending stays so. */
  stop(): void {
    this.#stopping.abort(new Error('the sandbox service stops'));
    for (const timer of this.#timers.values()) timer.stop();
    this.#timers.clear();
  }

  /** Notes a delivery for each endpoint that wants this event; the caller commits. */
  enqueue(event: EventRecord): void {
    const now = this.#clock.now();
    for (const endpoint of this.#ledger.endpoints.values()) {
      if (!endpoint.events.includes(event.type)) continue;
      const delivery: DeliveryRecord = {
        id: this.#ids.uuid(),
        eventId: event.id,
        endpointId: endpoint.id,
        status: 'pending',
        attempts: 0,
        createdAt: now,
        nextAt: now,
        responseStatus: null,
        lastError: null,
      };
      this.#ledger.deliveries.set(delivery.id, delivery);
      this.#plan(delivery);
    }
  }

  /** `GET /webhook-deliveries`: newest first. */
  list(query: Query): Page<Record<string, unknown>> {
    const page = cursorPage([...this.#ledger.deliveries.values()].reverse(), query);
    return { ...page, data: page.data.map(deliveryView) };
  }

  #plan(delivery: DeliveryRecord): void {
    if (delivery.status !== 'pending' || this.#stopping.signal.aborted) return;
    const inMs = Math.max(0, delivery.nextAt - this.#clock.now());
    const timer = this.#clock.timer('sandbox webhook', inMs, () => {
      this.#timers.delete(delivery.id);
      this.#queueOf(delivery.endpointId)
        .run(() => this.#attempt(delivery.id))
        .catch((error: unknown) =>
          this.#log.error({ error: messageOf(error) }, 'sandbox webhook delivery broke'),
        );
    });
    this.#timers.set(delivery.id, timer);
  }

  async #attempt(id: string): Promise<void> {
    const signal = this.#stopping.signal;
    const delivery = this.#ledger.deliveries.get(id);
    if (signal.aborted || delivery?.status !== 'pending') return;
    const outcome = await this.#send(delivery, signal);
    if (signal.aborted || this.#ledger.deliveries.get(id)?.status !== 'pending') return;
    const next = afterAttempt(delivery, outcome);
    this.#ledger.deliveries.set(id, next);
    this.#ledger.commit();
    this.#log.debug(
      { delivery: id, status: next.status, attempts: next.attempts, ...outcome },
      'sandbox webhook sent',
    );
    this.#plan(next);
  }

  async #send(delivery: DeliveryRecord, signal: AbortSignal): Promise<AttemptOutcome> {
    const endpoint = this.#ledger.endpoints.get(delivery.endpointId);
    const event = this.#ledger.events.get(delivery.eventId);
    if (!endpoint || !event) return { responseStatus: null, lastError: 'the event or its endpoint is gone' };
    if (this.#behaviour.now.offline) return { responseStatus: null, lastError: 'offline' };
    const body = JSON.stringify(event);
    const outcome = await this.#post(endpoint.url, endpoint.secret, body, signal);
    return this.#behaviour.now.duplicate ? this.#post(endpoint.url, endpoint.secret, body, signal) : outcome;
  }

  async #post(url: string, secret: string, body: string, stopping: AbortSignal): Promise<AttemptOutcome> {
    const timeout = new AbortController();
    const timer = this.#clock.timer('sandbox webhook timeout', LIMITS.webhookTimeoutMs, () =>
      timeout.abort(new Error('no answer in time')),
    );
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'X-Service-Signature': signatureOf(body, secret, Math.floor(this.#clock.now() / 1000)),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([timeout.signal, stopping]),
      });
      await response.body?.cancel();
      return { responseStatus: response.status, lastError: response.ok ? null : `status ${response.status}` };
    } catch (error) {
      return { responseStatus: null, lastError: messageOf(error).slice(0, 200) };
    } finally {
      timer.stop();
    }
  }

  #queueOf(endpointId: string): SerialQueue {
    const queue = this.#queues.get(endpointId) ?? new SerialQueue();
    this.#queues.set(endpointId, queue);
    return queue;
  }
}

/** `t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`. */
export function signatureOf(body: string, secret: string, seconds: number): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

type AttemptOutcome = Pick<DeliveryRecord, 'responseStatus' | 'lastError'>;

function afterAttempt(delivery: DeliveryRecord, outcome: AttemptOutcome): DeliveryRecord {
  const attempts = delivery.attempts + 1;
  const inMs = SCHEDULE_MS[attempts];
  const open = inMs === undefined ? 'failed' : 'pending';
  return {
    ...delivery,
    ...outcome,
    attempts,
    status: outcome.lastError === null ? 'delivered' : open,
    nextAt: inMs === undefined ? delivery.nextAt : delivery.createdAt + inMs,
  };
}

function deliveryView(delivery: DeliveryRecord): Record<string, unknown> {
  return {
    id: delivery.id,
    object: 'webhook_delivery',
    event_id: delivery.eventId,
    endpoint_id: delivery.endpointId,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: delivery.status === 'pending' ? iso(delivery.nextAt) : null,
    response_status: delivery.responseStatus,
    last_error: delivery.lastError,
    created_at: iso(delivery.createdAt),
  };
}
