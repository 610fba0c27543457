import type { Page, PageQuery } from '../base/page.ts';
import type { Delivery } from './delivery.ts';
import type { Endpoint } from './endpoint.ts';

/** An event as the feed names it; `seq` is its place there. */
export interface FeedEvent {
  readonly seq: number;
  readonly id: string;
  readonly type: string;
}

/** Of a list that is newest first. */
export interface DeliveryFilter extends PageQuery {
  readonly endpointId?: string;
  readonly eventId?: string;
  readonly status?: Delivery['status']['name'];
}

/** Endpoints, deliveries and the cursor of the feed; synchronous, each call durable, or as one with others in `transaction`. */
export interface WebhookStore {
  transaction<T>(work: () => T): T;

  /** Oldest first. */
  endpoints(): readonly Endpoint[];
  insertEndpoint(endpoint: Endpoint): void;
  updateEndpoint(endpoint: Endpoint): void;
  removeEndpoint(id: string): void;

  /** How far the feed was read; 0: not at all. */
  cursor(): number;
  keepCursor(seq: number): void;
  /** Place of the newest event; 0: there is none. */
  lastEvent(): number;
  /** Oldest first. */
  eventsAfter(seq: number, limit: number): readonly FeedEvent[];

  insertDelivery(delivery: Delivery): void;
  updateDelivery(delivery: Delivery): void;
  findDelivery(id: string): Delivery | null;
  /** @throws CURSOR_UNKNOWN */
  listDeliveries(filter: DeliveryFilter): Page<Delivery>;
  /** The pending delivery of an endpoint that is due first; of several the oldest. */
  nextOf(endpointId: string): Delivery | null;
  /** Ends all pending deliveries of an endpoint. */
  failPending(endpointId: string, error: string, now: number): void;
  /**
   * Time has passed without attempts, or the clock was set. A missed attempt is due now and its schedule ends later by as much; one that was
   * recorded in the future waits as if no time had passed since. Pending deliveries only.
   */
  resume(now: number): void;
  /** Ends pending deliveries whose schedule ended before `endedBefore`; at most `limit`. @returns how many */
  expire(endedBefore: number, error: string, now: number, limit: number): number;
  /** Deletes deliveries that ended before; at most `limit`. @returns how many */
  forget(endedBefore: number, limit: number): number;
}

/** One request of an attempt; the address was checked. */
export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** Sends once, follows no redirect, repeats nothing; returns the status as soon as the answer shows it. @throws why there was no answer */
export type Poster = (post: Post) => Promise<number>;

/** The event as the interface renders it, the same bytes each time; null: it is not kept any more. */
export type EventBodies = (eventId: string) => string | null;
