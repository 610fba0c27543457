import type { Timer } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import type { BehaviourSwitch } from './behaviour.ts';
import { invalid, notFound, refuse } from './errors.ts';
import type { Ledger } from './ledger.ts';
import { cursorPage, type Page, type Query, single, uuids } from './pagination.ts';
import { type DeliveryRecord, DeliveryStatus, type EventRecord } from './records.ts';
import { iso, type ServiceClock } from './service-clock.ts';
import { type AttemptOutcome, attemptOf, type Parcel } from './webhook-attempt.ts';

/** Delays of the six attempts, from the creation of the delivery. */
const SCHEDULE_MS = [0, 5, 30, 120, 480, 1440].map((minutes) => minutes * 60_000);

const LEAST_GAP_MS = 5 * 60_000;

/**
 * Sends events to the registered endpoints: signed, six attempts, across restarts.
 *
 * INVARIANTS:
 * - a pending delivery has exactly one timer or is in its endpoint's queue, so that a slow receiver delays its own deliveries only;
 * - only a 2xx is an acknowledgement; redirects are not followed;
 * - the result of an attempt is committed before the next one is planned.
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

  /** Plans the deliveries that an earlier run left pending. */
  start(): void {
    this.#stopping = new AbortController();
    for (const delivery of this.#ledger.deliveries.values()) this.#plan(delivery);
  }

  /** Ends timers and running requests; pending deliveries stay pending. */
  stop(): void {
    this.#stopping.abort(new Error('the sandbox service stops'));
    for (const timer of this.#timers.values()) timer.stop();
    this.#timers.clear();
  }

  /** Adds a delivery for each endpoint that subscribes to this event; the caller commits. */
  enqueue(event: EventRecord): void {
    for (const endpoint of this.#ledger.endpoints.values()) {
      if (endpoint.status === 'enabled' && endpoint.events.includes(event.type)) {
        this.#add({ eventId: event.id, eventType: event.type, endpointId: endpoint.id });
      }
    }
  }

  /** `GET /webhook-deliveries`: newest first, by `endpoint_id`, `event_id` and `status`. @throws Refusal 400. */
  list(query: Query): Page<Record<string, unknown>> {
    const status = DeliveryStatus.optional().safeParse(single(query, 'status'));
    if (!status.success) throw invalid('status', 'status is not a state of a delivery.');
    const endpoints = uuids(query, 'endpoint_id');
    const eventId = single(query, 'event_id');
    const page = cursorPage([...this.#ledger.deliveries.values()], query, {
      isWanted: (delivery) =>
        (status.data === undefined || delivery.status === status.data) &&
        (endpoints.size === 0 || endpoints.has(delivery.endpointId)) &&
        (eventId === undefined || delivery.eventId === eventId),
      inOrder: (found) => found.reverse(),
    });
    return { ...page, data: page.data.map((delivery) => this.#view(delivery)) };
  }

  /**
   * `POST /webhook-deliveries/{id}/redeliver`: a new delivery of the same event with six new attempts; the caller commits.
   * @throws Refusal 404 for an unknown one; 400 `invalid_status` when its endpoint is deleted or disabled, or its event is deleted.
   */
  redeliver(id: string): Record<string, unknown> {
    const delivery = this.#ledger.deliveries.get(id.toLowerCase());
    if (!delivery) throw notFound('webhook delivery');
    const parcel = this.#parcelOf(delivery);
    if (typeof parcel === 'string') throw refuse(400, 'invalid_status', `Not possible: ${parcel}.`);
    const { eventId, eventType, endpointId } = delivery;
    return this.#view(this.#add({ eventId, eventType, endpointId }));
  }

  #add(of: Pick<DeliveryRecord, 'eventId' | 'eventType' | 'endpointId'>): DeliveryRecord {
    const now = this.#clock.now();
    const delivery: DeliveryRecord = {
      ...of,
      id: this.#ids.uuid(),
      status: 'pending',
      attempts: 0,
      createdAt: now,
      nextAt: now,
      deliveredAt: null,
      responseStatus: null,
      lastError: null,
    };
    this.#ledger.deliveries.set(delivery.id, delivery);
    this.#plan(delivery);
    return delivery;
  }

  #plan(delivery: DeliveryRecord): void {
    if (delivery.status !== 'pending' || this.#stopping.signal.aborted) return;
    const inMs = Math.max(0, delivery.nextAt - this.#clock.now());
    const timer = this.#clock.timer('sandbox webhook', inMs, () => {
      this.#timers.delete(delivery.id);
      this.#enter(delivery.endpointId, () => this.#attempt(delivery.id)).catch((error: unknown) =>
        this.#log.error({ error: messageOf(error) }, 'sandbox webhook delivery broke'),
      );
    });
    this.#timers.set(delivery.id, timer);
  }

  async #attempt(id: string): Promise<void> {
    const signal = this.#stopping.signal;
    const delivery = this.#ledger.deliveries.get(id);
    if (signal.aborted || delivery?.status !== 'pending') return;
    const startedAt = this.#clock.now();
    const parcel = this.#parcelOf(delivery);
    const next =
      typeof parcel === 'string'
        ? { ...delivery, status: 'failed' as const, lastError: parcel }
        : afterAttempt(delivery, await this.#send(parcel, signal), startedAt, this.#clock.now());
    if (signal.aborted || this.#ledger.deliveries.get(id)?.status !== 'pending') return;
    this.#ledger.deliveries.set(id, next);
    this.#ledger.commit();
    this.#log.debug(
      { delivery: id, status: next.status, attempts: next.attempts, error: next.lastError },
      'sandbox webhook sent',
    );
    this.#plan(next);
  }

  /** The next request, or the reason why the delivery has failed. */
  #parcelOf({ endpointId, eventId }: DeliveryRecord): Parcel | string {
    const endpoint = this.#ledger.endpoints.get(endpointId);
    const event = this.#ledger.events.get(eventId);
    if (!endpoint) return 'the endpoint is gone';
    if (endpoint.status === 'disabled') return 'the endpoint is disabled';
    if (!event) return 'the event is not kept any more';
    return { url: endpoint.url, secret: endpoint.secret, body: JSON.stringify(event) };
  }

  async #send(parcel: Parcel, signal: AbortSignal): Promise<AttemptOutcome> {
    if (this.#behaviour.now.offline) return OFFLINE;
    const outcome = await attemptOf(parcel, this.#clock, signal);
    return this.#behaviour.now.duplicate ? attemptOf(parcel, this.#clock, signal) : outcome;
  }

  async #enter(endpointId: string, attempt: () => Promise<void>): Promise<void> {
    const queue = this.#queues.get(endpointId) ?? new SerialQueue();
    this.#queues.set(endpointId, queue);
    try {
      await queue.run(attempt);
    } finally {
      if (queue.length === 0) this.#queues.delete(endpointId);
    }
  }

  #view(delivery: DeliveryRecord): Record<string, unknown> {
    const { id, eventId, endpointId, status, attempts } = delivery;
    return {
      id,
      object: 'webhook_delivery',
      event_id: eventId,
      event_type: delivery.eventType ?? this.#ledger.events.get(eventId)?.type ?? null,
      endpoint_id: endpointId,
      status,
      attempts,
      next_attempt_at: status === 'pending' ? iso(delivery.nextAt) : null,
      response_status: delivery.responseStatus,
      last_error: delivery.lastError,
      created_at: iso(delivery.createdAt),
      delivered_at: iso(delivery.deliveredAt),
    };
  }
}

const OFFLINE: AttemptOutcome = { responseStatus: null, lastError: 'offline' };

/** After a late attempt (a restart, a slow receiver) the next one keeps its distance. */
function afterAttempt(
  delivery: DeliveryRecord,
  outcome: AttemptOutcome,
  startedAt: number,
  now: number,
): DeliveryRecord {
  const attempts = delivery.attempts + 1;
  const ended = { ...delivery, ...outcome, attempts };
  if (outcome.lastError === null) return { ...ended, status: 'delivered', deliveredAt: now };
  const inMs = SCHEDULE_MS[attempts];
  if (inMs === undefined) return { ...ended, status: 'failed' };
  return { ...ended, nextAt: Math.max(delivery.createdAt + inMs, startedAt + LEAST_GAP_MS) };
}
