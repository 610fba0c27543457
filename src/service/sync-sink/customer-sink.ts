import { MOST_BATCH, type SinkResult, type SinkWrite } from '../../integration/ports.ts';
import { CUSTOMER_BATCH, type CustomerPlace, putCustomers } from './customer-batch.ts';
import { Halves } from './halves.ts';
import { isPut, type PlannedRequests, type ResourceSink } from './ports.ts';

/**
 * Customers by their external ids. A record whose source tells no time is as new as its write.
 * The interface has no way to delete a customer: one that is gone at the provider stays at the service as it was.
 */
export class CustomerSink implements ResourceSink {
  readonly #halves: Halves;

  constructor(place: CustomerPlace, now: () => number) {
    this.#halves = new Halves((writes, signal) =>
      putCustomers(
        place,
        writes.map(({ id, updatedAt, body }) => ({ id, updatedAt: updatedAt ?? now(), body })),
        signal,
      ),
    );
  }

  async write(batch: readonly SinkWrite[], signal: AbortSignal): Promise<readonly SinkResult[]> {
    const results = await this.#halves.write(batch.filter(isPut), signal);
    return batch.map(({ id }) => results.get(id) ?? { id, outcome: 'removed' });
  }

  requestsOf(writes: readonly SinkWrite[]): readonly PlannedRequests[] {
    const count = Math.ceil(writes.filter(isPut).length / MOST_BATCH);
    return count === 0 ? [] : [{ ...CUSTOMER_BATCH, count }];
  }
}
