import type { Ids } from '../../base/ids.ts';
import type { Brought } from './brought.ts';
import { HANDFUL, indexOfId, indexOfPublicId, recordOf } from './catalogue.ts';
import { type Answer, flatError, notFound, parseBody, type Refusal, refuse } from './errors.ts';
import { type CustomerInput, type IntegrationBodies, integrationBodies } from './integration-bodies.ts';
import { cursorIndex, limitOf, type Page, positionOf, type Query } from './pagination.ts';
import { type CatalogueKind, LIMITS, type SandboxSettings } from './settings.ts';

type CatalogueRecord = ReturnType<typeof recordOf>;

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

  /** A small list as a whole, in its own order. */
  ordered(kind: CatalogueKind, field: string, isNewestFirst: boolean): readonly CatalogueRecord[] {
    const all = Array.from({ length: this.#counts[kind] }, (_, index) => recordOf(kind, index));
    const of = (one: CatalogueRecord) => String(one[field]);
    return all.toSorted((a, b) => (isNewestFirst ? of(b).localeCompare(of(a)) : of(a).localeCompare(of(b))));
  }

  /** The records of one customer, oldest first. @throws Refusal 404, flat. */
  ofCustomer(kind: CatalogueKind, customerId: string): readonly CatalogueRecord[] {
    this.view('customers', customerId);
    const own = indexOfId('customers', customerId) ?? Number.MAX_SAFE_INTEGER;
    const made: CatalogueRecord[] = [];
    if (own < HANDFUL.customers)
      for (let index = own; index < this.#counts[kind]; index += HANDFUL.customers)
        made.push(recordOf(kind, index));
    const brought = this.brought.of(kind).filter((one) => one['customer_id'] === customerId.toLowerCase());
    return [...made, ...brought];
  }

  /** One record, by its id or its public id. @throws Refusal 404. */
  view(kind: CatalogueKind, id: string): unknown {
    const index = indexOfId(kind, id) ?? indexOfPublicId(kind, id);
    const brought = this.brought.of(kind).find((one) => one.id === id.toLowerCase());
    if (brought) return brought;
    if (index === null || !(index < this.#counts[kind])) throw absent(kind);
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

/** Customers are refused flat, payment intents with `resource_missing`, as the interface has it. */
function absent(kind: CatalogueKind): Refusal {
  const name = kind.replace('_', ' ').replace(/s$/, '');
  if (kind === 'customers') return flatError(404, 'No such customer.');
  return kind === 'payment_intents' ? refuse(404, 'resource_missing', `No such ${name}.`) : notFound(name);
}
