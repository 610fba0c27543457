import type { JsonObject } from '../../integration/connector.ts';
import { sinkError } from '../../integration/failure/sink-error.ts';
import type { ProviderName } from '../../integration/integration.ts';
import type { SinkResult, SinkWrite } from '../../integration/ports.ts';
import type { Refusal } from '../../outbox/report-port.ts';
import { resourceReply } from '../replies.ts';
import type { SyncLine } from '../sync-line.ts';
import { CUSTOMER_BATCH } from './customer-batch.ts';
import { CustomerIds } from './customer-ids.ts';
import { ItemByItem, rejected } from './item-by-item.ts';
import { marked, OpenInvoice, Over } from './mapped-bodies.ts';
import { isPut, type PlannedRequests, type PutWrite, type ResourceSink } from './ports.ts';
import { RemoteIndex, type StoredRecord } from './remote-index.ts';
import { RequestQuota } from './request-quota.ts';

const PATH = '/invoices';
const OVER = ['void', 'voided', 'paid', 'uncollectible', 'refunded'];
/** Codes of the interface for an invoice that is over already. */
const ENDED = ['invoice_already_voided', 'invoice_already_paid', 'invoice_has_payments'];

const PAID_BEFORE =
  'a part of it was paid at the provider before the service had it: the service would ask for it in full';

export interface InvoiceSinkDeps {
  readonly line: SyncLine;
  readonly provider: ProviderName;
  /** Put before the ids of customers, as in `CustomerPlace`. */
  readonly customerPrefix: string;
  /** The same text always gives the same UUID. */
  readonly keyOf: (words: string) => string;
  /** Finalise and send a created invoice. */
  readonly autoSend: () => boolean;
}

/**
 * Invoices that are open at the provider, as invoices of the service; one that is over there is voided here, so that no customer pays it twice.
 *
 * INVARIANTS:
 * - an invoice at the service is found again by its metadata: a repeat, after any kill, creates no second invoice;
 * - an older version never replaces a newer one, and an invoice that is over at the service is never opened again;
 * - an invoice of which a part is paid at the provider is written only where the service, too, says that the rest is due.
 * The interface does not show the body of an invoice: it is tilld's decision (README).
 */
export class InvoiceSink implements ResourceSink {
  readonly #deps: InvoiceSinkDeps;
  readonly #index: RemoteIndex;
  readonly #customers: CustomerIds;
  readonly #oneByOne: ItemByItem;

  constructor(deps: InvoiceSinkDeps) {
    this.#deps = deps;
    this.#index = new RemoteIndex(deps.line, PATH, deps.provider, isOver);
    this.#customers = new CustomerIds({ line: deps.line, prefix: deps.customerPrefix });
    this.#oneByOne = new ItemByItem(deps.line, this.#index);
  }

  async write(batch: readonly SinkWrite[], signal: AbortSignal): Promise<readonly SinkResult[]> {
    const quota = new RequestQuota();
    await this.#index.look(quota, signal);
    await this.#customers.look(batch.flatMap(customerOf), quota, signal);
    return this.#oneByOne.all(batch, (write) => {
      const open = isPut(write) ? OpenInvoice.safeParse(write.body) : null;
      return isPut(write) && open?.success
        ? this.#open(write, open.data, quota, signal)
        : this.#over(write, quota, signal);
    });
  }

  requestsOf(writes: readonly SinkWrite[]): readonly PlannedRequests[] {
    const open = writes.flatMap(customerOf).length;
    const over = writes.length - open;
    const sent = this.#deps.autoSend() ? open : 0;
    const partPaid = writes.filter((write) => isPut(write) && 'due_minor' in write.body).length;
    return [
      { method: 'GET', path: PATH, count: writes.length > 0 ? 1 : 0 },
      { ...CUSTOMER_BATCH, count: Math.ceil(open / 100) },
      { method: 'GET', path: `${PATH}/{id}`, count: partPaid },
      { method: 'POST', path: PATH, count: open },
      { method: 'POST', path: `${PATH}/{id}/finalize`, count: sent },
      { method: 'POST', path: `${PATH}/{id}/send`, count: sent },
      { method: 'POST', path: `${PATH}/{id}/void`, count: over },
    ].filter(({ count }) => count > 0);
  }

  async #open(
    write: PutWrite,
    { customer, due_minor: due, invoice }: OpenInvoice,
    quota: RequestQuota,
    signal: AbortSignal,
  ): Promise<SinkResult> {
    const { id, updatedAt } = write;
    const customerId = this.#customers.of(customer);
    if (customerId === undefined)
      return {
        id,
        outcome: 'rejected',
        reason: `the service does not tell the id of its customer ${customer}`,
      };
    const version = this.#deps.keyOf(JSON.stringify([customerId, invoice]));
    const stored = this.#index.of(id);
    if (stored && (isOver(stored.status) || isOlder(updatedAt, stored.updatedAt)))
      return { id, outcome: 'stale' };
    if (due !== undefined) {
      const refusal = await this.#otherDue(id, stored, due, quota, signal);
      if (refusal) return refusal;
    }
    const body = { customer_id: customerId, ...marked(invoice, version, updatedAt) };
    if (stored && stored.version !== version)
      return this.#changed(write, stored, { version, body }, quota, signal);
    if (!stored) {
      const refusal = await this.#made(id, version, body, quota, signal);
      if (refusal) return refusal;
    }
    return (await this.#sent(id, quota, signal)) ?? { id, outcome: stored ? 'updated' : 'created' };
  }

  /** Null: the service says, too, that this is due. */
  async #otherDue(
    id: string,
    stored: StoredRecord | undefined,
    due: number,
    quota: RequestQuota,
    signal: AbortSignal,
  ): Promise<SinkResult | null> {
    if (!stored) return { id, outcome: 'rejected', reason: PAID_BEFORE };
    const path = `${PATH}/${encodeURIComponent(stored.id)}`;
    const answered = await this.#oneByOne.ask(
      { method: 'GET', path, reads: resourceReply(stored.id) },
      quota,
      signal,
    );
    if (answered.kind === 'refused') return rejected(id, answered.refusal);
    const { amount_due_minor: atService } = answered.value.data;
    if (atService === due) return null;
    const reason = `a part of it is paid: ${due} is due by the provider, ${JSON.stringify(atService ?? null)} by the service (minor units)`;
    return { id, outcome: 'rejected', reason };
  }

  async #made(
    id: string,
    version: string,
    body: JsonObject,
    quota: RequestQuota,
    signal: AbortSignal,
  ): Promise<SinkResult | null> {
    const key = this.#deps.keyOf(`${PATH} ${id} ${version}`);
    const answered = await this.#oneByOne.ask(
      { method: 'POST', path: PATH, body, key, reads: resourceReply() },
      quota,
      signal,
    );
    if (answered.kind === 'refused' && isUnknownRoute(answered.refusal))
      throw sinkError('SINK_REFUSED', `the service answers 404 to POST ${PATH}: ${answered.refusal.message}`);
    if (answered.kind === 'refused') return rejected(id, answered.refusal);
    if (this.#index.note(answered.value.data) && this.#index.of(id)) return null;
    throw sinkError(
      'SINK_REFUSED',
      'the service does not show the metadata of an invoice that it made: it could not be found again, and a repeat would make a second one. No more are made',
    );
  }

  async #changed(
    { id, updatedAt }: PutWrite,
    stored: StoredRecord,
    change: { readonly version: string; readonly body: JsonObject },
    quota: RequestQuota,
    signal: AbortSignal,
  ): Promise<SinkResult> {
    const { version, body } = change;
    const path = `${PATH}/${encodeURIComponent(stored.id)}`;
    const answered = await this.#oneByOne.ask(
      { method: 'PATCH', path, body, reads: resourceReply(stored.id) },
      quota,
      signal,
    );
    if (answered.kind === 'refused') return rejected(id, answered.refusal);
    if (!this.#index.note(answered.value.data)) this.#index.change(id, { version, updatedAt });
    return { id, outcome: 'updated' };
  }

  /** @returns the service's refusal; null: nothing was to be sent, or it was sent */
  async #sent(id: string, quota: RequestQuota, signal: AbortSignal): Promise<SinkResult | null> {
    const stored = this.#index.of(id);
    if (!stored || !this.#deps.autoSend() || stored.status !== 'draft') return null;
    for (const step of ['finalize', 'send']) {
      const path = `${PATH}/${encodeURIComponent(stored.id)}/${step}`;
      const key = this.#deps.keyOf(`${path} ${stored.version}`);
      const answered = await this.#oneByOne.ask(
        { method: 'POST', path, key, reads: resourceReply(stored.id) },
        quota,
        signal,
      );
      const isDone = answered.kind === 'refused' && answered.refusal.code === 'invoice_already_finalized';
      if (answered.kind === 'refused' && !isDone) return rejected(id, answered.refusal);
    }
    this.#index.change(id, { status: 'open' });
    return null;
  }

  async #over({ id, op }: SinkWrite, quota: RequestQuota, signal: AbortSignal): Promise<SinkResult> {
    const done: SinkResult = { id, outcome: op === 'remove' ? 'removed' : 'updated' };
    const stored = this.#index.of(id);
    if (!stored || isOver(stored.status)) return done;
    const path = `${PATH}/${encodeURIComponent(stored.id)}/void`;
    const answered = await this.#oneByOne.ask(
      { method: 'POST', path, key: this.#deps.keyOf(path), reads: resourceReply(stored.id) },
      quota,
      signal,
    );
    if (answered.kind === 'refused' && !ENDED.includes(answered.refusal.code ?? ''))
      return rejected(id, answered.refusal);
    this.#index.change(id, { status: 'void' });
    return done;
  }
}

function customerOf(write: SinkWrite): readonly string[] {
  if (!isPut(write)) return [];
  const open = OpenInvoice.safeParse(write.body);
  if (open.success) return [open.data.customer];
  Over.parse(write.body);
  return [];
}

/** The interface refuses an unknown route with a 404 without a code; one with a code is about this invoice, e.g. its customer. */
function isUnknownRoute({ status, code }: Refusal): boolean {
  return status === 404 && code === null;
}

function isOver(status: string): boolean {
  return OVER.includes(status.toLowerCase());
}

function isOlder(updatedAt: number | null, stored: number | null): boolean {
  return updatedAt !== null && stored !== null && updatedAt < stored;
}
