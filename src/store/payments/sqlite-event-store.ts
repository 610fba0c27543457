import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { Page, PageQuery } from '../../base/page.ts';
import type { PaymentEvent } from '../../payment/payments.ts';
import { snapshotOf, snapshotText } from '../attempts/attempt-row.ts';
import type { Database } from '../database.ts';
import { remembered } from '../query-cache.ts';

const APPEND_EVENT =
  'INSERT INTO events (id, type, at, attempt_id, settlement_id, snapshot) VALUES (?, ?, ?, ?, ?, ?)';
const FIND_EVENT = 'SELECT id, type, at, snapshot FROM events WHERE id = ?';
const EVENT_SEQ = 'SELECT seq FROM events WHERE id = ?';
const EVENT_PLACE = 'SELECT count(*) AS total, count(*) FILTER (WHERE seq < ?) AS "offset" FROM events';
const EVENTS_AFTER =
  'SELECT seq, id, type, at, snapshot FROM events WHERE seq > ? ORDER BY seq LIMIT CAST(? AS INTEGER)';
const EVENTS_BEFORE =
  'SELECT seq, id, type, at, snapshot FROM events WHERE seq < ? ORDER BY seq DESC LIMIT CAST(? AS INTEGER)';
const EventRow = z.object({
  id: z.string(),
  type: z.string(),
  at: z.int(),
  snapshot: z.string(),
});
const Seq = z.object({ seq: z.int() });
const Place = z.object({ offset: z.int(), total: z.int() });

/** The events, in `money.db`: appended, never altered. */
export class SqliteEventStore {
  readonly #database: Database;
  /** Every reader of the stream requests the same page after a commit. */
  readonly #page: (page: string) => Page<PaymentEvent>;

  constructor(database: Database) {
    this.#database = database;
    this.#page = remembered(database, (page) => this.#read(JSON.parse(page)));
  }

  append({ id, type, at, subject }: PaymentEvent): void {
    const attemptId = subject.kind === 'payment' ? subject.view.attempt.id : null;
    const settlementId = subject.kind === 'settlement' ? subject.settlement.id : null;
    this.#database.run(APPEND_EVENT, id, type, at, attemptId, settlementId, snapshotText(subject));
  }

  find(id: string): PaymentEvent | null {
    const row = this.#database.get(FIND_EVENT, id);
    return row === undefined ? null : eventOf(row);
  }

  /** Oldest first. @throws CURSOR_UNKNOWN */
  list({ startingAfter, endingBefore, limit, isCounted }: PageQuery): Page<PaymentEvent> {
    return this.#page(JSON.stringify({ startingAfter, endingBefore, limit, isCounted }));
  }

  #read(page: PageQuery): Page<PaymentEvent> {
    const { startingAfter, endingBefore, limit } = page;
    const backwards = startingAfter === undefined && endingBefore !== undefined;
    const rows = backwards
      ? this.#database.all(EVENTS_BEFORE, this.#eventSeq('ending_before', endingBefore), limit + 1)
      : this.#database.all(
          EVENTS_AFTER,
          startingAfter === undefined ? 0 : this.#eventSeq('starting_after', startingAfter),
          limit + 1,
        );
    const shown = rows.slice(0, limit);
    if (backwards) shown.reverse();
    const place = page.isCounted === true ? { place: this.#placeOf(shown[0]) } : {};
    return { items: shown.map(eventOf), hasMore: rows.length > limit, ...place };
  }

  /** An empty page stands behind all events. */
  #placeOf(first: unknown): NonNullable<Page<PaymentEvent>['place']> {
    const seq = first === undefined ? Number.MAX_SAFE_INTEGER : Seq.parse(first).seq;
    return Place.parse(this.#database.get(EVENT_PLACE, seq));
  }

  #eventSeq(param: string, id: string): number {
    const row = this.#database.get(EVENT_SEQ, id);
    if (row === undefined)
      throw new AppError('CURSOR_UNKNOWN', 'no event has this id', { context: { param } });
    return Seq.parse(row).seq;
  }
}

function eventOf(raw: unknown): PaymentEvent {
  const { id, type, at, snapshot } = EventRow.parse(raw);
  return { id, type, at, subject: snapshotOf(snapshot) };
}
