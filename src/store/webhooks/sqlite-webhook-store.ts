import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { Page } from '../../base/page.ts';
import type { Delivery } from '../../webhooks/delivery.ts';
import type { Endpoint } from '../../webhooks/endpoint.ts';
import type { DeliveryFilter, FeedEvent, WebhookStore } from '../../webhooks/ports.ts';
import type { Database } from '../database.ts';
import { remembered } from '../query-cache.ts';
import { deliveryOf, endpointOf, statusValues } from './webhook-row.ts';

const ENDPOINTS = 'SELECT * FROM webhook_endpoints ORDER BY seq';
const INSERT_ENDPOINT = `INSERT INTO webhook_endpoints (id, url, events, status, sealed_secret, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
const UPDATE_ENDPOINT =
  'UPDATE webhook_endpoints SET url = ?, events = ?, status = ?, sealed_secret = ?, updated_at = ? WHERE id = ?';
const REMOVE_ENDPOINT = 'DELETE FROM webhook_endpoints WHERE id = ?';
const CURSOR = "SELECT CAST(value AS INTEGER) AS seq FROM facts WHERE name = 'webhook_event_cursor'";
const KEEP_CURSOR = "INSERT OR REPLACE INTO facts (name, value) VALUES ('webhook_event_cursor', ?)";
const LAST_EVENT = 'SELECT max(seq) AS seq FROM events';
const EVENTS_AFTER =
  'SELECT seq, id, type FROM events WHERE seq > CAST(? AS INTEGER) ORDER BY seq LIMIT CAST(? AS INTEGER)';
const INSERT_DELIVERY = `INSERT INTO webhook_deliveries (id, event_id, event_type, endpoint_id, created_at, attempts, state, next_at, ends_at,
  noted_at, ended_at, response_status, last_error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const UPDATE_DELIVERY = `UPDATE webhook_deliveries SET attempts = ?, state = ?, next_at = ?, ends_at = ?, noted_at = ?, ended_at = ?,
  response_status = ?, last_error = ? WHERE id = ?`;
const FIND_DELIVERY = 'SELECT * FROM webhook_deliveries WHERE id = ?';
const DELIVERY_SEQ = 'SELECT seq FROM webhook_deliveries WHERE id = ?';
const NEXT_OF = `SELECT * FROM webhook_deliveries INDEXED BY webhook_deliveries_pending
  WHERE state = 'pending' AND endpoint_id = CAST(? AS TEXT) ORDER BY next_at, seq LIMIT 1`;
const END = "state = 'failed', next_at = NULL, ends_at = NULL, noted_at = NULL, ended_at = ?, last_error = ?";
const FAIL_PENDING = `UPDATE webhook_deliveries SET ${END} WHERE state = 'pending' AND endpoint_id = ?`;
/** A missed delivery is due now; a disabled endpoint misses nothing while tilld is down. */
const RESUME_MISSED = `UPDATE webhook_deliveries SET ends_at = ends_at + (? - next_at), next_at = ?, noted_at = ?
  WHERE state = 'pending' AND next_at < ?
  AND endpoint_id NOT IN (SELECT id FROM webhook_endpoints WHERE status = 'disabled')`;
const RESUME_FUTURE = `UPDATE webhook_deliveries SET next_at = next_at - (noted_at - ?), ends_at = ends_at - (noted_at - ?), noted_at = ?
  WHERE state = 'pending' AND noted_at > ?`;
/** `next_at` is never after `ends_at`, and is in the index. */
const EXPIRED = `SELECT seq FROM webhook_deliveries INDEXED BY webhook_deliveries_pending
  WHERE state = 'pending' AND next_at < ? AND ends_at < ? LIMIT ?`;
const EXPIRE = `UPDATE webhook_deliveries SET ${END} WHERE seq = ?`;
const FORGET = `DELETE FROM webhook_deliveries WHERE seq IN
  (SELECT seq FROM webhook_deliveries WHERE ended_at < ? ORDER BY ended_at LIMIT ?)`;
const LONG_AGO = 'SELECT 1 FROM webhook_deliveries WHERE ended_at < ? LIMIT 1';

const Seq = z.object({ seq: z.int() });
const Place = z.object({ offset: z.int(), total: z.int() });
const LastSeq = z.object({ seq: z.int().nullable() });
const Feed = z.object({ seq: z.int(), id: z.string(), type: z.string() });

/** Webhook endpoints, their deliveries, and how far the events were read for them, in `money.db`. */
export class SqliteWebhookStore implements WebhookStore {
  readonly #database: Database;
  readonly #endpoints: (key: string) => readonly Endpoint[];

  constructor(database: Database) {
    this.#database = database;
    this.#endpoints = remembered(database, () => database.all(ENDPOINTS).map(endpointOf));
  }

  transaction<T>(work: () => T): T {
    return this.#database.transaction(work);
  }

  endpoints(): readonly Endpoint[] {
    return this.#endpoints('');
  }

  insertEndpoint({ id, url, events, status, sealedSecret, createdAt, updatedAt }: Endpoint): void {
    const wanted = JSON.stringify(events);
    this.#database.run(INSERT_ENDPOINT, id, url, wanted, status, sealedSecret, createdAt, updatedAt);
  }

  updateEndpoint({ id, url, events, status, sealedSecret, updatedAt }: Endpoint): void {
    this.#database.run(UPDATE_ENDPOINT, url, JSON.stringify(events), status, sealedSecret, updatedAt, id);
  }

  removeEndpoint(id: string): void {
    this.#database.run(REMOVE_ENDPOINT, id);
  }

  cursor(): number {
    const row = this.#database.get(CURSOR);
    return row === undefined ? 0 : Seq.parse(row).seq;
  }

  keepCursor(seq: number): void {
    this.#database.run(KEEP_CURSOR, String(seq));
  }

  lastEvent(): number {
    return LastSeq.parse(this.#database.get(LAST_EVENT)).seq ?? 0;
  }

  eventsAfter(seq: number, limit: number): readonly FeedEvent[] {
    return this.#database.all(EVENTS_AFTER, seq, limit).map((row) => Feed.parse(row));
  }

  insertDelivery(delivery: Delivery): void {
    const { id, eventId, eventType, endpointId, createdAt, attempts, status } = delivery;
    const { responseStatus, lastError } = delivery;
    this.#database.run(
      INSERT_DELIVERY,
      id,
      eventId,
      eventType,
      endpointId,
      createdAt,
      attempts,
      ...statusValues(status),
      responseStatus,
      lastError,
    );
  }

  updateDelivery({ id, attempts, status, responseStatus, lastError }: Delivery): void {
    this.#database.run(UPDATE_DELIVERY, attempts, ...statusValues(status), responseStatus, lastError, id);
  }

  findDelivery(id: string): Delivery | null {
    return orNull(this.#database.get(FIND_DELIVERY, id));
  }

  listDeliveries(filter: DeliveryFilter): Page<Delivery> {
    const { sql, values, newerFirst } = listQuery(filter, (id) => this.#seqOf(id));
    const rows = this.#database.all(sql, ...values, filter.limit + 1);
    const shown = rows.slice(0, filter.limit);
    if (!newerFirst) shown.reverse();
    const place = filter.isCounted === true ? { place: this.#placeOf(filter, shown[0]) } : {};
    return { items: shown.map(deliveryOf), hasMore: rows.length > filter.limit, ...place };
  }

  /** An empty page stands behind all deliveries. */
  #placeOf(filter: DeliveryFilter, first: unknown): NonNullable<Page<Delivery>['place']> {
    const { where, values } = conditionsOf(filter);
    const seq = first === undefined ? -1 : Seq.parse(first).seq;
    const sql = `SELECT count(*) AS total, count(*) FILTER (WHERE seq > ?) AS "offset" FROM webhook_deliveries ${where}`;
    return Place.parse(this.#database.get(sql, seq, ...values));
  }

  nextOf(endpointId: string): Delivery | null {
    return orNull(this.#database.get(NEXT_OF, endpointId));
  }

  failPending(endpointId: string, error: string, now: number): void {
    this.#database.run(FAIL_PENDING, now, error, endpointId);
  }

  resume(now: number): void {
    this.#database.transaction(() => {
      this.#database.run(RESUME_FUTURE, now, now, now, now);
      this.#database.run(RESUME_MISSED, now, now, now, now);
    });
  }

  expire(endedBefore: number, error: string, now: number, limit: number): number {
    const rows = this.#database.all(EXPIRED, endedBefore, endedBefore, limit).map((row) => Seq.parse(row));
    if (rows.length === 0) return 0;
    this.#database.transaction(() => {
      for (const { seq } of rows) this.#database.run(EXPIRE, now, error, seq);
    });
    return rows.length;
  }

  forget(endedBefore: number, limit: number): number {
    if (this.#database.get(LONG_AGO, endedBefore) === undefined) return 0;
    return this.#database.run(FORGET, endedBefore, limit);
  }

  #seqOf(id: string): number {
    const row = this.#database.get(DELIVERY_SEQ, id);
    if (row === undefined) throw new AppError('CURSOR_UNKNOWN', 'no webhook delivery has this id');
    return Seq.parse(row).seq;
  }
}

function orNull(row: unknown): Delivery | null {
  return row === undefined ? null : deliveryOf(row);
}

/** The status is part of the SQL, not a value: only then can SQLite use a partial index. */
function conditionsOf(filter: DeliveryFilter, seqOf: ((id: string) => number) | null = null) {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const add = (condition: string, value: unknown) => {
    conditions.push(condition);
    values.push(value);
  };
  if (filter.status !== undefined) conditions.push(`state = '${filter.status}'`);
  if (filter.endpointId !== undefined) add('endpoint_id = CAST(? AS TEXT)', filter.endpointId);
  if (filter.eventId !== undefined) add('event_id = CAST(? AS TEXT)', filter.eventId);
  const cursor = filter.startingAfter ?? filter.endingBefore;
  const side = filter.endingBefore === undefined ? '<' : '>';
  if (cursor !== undefined && seqOf) add(`seq ${side} CAST(? AS INTEGER)`, seqOf(cursor));
  return { where: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`, values };
}

function listQuery(filter: DeliveryFilter, seqOf: (id: string) => number) {
  const { where, values } = conditionsOf(filter, seqOf);
  const newerFirst = filter.endingBefore === undefined;
  const order = `ORDER BY seq ${newerFirst ? 'DESC' : 'ASC'} LIMIT CAST(? AS INTEGER)`;
  return { sql: `SELECT * FROM webhook_deliveries ${where} ${order}`, values, newerFirst };
}
