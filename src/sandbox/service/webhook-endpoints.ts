import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Ids } from '../../base/ids.ts';
import { type Answer, notFound, parseBody, refuse } from './errors.ts';
import { EVENT_TYPES } from './event-types.ts';
import type { Ledger } from './ledger.ts';
import { isLoopbackName } from './loopback-name.ts';
import { offsetPage, type Page, type Query } from './pagination.ts';
import type { EndpointRecord } from './records.ts';
import { iso, type ServiceClock } from './service-clock.ts';
import { LIMITS } from './settings.ts';

const FIELDS = {
  url: z.string().max(2048).refine(isAllowed, 'must be https (http on loopback only), without a password'),
  events: z
    .array(z.string().refine((type) => EVENT_TYPES.has(type), 'is not an event type'))
    .min(1)
    .max(100),
};

/** Registered webhook endpoints: create, list, retrieve, delete. */
export class WebhookEndpoints {
  readonly #ledger: Ledger;
  readonly #clock: ServiceClock;
  readonly #ids: Ids;
  readonly #strict: boolean;

  constructor(ledger: Ledger, clock: ServiceClock, ids: Ids, strict: boolean) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#ids = ids;
    this.#strict = strict;
  }

  /** `POST /webhook-endpoints` and `POST /v1/webhooks`: the only answer that shows the signing secret. */
  create(body: unknown): Answer {
    const { url, events } = parseBody(this.#strict ? z.strictObject(FIELDS) : z.object(FIELDS), body);
    if (this.#ledger.endpoints.size >= LIMITS.endpoints) {
      throw refuse(400, 'validation_error', `At most ${LIMITS.endpoints} webhook endpoints.`, {
        param: 'url',
      });
    }
    // A signing secret must not be guessable, so it comes from the system, not from the seeded Ids port.
    const secret = `whsec_${randomBytes(24).toString('hex')}`;
    const endpoint = {
      id: this.#ids.uuid(),
      url,
      events: [...new Set(events)],
      secret,
      createdAt: this.#clock.now(),
    };
    this.#ledger.endpoints.set(endpoint.id, endpoint);
    return { status: 201, body: { data: { ...endpointView(endpoint), secret } } };
  }

  /** `GET /webhook-endpoints`: oldest first. */
  list(query: Query): Page<Record<string, unknown>> {
    const page = offsetPage([...this.#ledger.endpoints.values()], query);
    return { ...page, data: page.data.map(endpointView) };
  }

  /** `GET /webhook-endpoints/{id}`. @throws Refusal 404. */
  view(id: string): Record<string, unknown> {
    return endpointView(this.#get(id));
  }

  /** `DELETE /webhook-endpoints/{id}`: what was still to be delivered to it has failed. */
  remove(id: string): Answer {
    const endpoint = this.#get(id);
    this.#ledger.endpoints.delete(endpoint.id);
    for (const delivery of this.#ledger.deliveries.values()) {
      if (delivery.endpointId !== endpoint.id || delivery.status !== 'pending') continue;
      this.#ledger.deliveries.set(delivery.id, {
        ...delivery,
        status: 'failed',
        lastError: 'endpoint deleted',
      });
    }
    return { status: 200, body: { data: { id: endpoint.id, object: 'webhook_endpoint', deleted: true } } };
  }

  #get(id: string): EndpointRecord {
    const endpoint = this.#ledger.endpoints.get(id.toLowerCase());
    if (!endpoint) throw notFound('webhook endpoint');
    return endpoint;
  }
}

function endpointView(endpoint: EndpointRecord): Record<string, unknown> {
  const { id, url, events, createdAt } = endpoint;
  return { id, object: 'webhook_endpoint', url, events, status: 'enabled', created_at: iso(createdAt) };
}

function isAllowed(text: string): boolean {
  const url = URL.parse(text);
  if (url === null) return false;
  if (url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackName(url.hostname));
}
