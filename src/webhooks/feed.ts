import type { Ids } from '../base/ids.ts';
import { deliveriesOf } from './fan-out.ts';
import type { WebhookStore } from './ports.ts';

/** Events read at once: with 16 endpoints a transaction writes at most 800 small rows. */
const PAGE = 50;
/** Without subscribers the cursor is stored after this many events: until then a restart reads them again. */
const LEAP = 500;

interface FeedDeps {
  readonly store: WebhookStore;
  readonly ids: Ids;
}

/** How far a step has read, and whether there is more. */
export interface Step {
  readonly to: number;
  readonly more: boolean;
}

/**
 * Writes the deliveries of the next events after `from`, and the cursor behind them, in one transaction: a kill in between leaves both or neither.
 * Events without a subscriber cost no write.
 */
export function readOn({ store, ids }: FeedDeps, from: number, now: number): Step {
  const events = store.eventsAfter(from, PAGE);
  const to = events.at(-1)?.seq ?? from;
  const deliveries = deliveriesOf(events, store.endpoints(), ids, now);
  if (deliveries.length > 0 || to - store.cursor() >= LEAP) {
    store.transaction(() => {
      for (const delivery of deliveries) store.insertDelivery(delivery);
      store.keepCursor(to);
    });
  }
  return { to, more: events.length === PAGE };
}

/**
 * Reads the feed to its end and stores the cursor in any case. Runs before any change of a subscription, in its transaction: earlier events
 * follow the old subscription, later ones the new one. Without an endpoint nothing is read.
 */
export function catchUp({ store, ids }: FeedDeps, now: number): void {
  if (store.endpoints().length === 0) {
    store.keepCursor(store.lastEvent());
    return;
  }
  let step: Step = { to: store.cursor(), more: true };
  while (step.more) step = readOn({ store, ids }, step.to, now);
  if (step.to > store.cursor()) store.keepCursor(step.to);
}

/**
 * For a database that is not the one of the last run, before anything is written to it: where a damaged database lost the newest events, their
 * sequence numbers are given to new events, which must be read.
 */
export function mendPlace(store: WebhookStore): void {
  const newest = store.lastEvent();
  if (store.cursor() > newest) store.keepCursor(newest);
}
