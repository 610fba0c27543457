import type { Ids } from '../../base/ids.ts';
import type { Brought } from './brought.ts';
import { HANDFUL, indexOfId, recordOf } from './catalogue.ts';
import { type Answer, notFound, parseBody, refuse } from './errors.ts';
import { type CustomerInput, type IntegrationBodies, integrationBodies } from './integration-bodies.ts';
import { cursorIndex, limitOf, type Page, positionOf, type Query } from './pagination.ts';
import { type CatalogueKind, LIMITS, type SandboxSettings } from './settings.ts';

/** A customer that another system reported. */
interface ExternalCustomer {
  readonly id: string;
  readonly sourceUpdatedAt: number;
}

/**
 * The merchant's account besides its terminals.
 * Why generated: a million records then need no memory and are the same after every start. What `PUT /customers/external/batch`
 * writes is kept while the service runs.
 */
export class Merchant {
  readonly #counts: Readonly<Record<CatalogueKind, number>>;
  readonly #ids: Ids;
  readonly #bodies: IntegrationBodies;
  readonly #external = new Map<string, ExternalCustomer>();
  /** Records that clients created come after the generated ones. */
  readonly brought: Brought;

  constructor({ catalogue, refusesUnknownFields }: SandboxSettings, ids: Ids, brought: Brought) {
    this.brought = brought;
    this.#counts = { ...HANDFUL, ...catalogue };
    this.#ids = ids;
    this.#bodies = integrationBodies(refusesUnknownFields);
  }

  /** Number of customers that other systems reported. */
  get externalCustomers(): number {
    return this.#external.size;
  }

  /** One page of a list, oldest first. @throws Refusal 400. */
  list(kind: CatalogueKind, style: 'offset' | 'page' | 'cursor', query: Query): Page<unknown> {
    const limit = limitOf(query);
    const [made, brought] = [this.#counts[kind], this.brought.of(kind)];
    const total = made + brought.length;
    const indexOf = (id: string) => {
      const index = indexOfId(kind, id);
      return index !== null && index < made ? index : null;
    };
    const offset =
      style === 'cursor' ? cursorIndex(query, limit, total, indexOf) : positionOf(query, limit, style);
    const { from, to } = typeof offset === 'number' ? { from: offset, to: offset + limit } : offset;
    const data: unknown[] = [];
    for (let index = from; index < Math.min(to, total); index += 1)
      data.push(index < made ? recordOf(kind, index) : brought[index - made]);
    return { data, hasMore: data.length === limit, limit, offset: from, total };
  }

  /** One record. @throws Refusal 404. */
  view(kind: CatalogueKind, id: string): unknown {
    const index = indexOfId(kind, id);
    const brought = this.brought.of(kind).find((one) => one.id === id.toLowerCase());
    if (brought) return brought;
    if (index === null || !(index < this.#counts[kind]))
      throw notFound(kind.replace('_', ' ').replace(/s$/, ''));
    return recordOf(kind, index);
  }

  /**
   * `PUT /customers/external/batch`: at most 100, by the other system's id. A customer older than the stored one is stale and changes
   * nothing. The answer has one line for each, in the order of the request. @throws Refusal 400.
   */
  takeCustomers(body: unknown): Answer {
    const { customers } = parseBody(this.#bodies.customers, body);
    return { status: 200, body: { data: customers.map((customer) => this.#take(customer)) } };
  }

  #take({ external_id: externalId, source_updated_at: updatedAt }: CustomerInput): Record<string, unknown> {
    const known = this.#external.get(externalId);
    const sourceUpdatedAt = Date.parse(updatedAt);
    if (known && known.sourceUpdatedAt > sourceUpdatedAt) {
      return { external_id: externalId, id: known.id, status: 'stale' };
    }
    if (!known && this.#external.size >= LIMITS.externalCustomers) {
      throw refuse(400, 'validation_error', 'The sandbox holds no more customers.', { param: 'customers' });
    }
    const id = known?.id ?? this.#ids.uuid();
    this.#external.set(externalId, { id, sourceUpdatedAt });
    return { external_id: externalId, id, status: known ? 'updated' : 'created' };
  }
}
