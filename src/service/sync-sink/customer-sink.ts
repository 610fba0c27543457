import { MOST_BATCH, type SinkResult, type SinkWrite } from '../../integration/ports.ts';
import { BisectingBatch } from './bisecting-batch.ts';
import { CUSTOMER_BATCH, type CustomerPlace, putCustomers } from './customer-batch.ts';
import { isPut, type PlannedRequests, type ResourceSink } from './ports.ts';

/**
 * Customers by their external ids. A record whose source has no time gets the time of its write.
 * The interface cannot delete a customer: one that is deleted at the provider stays unchanged at the service.
 */
export class CustomerSink implements ResourceSink {
  readonly #batches: BisectingBatch;

  constructor(place: CustomerPlace, now: () => number) {
    this.#batches = new BisectingBatch((writes, signal) =>
      putCustomers(
        place,
        writes.map(({ id, updatedAt, body }) => ({ id, updatedAt: updatedAt ?? now(), body })),
        signal,
      ),
    );
  }

  async write(batch: readonly SinkWrite[], signal: AbortSignal): Promise<readonly SinkResult[]> {
    const results = await this.#batches.write(batch.filter(isPut), signal);
    return batch.map(({ id }) => results.get(id) ?? { id, outcome: 'removed' });
  }

  requestsOf(writes: readonly SinkWrite[]): readonly PlannedRequests[] {
    const count = Math.ceil(writes.filter(isPut).length / MOST_BATCH);
    return count === 0 ? [] : [{ ...CUSTOMER_BATCH, count }];
  }
}
