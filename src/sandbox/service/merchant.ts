import type { Ids } from '../../base/ids.ts';
import { HANDFUL, indexOfId, indexOfPublicId, recordOf } from './catalogue.ts';
import { type Answer, flatError, notFound, parseBody, type Refusal, refuse } from './errors.ts';
import type { ImportedRecords } from './imported-records.ts';
import { type CustomerInput, type IntegrationBodies, integrationBodies } from './integration-bodies.ts';
import { paidOf, withPayments } from './invoice-payments.ts';
import { firstOf, type Ledger } from './ledger.ts';
import { cursorIndex, limitOf, type Page, positionOf, type Query } from './pagination.ts';
import type { CustomerRecord } from './records.ts';
import { iso } from './service-clock.ts';
import { type CatalogueKind, LIMITS, type SandboxSettings } from './settings.ts';

type Resource = Readonly<Record<string, unknown>>;

/**
 * The merchant's account besides its terminals.
 * Why generated: a million records then need no memory and are the same after every start.
 */
export class Merchant {
  readonly #counts: Readonly<Record<CatalogueKind, number>>;
  readonly #ids: Ids;
  readonly #bodies: IntegrationBodies;
  readonly #ledger: Ledger;
  /** Records that clients created come after the generated ones. */
  readonly imported: ImportedRecords;

  constructor(
    { catalogue, refusesUnknownFields }: SandboxSettings,
    ids: Ids,
    ledger: Ledger,
    imported: ImportedRecords,
  ) {
    this.#ledger = ledger;
    this.imported = imported;
    this.#counts = { ...HANDFUL, ...catalogue };
    this.#ids = ids;
    this.#bodies = integrationBodies(refusesUnknownFields);
  }

  /** Number of customers that other systems reported. */
  get externalCustomers(): number {
    return this.#ledger.customers.size;
  }

  /** One page of a list, oldest first. @throws Refusal 400. */
  list(kind: CatalogueKind, style: 'offset' | 'page' | 'cursor', query: Query): Page<unknown> {
    const limit = limitOf(query);
    const [made, imported] = [this.#counts[kind], this.#importedOf(kind)];
    const total = made + imported.length;
    const indexOf = (id: string) => {
      const index = indexOfId(kind, id);
      return index !== null && index < made ? index : null;
    };
    const offset =
      style === 'cursor' ? cursorIndex(query, limit, total, indexOf) : positionOf(query, limit, style);
    const { from, to } = typeof offset === 'number' ? { from: offset, to: offset + limit } : offset;
    const data: Resource[] = [];
    for (let index = from; index < Math.min(to, total); index += 1)
      data.push(index < made ? recordOf(kind, index) : (imported[index - made] ?? {}));
    const shown = kind === 'invoices' ? this.#paid(data) : data;
    return { data: shown, hasMore: data.length === limit, limit, offset: from, total };
  }

  /** A small list as a whole, in its own order. */
  ordered(kind: CatalogueKind, field: string, isNewestFirst: boolean): readonly Resource[] {
    const all = Array.from({ length: this.#counts[kind] }, (_, index) => recordOf(kind, index));
    const of = (one: Resource) => String(one[field]);
    return all.toSorted((a, b) => (isNewestFirst ? of(b).localeCompare(of(a)) : of(a).localeCompare(of(b))));
  }

  /** The records of one customer, oldest first. @throws Refusal 404, flat. */
  ofCustomer(kind: CatalogueKind, customerId: string): readonly Resource[] {
    this.view('customers', customerId);
    const own = indexOfId('customers', customerId) ?? Number.MAX_SAFE_INTEGER;
    const made: Resource[] = [];
    if (own < HANDFUL.customers)
      for (let index = own; index < this.#counts[kind]; index += HANDFUL.customers)
        made.push(recordOf(kind, index));
    const imported = this.#importedOf(kind).filter((one) => one['customer_id'] === customerId.toLowerCase());
    const all = [...made, ...imported];
    return kind === 'invoices' ? this.#paid(all) : all;
  }

  /** One record, by its id or its public id. @throws Refusal 404. */
  view(kind: CatalogueKind, id: string): unknown {
    const index = indexOfId(kind, id) ?? indexOfPublicId(kind, id);
    const imported = this.#importedOf(kind).find((one) => one['id'] === id.toLowerCase());
    if (!imported && (index === null || !(index < this.#counts[kind]))) throw absent(kind);
    const found = imported ?? recordOf(kind, index ?? 0);
    return kind === 'invoices' ? this.#paid([found])[0] : found;
  }

  /**
   * `PUT /customers/external/batch`: at most 100, by the other system's id. A customer older than the stored one is stale and changes
   * nothing. The answer has one line for each, in the order of the request. @throws Refusal 400.
   */
  takeCustomers(body: unknown): Answer {
    const { customers } = parseBody(this.#bodies.customers, body);
    return { status: 200, body: { data: customers.map((customer) => this.#take(customer)) } };
  }

  #take({
    external_id: externalId,
    source_updated_at: updatedAt,
    ...fields
  }: CustomerInput): Record<string, unknown> {
    const known = this.#ledger.customers.get(externalId);
    const sourceUpdatedAt = Date.parse(updatedAt);
    if (known && known.sourceUpdatedAt > sourceUpdatedAt) {
      return { external_id: externalId, id: known.serviceId, status: 'stale' };
    }
    if (!known && this.#ledger.customers.size >= LIMITS.externalCustomers) {
      throw refuse(400, 'validation_error', 'The sandbox holds no more customers.', { param: 'customers' });
    }
    const serviceId = known?.serviceId ?? this.#ids.uuid();
    this.#ledger.customers.set(externalId, { id: externalId, serviceId, sourceUpdatedAt, fields });
    return { external_id: externalId, id: serviceId, status: known ? 'updated' : 'created' };
  }

  /** What clients created; of customers only those that are stored, for a list of millions is not made for each page. */
  #importedOf(kind: CatalogueKind): readonly Resource[] {
    if (kind !== 'customers') return this.imported.of(kind);
    return Array.from(firstOf(this.#ledger.customers), customerView);
  }

  #paid(invoices: readonly Resource[]): readonly Resource[] {
    const paid = paidOf(this.#ledger.payments.values());
    return invoices.map((invoice) => withPayments(invoice, paid.get(String(invoice['id']))));
  }
}

function customerView({ id, serviceId, sourceUpdatedAt, fields }: CustomerRecord): Resource {
  const at = iso(sourceUpdatedAt);
  return { object: 'customer', ...fields, id: serviceId, external_id: id, created_at: at, updated_at: at };
}

/** Customers are refused flat, payment intents with `resource_missing`, as the interface has it. */
function absent(kind: CatalogueKind): Refusal {
  const name = kind.replace('_', ' ').replace(/s$/, '');
  if (kind === 'customers') return flatError(404, 'No such customer.');
  return kind === 'payment_intents' ? refuse(404, 'resource_missing', `No such ${name}.`) : notFound(name);
}
