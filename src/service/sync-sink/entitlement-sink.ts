import { sinkError } from '../../integration/failure/sink-error.ts';
import type { ProviderName } from '../../integration/integration.ts';
import type { SinkResult, SinkWrite } from '../../integration/ports.ts';
import { resourceReply } from '../replies.ts';
import type { SyncLine } from '../sync-line.ts';
import { CUSTOMER_BATCH } from './customer-batch.ts';
import { CustomerIds } from './customer-ids.ts';
import { ItemByItem, rejected } from './item-by-item.ts';
import { Granted, marked } from './mapped-bodies.ts';
import { isPut, type PlannedRequests, type PutWrite, type ResourceSink } from './ports.ts';
import { RemoteIndex, type StoredRecord } from './remote-index.ts';
import { RequestQuota } from './request-quota.ts';

const LIST = '/entitlements';

export interface EntitlementSinkDeps {
  readonly line: SyncLine;
  readonly provider: ProviderName;
  /** Put before the ids of customers, as in `CustomerPlace`. */
  readonly customerPrefix: string;
  /** The same text always gives the same UUID. */
  readonly keyOf: (words: string) => string;
}

/**
 * Memberships of `provider_d` as entitlements of the service, without money.
 * The interface can only grant and revoke: for a change the new one is granted first, and then the old one is revoked.
 * The interface does not show the body of a grant: it is tilld's decision (README).
 */
export class EntitlementSink implements ResourceSink {
  readonly #deps: EntitlementSinkDeps;
  readonly #index: RemoteIndex;
  readonly #customers: CustomerIds;
  readonly #oneByOne: ItemByItem;

  constructor(deps: EntitlementSinkDeps) {
    this.#deps = deps;
    this.#index = new RemoteIndex(deps.line, LIST, deps.provider, (status) => !isValid(status));
    this.#customers = new CustomerIds({ line: deps.line, prefix: deps.customerPrefix });
    this.#oneByOne = new ItemByItem(deps.line, this.#index);
  }

  async write(batch: readonly SinkWrite[], signal: AbortSignal): Promise<readonly SinkResult[]> {
    const quota = new RequestQuota();
    await this.#index.look(quota, signal);
    await this.#customers.look(
      batch.flatMap((write) => grantedIn(write)?.customer ?? []),
      quota,
      signal,
    );
    return this.#oneByOne.all(batch, (write) => {
      const granted = grantedIn(write);
      return isPut(write) && granted
        ? this.#grant(write, granted, quota, signal)
        : this.#over(write, quota, signal);
    });
  }

  requestsOf(writes: readonly SinkWrite[]): readonly PlannedRequests[] {
    const granted = writes.filter((write) => grantedIn(write) !== null).length;
    return [
      { method: 'GET', path: LIST, count: writes.length > 0 ? 1 : 0 },
      { ...CUSTOMER_BATCH, count: Math.ceil(granted / 100) },
      { method: 'POST', path: ofCustomer('{customerId}'), count: granted },
      {
        method: 'DELETE',
        path: `${ofCustomer('{customerId}')}/{entitlementId}`,
        count: writes.length - granted,
      },
    ].filter(({ count }) => count > 0);
  }

  async #grant(
    { id, updatedAt }: PutWrite,
    granted: Granted,
    quota: RequestQuota,
    signal: AbortSignal,
  ): Promise<SinkResult> {
    const customerId = this.#customers.of(granted.customer);
    if (customerId === undefined)
      return {
        id,
        outcome: 'rejected',
        reason: `the service does not tell the id of its customer ${granted.customer}`,
      };
    const version = this.#deps.keyOf(JSON.stringify([customerId, granted.entitlement]));
    const stored = this.#index.of(id);
    if (stored && updatedAt !== null && stored.updatedAt !== null && updatedAt < stored.updatedAt)
      return { id, outcome: 'stale' };
    if (stored && isValid(stored.status) && stored.version === version) return { id, outcome: 'updated' };
    const body = marked(granted.entitlement, version, updatedAt);
    const key = this.#deps.keyOf(`${LIST} ${id} ${version} ${updatedAt} ${stored?.id}`);
    const call = { method: 'POST', path: ofCustomer(customerId), body, key, reads: resourceReply() } as const;
    const answered = await this.#oneByOne.ask(call, quota, signal);
    if (answered.kind === 'refused') return rejected(id, answered.refusal);
    if (!this.#index.note(answered.value.data))
      throw sinkError(
        'SINK_REFUSED',
        'the service does not show the metadata of an entitlement that it granted: a repeat would grant it twice',
      );
    if (stored && isValid(stored.status)) await this.#revoke(stored, quota, signal);
    return { id, outcome: stored ? 'updated' : 'created' };
  }

  async #over({ id, op }: SinkWrite, quota: RequestQuota, signal: AbortSignal): Promise<SinkResult> {
    const done: SinkResult = { id, outcome: op === 'remove' ? 'removed' : 'updated' };
    const stored = this.#index.of(id);
    if (!stored || !isValid(stored.status)) return done;
    const refused = await this.#revoke(stored, quota, signal);
    if (refused) return { ...refused, id };
    this.#index.change(id, { status: 'revoked' });
    return done;
  }

  /** A missing entitlement counts as revoked. */
  async #revoke(
    { id, customerId }: StoredRecord,
    quota: RequestQuota,
    signal: AbortSignal,
  ): Promise<SinkResult | null> {
    const path = `${ofCustomer(customerId ?? '')}/${encodeURIComponent(id)}`;
    const answered = await this.#oneByOne.ask(
      { method: 'DELETE', path, reads: resourceReply(id) },
      quota,
      signal,
    );
    return answered.kind === 'refused' && answered.refusal.status !== 404
      ? rejected(id, answered.refusal)
      : null;
  }
}

function grantedIn(write: SinkWrite): Granted | null {
  if (!isPut(write)) return null;
  const read = Granted.safeParse(write.body);
  return read.success ? read.data : null;
}

function ofCustomer(id: string): string {
  return `/customers/${id.startsWith('{') ? id : encodeURIComponent(id)}/entitlements`;
}

/** Statuses are an open set; an entitlement is valid until its status says that it is over. */
function isValid(status: string): boolean {
  return !['revoked', 'expired', 'cancelled', 'canceled', 'ended', 'inactive'].includes(status.toLowerCase());
}
