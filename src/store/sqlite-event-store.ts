import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import type { PaymentEvent } from '../payment/payments.ts';
import { snapshotOf, snapshotText } from './attempt-row.ts';
import type { Database } from './database.ts';
import { remembered } from './query-cache.ts';

const APPEND_EVENT =
  'INSERT INTO events (id, type, at, attempt_id, settlement_id, snapshot) VALUES (?, ?, ?, ?, ?, ?)';
const FIND_EVENT = 'SELECT id, type, at, snapshot FROM events WHERE id = ?';
const EVENT_SEQ = 'SELECT seq FROM events WHERE id = ?';
const EVENTS_AFTER =
  'SELECT id, type, at, snapshot FROM events WHERE seq > ? ORDER BY seq LIMIT CAST(? AS INTEGER)';
const EVENTS_BEFORE =
  'SELECT id, type, at, snapshot FROM events WHERE seq < ? ORDER BY seq DESC LIMIT CAST(? AS INTEGER)';
const EventRow = z.object({
  id: z.string(),
  type: z.string(),
  at: z.int(),
  snapshot: z.string(),
});
const Seq = z.object({ seq: z.int() });

/** Which events: those after one, or those right before one. */
export interface EventPage {
  readonly startingAfter?: string;
  readonly endingBefore?: string;
  readonly limit: number;
}

interface FoundEvents {
  readonly items: readonly PaymentEvent[];
  readonly hasMore: boolean;
}

/** The events, in `money.db`: appended, never altered. */
export class SqliteEventStore {
  readonly #database: Database;
  /** Every reader of the stream requests the same page after a commit. */
  readonly #page: (page: string) => FoundEvents;

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

  /** @throws CURSOR_UNKNOWN */
  list({ startingAfter, endingBefore, limit }: EventPage): FoundEvents {
    return this.#page(JSON.stringify({ startingAfter, endingBefore, limit }));
  }

  #read(page: EventPage): FoundEvents {
    const { startingAfter, endingBefore, limit } = page;
    const backwards = startingAfter === undefined && endingBefore !== undefined;
    const rows = backwards
      ? this.#database.all(EVENTS_BEFORE, this.#eventSeq('ending_before', endingBefore), limit + 1)
      : this.#database.all(
          EVENTS_AFTER,
          startingAfter === undefined ? 0 : this.#eventSeq('starting_after', startingAfter),
          limit + 1,
        );
    const items = rows.slice(0, limit).map(eventOf);
    return { items: backwards ? items.reverse() : items, hasMore: rows.length > limit };
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
