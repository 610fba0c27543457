import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Budget } from '../outbox/budget.ts';
import type { FeedPlace } from '../outbox/ports.ts';
import type { Answer } from '../outbox/report-port.ts';
import type { ServiceWork } from '../payment/guards/service-work.ts';
import { EventOfPayment, type ServiceEvent } from './contract.ts';
import type { PaymentLists } from './payment-lists.ts';
import { remember } from './remember.ts';
import type { ReadPage } from './replies.ts';
import type { ServiceClient } from './service-client.ts';

export interface CancellationsDeps {
  readonly client: Pick<ServiceClient, 'events'>;
  readonly lists: Pick<PaymentLists, 'cancelled'>;
  readonly work: Pick<ServiceWork, 'cancelled'>;
  readonly place: FeedPlace;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly log: Log;
}

/** The interface itself names some events with a prefix. */
const CANCELLED = /^(billing\.)?terminal_(payment|refund|void)\.cancelled$/;
/** The wait after a key without the scope, or a service without events. */
const FEED_AWAY_MS = 600_000;
/** How often the list is read beside the feed. */
const LIST_EVERY_MS = 300_000;

/**
 * Finds the payments that the service has cancelled: from its event feed, or, where the feed cannot be read, from the list of cancelled payments.
 * Why both: the feed reports each cancel once and at once, but needs a scope, a cursor and time to catch up; the list needs nothing, and drops what
 * is older than its page. While the feed is behind, the two alternate; afterwards the list is read every five minutes.
 *
 * INVARIANTS:
 * - one check is one request;
 * - the cursor in the feed moves only after the core has every event before it;
 * - an event that cannot be read is skipped with a warning: it never stops the feed.
 */
export class Cancellations {
  readonly #deps: CancellationsDeps;
  /** Passed to the core already. */
  readonly #heard = new Set<string>();
  #cursor: string | null = null;
  #caughtUp = false;
  #feedIsNext = false;
  #feedAwayUntil = 0;
  #listDueAt = 0;
  #warned = false;

  constructor(deps: CancellationsDeps) {
    this.#deps = deps;
  }

  /** Continues from the stored cursor. */
  start(): void {
    this.#cursor = this.#deps.place.eventCursor();
  }

  /** True when the service has reported a cancel of this payment since the start. */
  wasCancelled(serviceId: string): boolean {
    return this.#heard.has(serviceId);
  }

  /** One request; returns its answer. */
  async look(signal: AbortSignal): Promise<Answer> {
    const now = this.#deps.clock.monotonic();
    const mayUseFeed = now >= this.#feedAwayUntil && now < this.#listDueAt;
    const useFeed = mayUseFeed && (this.#caughtUp || this.#feedIsNext);
    this.#feedIsNext = !useFeed;
    const answer = useFeed ? await this.#readFeed(signal) : await this.#readList(signal);
    if (answer.kind === 'rate_limited') this.#deps.budget.exhausted(answer.retryAfterMs);
    return answer;
  }

  async #readList(signal: AbortSignal): Promise<Answer> {
    const { answer } = await this.#deps.lists.cancelled(signal);
    if (answer.kind !== 'applied') return answer;
    this.#listDueAt = this.#deps.clock.monotonic() + LIST_EVERY_MS;
    const cancelled = answer.value.items.filter(({ status }) => status === 'cancelled');
    this.#announce(cancelled.map(({ id }) => id));
    return answer;
  }

  async #readFeed(signal: AbortSignal): Promise<Answer> {
    const page = await this.#deps.client.events(this.#cursor, signal);
    switch (page.answer.kind) {
      case 'applied':
        this.#take(page.answer.value);
        break;
      case 'refused':
      case 'not_found':
        this.#lost(page.answer.refusal.code);
        break;
      case 'forbidden':
        this.#away(page.answer.refusal.code);
        break;
      default:
        break;
    }
    return page.answer;
  }

  #take({ items: events, unreadable, hasMore }: ReadPage<ServiceEvent>): void {
    const ids = events.filter(({ type }) => CANCELLED.test(type)).map((event) => this.#paymentIn(event));
    if (unreadable > 0) this.#deps.log.warn({ unreadable }, 'events of the service cannot be read');
    if (!this.#announce(ids.filter((id) => id !== null))) return;
    this.#caughtUp = !hasMore;
    const last = events.at(-1);
    if (last) this.#moveTo(last.id);
    else if (unreadable > 0) this.#away(null);
  }

  #paymentIn({ id, type, data }: ServiceEvent): string | null {
    const payment = EventOfPayment.safeParse(data);
    if (payment.success) return payment.data.id;
    this.#deps.log.warn({ event: id, type }, 'an event of the service does not show its payment');
    return null;
  }

  /** @returns false when the core could not store one of them: all are passed again. */
  #announce(serviceIds: readonly string[]): boolean {
    const { work, log } = this.#deps;
    for (const id of serviceIds) {
      if (this.#heard.has(id)) continue;
      try {
        work.cancelled(id);
      } catch (error) {
        log.error({ payment: id, error: messageOf(error) }, 'a cancel of the service could not be taken in');
        return false;
      }
      remember(this.#heard, id);
    }
    return true;
  }

  #moveTo(eventId: string): void {
    if (eventId === this.#cursor) return;
    try {
      this.#deps.place.keepEventCursor(eventId);
    } catch (error) {
      this.#deps.log.error({ error: messageOf(error) }, 'the place in the event feed could not be kept');
      return;
    }
    this.#cursor = eventId;
  }

  /** The service does not know the cursor (or has no feed at all): from the beginning again, beside the list. */
  #lost(code: string | null): void {
    this.#caughtUp = false;
    if (this.#cursor === null) this.#away(code);
    else this.#warn(code, 'the service does not know our place in its events');
    this.#cursor = null;
  }

  #away(code: string | null): void {
    this.#caughtUp = false;
    this.#feedAwayUntil = this.#deps.clock.monotonic() + FEED_AWAY_MS;
    this.#warn(code, 'the service shows us no events: cancelled payments are looked up in a list instead');
  }

  #warn(code: string | null, message: string): void {
    if (!this.#warned) this.#deps.log.warn({ code }, message);
    this.#warned = true;
  }
}
