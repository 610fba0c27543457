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
    .array(
      z
        .string()
        .transform((type) => type.replace(/^billing\./, ''))
        .refine((type) => EVENT_TYPES.has(type), 'is not an event type'),
    )
    .min(1)
    .max(100),
};
const CHANGES = {
  url: FIELDS.url.optional(),
  events: FIELDS.events.optional(),
  status: z.enum(['enabled', 'disabled']).optional(),
};

/** Registered webhook endpoints. */
export class WebhookEndpoints {
  readonly #ledger: Ledger;
  readonly #clock: ServiceClock;
  readonly #ids: Ids;
  readonly #bodies: ReturnType<typeof bodiesOf>;

  constructor(ledger: Ledger, clock: ServiceClock, ids: Ids, strict: boolean) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#ids = ids;
    this.#bodies = bodiesOf(strict);
  }

  /** `POST /webhook-endpoints` and `POST /v1/webhooks`: with the signing secret. @throws Refusal 400. */
  create(body: unknown): Answer {
    const { url, events } = parseBody(this.#bodies.create, body);
    if (this.#ledger.endpoints.size >= LIMITS.endpoints) {
      throw refuse(400, 'validation_error', `At most ${LIMITS.endpoints} webhook endpoints.`, {
        param: 'url',
      });
    }
    const endpoint: EndpointRecord = {
      id: this.#ids.uuid(),
      url,
      events: [...new Set(events)],
      secret: aSecret(),
      status: 'enabled',
      createdAt: this.#clock.now(),
      updatedAt: null,
    };
    this.#ledger.endpoints.set(endpoint.id, endpoint);
    return { status: 201, body: { data: { ...endpointView(endpoint), secret: endpoint.secret } } };
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

  /** `PATCH /webhook-endpoints/{id}`: at least one of url, events, status; applies from the next attempt on. @throws Refusal 400, 404. */
  update(id: string, body: unknown): Record<string, unknown> {
    const endpoint = this.#get(id);
    const { url, events, status } = parseBody(this.#bodies.update, body);
    return endpointView(
      this.#change(endpoint, {
        url: url ?? endpoint.url,
        events: events ? [...new Set(events)] : endpoint.events,
        status: status ?? endpoint.status,
      }),
    );
  }

  /** `POST /webhook-endpoints/{id}/roll-secret`: the new secret signs from the next attempt on. @throws Refusal 404. */
  rollSecret(id: string, body: unknown): Record<string, unknown> {
    const endpoint = this.#get(id);
    this.requireNoBody(body);
    const secret = aSecret();
    return { ...endpointView(this.#change(endpoint, { secret })), secret };
  }

  /** `DELETE /webhook-endpoints/{id}`: its pending deliveries fail. @throws Refusal 404. */
  remove(id: string, body: unknown): Record<string, unknown> {
    const endpoint = this.#get(id);
    this.requireNoBody(body);
    this.#ledger.endpoints.delete(endpoint.id);
    for (const delivery of this.#ledger.deliveries.values()) {
      if (delivery.endpointId !== endpoint.id || delivery.status !== 'pending') continue;
      const failed = { ...delivery, status: 'failed' as const, lastError: 'endpoint deleted' };
      this.#ledger.deliveries.set(delivery.id, failed);
    }
    return { id: endpoint.id, object: 'webhook_endpoint', deleted: true };
  }

  /** For operations without a body: nothing, or an object without fields. @throws Refusal 400. */
  requireNoBody(body: unknown): void {
    parseBody(this.#bodies.none, body ?? {});
  }

  #change(endpoint: EndpointRecord, change: Partial<EndpointRecord>): EndpointRecord {
    const changed = { ...endpoint, ...change, updatedAt: this.#clock.now() };
    this.#ledger.endpoints.set(endpoint.id, changed);
    return changed;
  }

  #get(id: string): EndpointRecord {
    const endpoint = this.#ledger.endpoints.get(id.toLowerCase());
    if (!endpoint) throw notFound('webhook endpoint');
    return endpoint;
  }
}

function bodiesOf(strict: boolean) {
  const object = <T extends z.ZodRawShape>(fields: T) => (strict ? z.strictObject(fields) : z.object(fields));
  const isChange = (body: object) => Object.keys(body).length > 0;
  return {
    create: object(FIELDS),
    update: object(CHANGES).refine(isChange, 'Send at least one of url, events and status.'),
    none: object({}),
  };
}

function endpointView(endpoint: EndpointRecord): Record<string, unknown> {
  const { id, url, events, status, createdAt, updatedAt } = endpoint;
  return {
    id,
    object: 'webhook_endpoint',
    url,
    events,
    status,
    created_at: iso(createdAt),
    updated_at: iso(updatedAt ?? createdAt),
  };
}

/** A signing secret must not be guessable, so it comes from the system, not from the seeded Ids port. */
function aSecret(): string {
  return `whsec_${randomBytes(24).toString('hex')}`;
}

function isAllowed(text: string): boolean {
  const url = URL.parse(text);
  if (url === null) return false;
  if (url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackName(url.hostname));
}
