import type { Log } from '../base/log.ts';
import type { Budget } from '../outbox/budget.ts';
import type { ServicePayment } from './contract.ts';
import type { ReadPage } from './replies.ts';
import type { Answered, AnsweredList, ServiceClient } from './service-client.ts';

export interface PaymentListsDeps {
  readonly client: Pick<ServiceClient, 'listPayments'>;
  readonly budget: Budget;
  readonly log: Log;
}

/** Pages of the whole list that stand in for one filtered page. */
const MOST_PAGES = 5;

/**
 * The service's lists of these devices' payments: one page of 100 for all of them, newest first.
 * The interface does not promise the filters `status` and `device_id`. A service that ignores or refuses them is asked for its whole list from then
 * on, at most five pages of it as far as the request quota allows, and the payments are chosen here.
 */
export class PaymentLists {
  readonly #deps: PaymentListsDeps;
  readonly #deviceIds: readonly string[];
  #hasFilters = true;

  constructor(deps: PaymentListsDeps, deviceIds: readonly string[]) {
    this.#deps = deps;
    this.#deviceIds = deviceIds;
  }

  /** Payments that wait for one of the devices. */
  requested(signal: AbortSignal): Promise<AnsweredList> {
    return this.#list('requested', signal);
  }

  /** The newest payments, in any state. */
  newest(signal: AbortSignal): Promise<AnsweredList> {
    return this.#list(null, signal);
  }

  cancelled(signal: AbortSignal): Promise<AnsweredList> {
    return this.#list('cancelled', signal);
  }

  async #list(status: string | null, signal: AbortSignal): Promise<AnsweredList> {
    const { client, budget } = this.#deps;
    if (!this.#hasFilters) return this.#chosen(await client.listPayments({}, signal), status, signal);
    const answered = await client.listPayments({ status, deviceIds: this.#deviceIds }, signal);
    const { answer } = answered;
    if (answer.kind === 'applied' && !isFiltered(answer.value.items, status, this.#deviceIds)) {
      this.#learn('ignores');
      return this.#chosen(answered, status, signal);
    }
    if (answer.kind !== 'refused' || answer.refusal.status !== 400) return answered;
    budget.spend();
    const plain = await client.listPayments({}, signal);
    if (plain.answer.kind !== 'applied') return answered;
    this.#learn('refuses');
    return this.#chosen(plain, status, signal);
  }

  #learn(how: 'ignores' | 'refuses'): void {
    this.#hasFilters = false;
    this.#deps.log.warn(
      {},
      `the service ${how} the filters of its list of payments: the whole list is read, newest first`,
    );
  }

  /** The wanted payments of this page of the whole list and of those behind it. */
  async #chosen(
    first: AnsweredList,
    status: string | null,
    signal: AbortSignal,
  ): Promise<Answered<ReadPage<ServicePayment>>> {
    if (first.answer.kind !== 'applied') return first;
    const items: ServicePayment[] = [];
    let [page, unreadable] = [first.answer.value, 0];
    for (let pages = 1; ; pages += 1) {
      items.push(...page.items.filter((payment) => isWanted(payment, status, this.#deviceIds)));
      unreadable += page.unreadable;
      const last = page.items.at(-1);
      if (!page.hasMore || !last || pages >= MOST_PAGES || this.#deps.budget.take('poll') > 0) break;
      const { answer } = await this.#deps.client.listPayments({ startingAfter: last.id }, signal);
      if (answer.kind !== 'applied') break;
      page = answer.value;
    }
    const value = { items, unreadable, hasMore: page.hasMore };
    return { answer: { kind: 'applied', value }, dateMs: first.dateMs };
  }
}

/** Whether a service may have chosen these payments by both filters. */
export function isFiltered(
  payments: readonly ServicePayment[],
  status: string | null,
  deviceIds: readonly string[],
): boolean {
  return payments.every((payment) => isWanted(payment, status, deviceIds));
}

/** A field that the service does not show decides nothing. */
function isWanted(payment: ServicePayment, status: string | null, deviceIds: readonly string[]): boolean {
  const { device_id: device } = payment;
  return (
    (status === null || (payment.status ?? status) === status) &&
    (device === undefined || device === null || deviceIds.includes(device))
  );
}
