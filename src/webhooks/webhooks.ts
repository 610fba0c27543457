import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Page } from '../base/page.ts';
import type { Sealer } from '../base/sealer.ts';
import { type Delivery, GRACE_MS, newDelivery } from './delivery.ts';
import { type Endpoint, secretPurpose } from './endpoint.ts';
import { reachObjection, urlObjection } from './endpoint-url.ts';
import { catchUp } from './feed.ts';
import type { DeliveryFilter, WebhookStore } from './ports.ts';
import { opened } from './webhook-deliverer.ts';

/** An endpoint as the interface shows it. */
export interface EndpointView extends Omit<Endpoint, 'sealedSecret'> {
  /** Its secret was sealed with a key that is not here any more: nothing is sent until it is rolled. */
  readonly needsNewSecret: boolean;
}

/** An endpoint at the only moment at which its signing secret is shown. */
export interface EndpointWithSecret extends EndpointView {
  readonly secret: string;
}

/** The fields to change; absent fields stay. */
export type EndpointChange = Partial<Pick<Endpoint, 'url' | 'events' | 'status'>>;

export interface WebhooksDeps {
  readonly store: WebhookStore;
  readonly sealer: Sealer;
  /** A new signing secret: `whsec_` and at least 24 random bytes as visible ASCII. */
  readonly newSecret: () => string;
  /** Whether an IP address may receive events. */
  readonly mayReach: (address: string) => boolean;
  /** Wakes the dispatcher. */
  readonly notify: () => void;
  readonly clock: Clock;
  readonly ids: Ids;
}

const MOST_ENDPOINTS = 16;
/** How long an ended delivery can be looked up. */
const KEPT_MS = 30 * 86_400_000;
/** Rows that one run of housekeeping ends or deletes. */
const TIDY_AT_ONCE = 500;
const EXPIRED = 'its 24 hours are over: the endpoint was disabled, or slower than its events';

/**
 * Registered endpoints and their deliveries, as the local interface sees them. Refusals are thrown as AppError and have written nothing:
 * WEBHOOK_ENDPOINT_UNKNOWN, WEBHOOK_ENDPOINTS_FULL, VALIDATION_FAILED (the address), WEBHOOK_DELIVERY_UNKNOWN, WEBHOOK_ENDPOINT_GONE.
 *
 * INVARIANTS:
 * - each change is one transaction with the reading of the events before it;
 * - the secret itself leaves this class in the answers of `create` and `rollSecret`, and in no other.
 */
export class Webhooks {
  readonly #deps: WebhooksDeps;

  constructor(deps: WebhooksDeps) {
    this.#deps = deps;
  }

  /** Registers an endpoint; it receives events from now on. @throws SEAL_KEY_UNUSABLE, STORAGE_FULL, STORAGE_FAILED */
  create({ url, events }: Pick<Endpoint, 'url' | 'events'>): EndpointWithSecret {
    this.#requireUrl(url);
    const { store, clock, ids } = this.#deps;
    if (store.endpoints().length >= MOST_ENDPOINTS) throw full();
    const id = ids.uuid();
    const { secret, sealedSecret } = this.#newSecret(id);
    const now = clock.now();
    const wanted = { url, events: [...new Set(events)], status: 'enabled' } as const;
    const endpoint: Endpoint = { id, ...wanted, sealedSecret, createdAt: now, updatedAt: now };
    store.transaction(() => {
      catchUp(this.#deps, now);
      store.insertEndpoint(endpoint);
    });
    return { ...this.#view(endpoint), secret };
  }

  /** Oldest first. */
  list(): readonly EndpointView[] {
    return this.#deps.store.endpoints().map((endpoint) => this.#view(endpoint));
  }

  get(id: string): EndpointView {
    return this.#view(this.#require(id));
  }

  update(id: string, change: EndpointChange): EndpointView {
    const endpoint = this.#require(id);
    if (change.url !== undefined) this.#requireUrl(change.url);
    const events = [...new Set(change.events ?? endpoint.events)];
    return this.#view(this.#change({ ...endpoint, ...change, events }));
  }

  /** Its pending deliveries fail; earlier ones can still be looked up. */
  remove(id: string): void {
    const { store, clock } = this.#deps;
    const endpoint = this.#require(id);
    const now = clock.now();
    store.transaction(() => {
      catchUp(this.#deps, now);
      store.removeEndpoint(endpoint.id);
      store.failPending(endpoint.id, 'the endpoint was deleted', now);
    });
  }

  /** From the next attempt on the new secret signs; the old one never again. @throws SEAL_KEY_UNUSABLE */
  rollSecret(id: string): EndpointWithSecret {
    const endpoint = this.#require(id);
    const { secret, sealedSecret } = this.#newSecret(endpoint.id);
    return { ...this.#view(this.#change({ ...endpoint, sealedSecret })), secret };
  }

  /** @throws CURSOR_UNKNOWN */
  deliveries(filter: DeliveryFilter): Page<Delivery> {
    return this.#deps.store.listDeliveries(filter);
  }

  /** Sends the same event to the same endpoint once more, as a delivery of its own with six attempts. */
  redeliver(id: string): Delivery {
    const { store, clock, ids, notify } = this.#deps;
    const sent = store.findDelivery(id);
    if (sent === null) throw new AppError('WEBHOOK_DELIVERY_UNKNOWN', 'There is no such webhook delivery');
    const endpoint = this.#find(sent.endpointId);
    if (endpoint?.status !== 'enabled') throw gone(sent, endpoint);
    const event = { id: sent.eventId, type: sent.eventType };
    const again = newDelivery(event, endpoint.id, ids.uuid(), clock.now());
    store.insertDelivery(again);
    notify();
    return again;
  }

  /**
   * Ends pending deliveries that no attempt can reach any more and deletes those that ended long ago, a bounded number of each.
   * @returns how many
   */
  tidy(): { readonly expired: number; readonly forgotten: number } {
    const { store, clock } = this.#deps;
    const now = clock.now();
    const expired = store.expire(now - GRACE_MS, EXPIRED, now, TIDY_AT_ONCE);
    return { expired, forgotten: store.forget(now - KEPT_MS, TIDY_AT_ONCE) };
  }

  #change(changed: Endpoint): Endpoint {
    const { store, clock, notify } = this.#deps;
    const endpoint = { ...changed, updatedAt: clock.now() };
    store.transaction(() => {
      catchUp(this.#deps, endpoint.updatedAt);
      store.updateEndpoint(endpoint);
    });
    notify();
    return endpoint;
  }

  #newSecret(endpointId: string): { readonly secret: string; readonly sealedSecret: string } {
    const { sealer, newSecret } = this.#deps;
    const secret = newSecret();
    return { secret, sealedSecret: sealer.seal(secret, secretPurpose(endpointId)) };
  }

  #view({ sealedSecret, ...shown }: Endpoint): EndpointView {
    return { ...shown, needsNewSecret: opened(this.#deps.sealer, sealedSecret, shown.id) === null };
  }

  #requireUrl(url: string): void {
    const objection = urlObjection(url) ?? reachObjection(url, this.#deps.mayReach);
    if (objection === null) return;
    throw new AppError('VALIDATION_FAILED', `url ${objection}`, { context: { param: 'url' } });
  }

  #find(id: string): Endpoint | undefined {
    return this.#deps.store.endpoints().find((endpoint) => endpoint.id === id);
  }

  #require(id: string): Endpoint {
    const endpoint = this.#find(id);
    if (endpoint) return endpoint;
    throw new AppError('WEBHOOK_ENDPOINT_UNKNOWN', 'There is no such webhook endpoint');
  }
}

function full(): AppError {
  return new AppError(
    'WEBHOOK_ENDPOINTS_FULL',
    `There are ${MOST_ENDPOINTS} webhook endpoints already: delete one first`,
    { context: { details: { most: MOST_ENDPOINTS } } },
  );
}

function gone({ endpointId }: Delivery, endpoint: Endpoint | undefined): AppError {
  const why = endpoint ? 'is disabled: enable it first' : 'was deleted';
  const details = { endpoint_id: endpointId, endpoint_status: endpoint?.status ?? 'deleted' };
  return new AppError('WEBHOOK_ENDPOINT_GONE', `The endpoint of this delivery ${why}`, {
    context: { details },
  });
}
