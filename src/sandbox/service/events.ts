import type { Ids } from '../../base/ids.ts';
import type { Behaviour } from './behaviour.ts';
import type { Ledger } from './ledger.ts';
import { cursorPage, type Page, type Query } from './pagination.ts';
import type { EventRecord } from './records.ts';
import { iso, type ServiceClock } from './service-clock.ts';

/** The event feed: operations write it, `GET /events` reads it, webhooks send it. */
export class Events {
  readonly #ledger: Ledger;
  readonly #clock: ServiceClock;
  readonly #ids: Ids;
  readonly #onEvent: (event: EventRecord) => void;

  /** `onEvent` receives each event before it is committed. */
  constructor(ledger: Ledger, clock: ServiceClock, ids: Ids, onEvent: (event: EventRecord) => void) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#ids = ids;
    this.#onEvent = onEvent;
  }

  /** Records an event; the caller commits. */
  emit(type: string, data: Record<string, unknown>): void {
    const event = { id: `evt_${this.#ids.uuid()}`, type, created: iso(this.#clock.now()), data };
    this.#ledger.events.set(event.id, event);
    this.#onEvent(event);
  }

  /** Oldest first; fault injection lists events twice or swaps neighbours. */
  list(query: Query, behaviour: Pick<Behaviour, 'duplicate' | 'out_of_order'>): Page<EventRecord> {
    const page = cursorPage([...this.#ledger.events.values()], query);
    const ordered = behaviour.out_of_order ? swapNeighbours(page.data) : page.data;
    if (!behaviour.duplicate) return { ...page, data: ordered };
    const unique = ordered.slice(0, Math.max(1, Math.floor(page.limit / 2)));
    const data = unique.flatMap((event) => [event, event]).slice(0, page.limit);
    return { ...page, data, hasMore: page.hasMore || unique.length < ordered.length };
  }
}

function swapNeighbours(events: readonly EventRecord[]): readonly EventRecord[] {
  return events.flatMap((event, index) => {
    if (index % 2 === 1) return [];
    const next = events[index + 1];
    return next ? [next, event] : [event];
  });
}
