import { sinkErrorOf } from '../sync-answer.ts';
import { type CustomerPlace, putCustomers } from './customer-batch.ts';
import type { RequestQuota } from './request-quota.ts';

/** How many ids are remembered. */
const MOST = 100_000;

/**
 * The service's ids of customers by their external ids.
 * The interface has no look-up by external id, but its batch returns the id of each: with a write as of 1970 a known customer is stale and stays as
 * it is, and an unknown one is created and filled by the customers' own stream.
 */
export class CustomerIds {
  readonly #place: CustomerPlace;
  readonly #known = new Map<string, string>();

  constructor(place: CustomerPlace) {
    this.#place = place;
  }

  /** At most a hundred. @throws SINK_* */
  async look(externalIds: readonly string[], quota: RequestQuota, signal: AbortSignal): Promise<void> {
    const asked = [...new Set(externalIds)].filter((id) => !this.#known.has(id));
    if (asked.length === 0) return;
    quota.step();
    const answers = await putCustomers(
      this.#place,
      asked.map((id) => ({ id, updatedAt: 0, body: {} })),
      signal,
    );
    if ('kind' in answers) throw sinkErrorOf(answers);
    if (this.#known.size > MOST) this.#known.clear();
    for (const { id, serviceId } of answers) if (serviceId !== null) this.#known.set(id, serviceId);
  }

  of(externalId: string): string | undefined {
    return this.#known.get(externalId);
  }
}
