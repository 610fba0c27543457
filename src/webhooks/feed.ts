import type { Ids } from '../base/ids.ts';
import { deliveriesOf } from './fan-out.ts';
import type { WebhookStore } from './ports.ts';

/** Events read at once: with 16 endpoints a transaction writes at most 800 small rows. */
const PAGE = 50;
/** Where nobody wants the events the place is noted after this many: until then a restart reads them again. */
const LEAP = 500;

interface FeedPorts {
  readonly store: WebhookStore;
  readonly ids: Ids;
}

/** How far a step has come, and whether there is more. */
export interface Step {
  readonly to: number;
  readonly more: boolean;
}

/**
 * Notes what the next events behind `from` give, and the place behind them, in one transaction: a kill in between leaves both or neither.
 * Events that nobody wants cost no write.
 */
export function readOn({ store, ids }: FeedPorts, from: number, now: number): Step {
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
 * Reads the feed to its end and notes the place, whatever it holds; before any change of what endpoints want, in its transaction: what
 * happened before is wanted by the old words, what happens later by the new ones. Where there is no endpoint nothing is read.
 */
export function catchUp({ store, ids }: FeedPorts, now: number): void {
  if (store.endpoints().length === 0) {
    store.keepCursor(store.lastEvent());
    return;
  }
  let step: Step = { to: store.cursor(), more: true };
  while (step.more) step = readOn({ store, ids }, step.to, now);
  if (step.to > store.cursor()) store.keepCursor(step.to);
}

/**
 * For a memory that is not the one of last time, before anything is written to it: where the newest events were lost with a damaged
 * database their places are given away again, and what takes them is to be read.
 */
export function mendPlace(store: WebhookStore): void {
  const newest = store.lastEvent();
  if (store.cursor() > newest) store.keepCursor(newest);
}
