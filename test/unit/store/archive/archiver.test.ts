import { describe, expect, it } from 'vitest';
import { timelineOf } from '../../../../src/payment/attempt/timeline.ts';
import { chunkAfter, putChunk, textOf } from '../../../../src/store/archive/archive.ts';
import { flawOf, readChunk } from '../../../../src/store/archive/archive-chunk.ts';
import { MOST_ROWS, nextChunk } from '../../../../src/store/archive/archive-holds.ts';
import {
  CHAIN_START,
  chainEnd,
  chainStart,
  checkChain,
  hashAt,
  isOfJournal,
} from '../../../../src/store/journal/journal-chain.ts';
import { cutOf } from '../../../../src/store/journal/journal-cut.ts';
import { JournalWatch } from '../../../../src/store/journal/journal-watch.ts';
import { idOf, numbersIn, OldShop, ROWS_OF_A_PAYMENT } from '../../../support/archive.ts';

const PAYMENTS = 50;
const PER_CHUNK = MOST_ROWS / ROWS_OF_A_PAYMENT;
/** The newest row stays, so the last payments are no full chunk. */
const CHUNKS = 4;
const count = (shop: OldShop, table: string) =>
  (shop.money.get(`SELECT count(*) AS count FROM ${table}`) as { count: number }).count;
/** Everything that explain says of a payment. */
const timelineAt = ({ payments }: OldShop, number: number) => {
  const attempt = payments.findAttempt(idOf(number));
  if (!attempt) throw new Error('no such payment');
  const journal = payments.journalOf(attempt.id);
  return JSON.stringify(
    timelineOf(attempt, journal, payments.reportsOf(attempt.id), payments.gapIn(journal)),
  );
};

describe('the archive of old payments', () => {
  it('takes the oldest rows chunk by chunk, and leaves payments, reports and the chain as they were', () => {
    const shop = OldShop.of(PAYMENTS);
    const end = chainEnd(shop.money);
    const payments = shop.money.all('SELECT * FROM attempts');
    const reports = shop.payments.reportsOf(idOf(1));
    expect(shop.archiveAll()).toBe(2 * CHUNKS);
    expect(count(shop, 'journal')).toBe((PAYMENTS - CHUNKS * PER_CHUNK) * ROWS_OF_A_PAYMENT);
    expect(count(shop, 'events')).toBeLessThan(PAYMENTS * 3 - 100);
    expect(cutOf(shop.money)).toMatchObject({ seq: CHUNKS * MOST_ROWS });
    expect(checkChain(shop.money)).toEqual({ kind: 'whole', ...end });
    expect(shop.money.all('SELECT * FROM attempts')).toEqual(payments);
    expect(shop.payments.reportsOf(idOf(1))).toEqual(reports);
    expect(shop.money.get("SELECT count(*) AS count FROM outbox WHERE body <> '{}'")).toEqual({ count: 20 });
    expect(shop.archiveAll()).toBe(0);
  });

  it('shows every timeline as it was shown before, to the byte, whichever turn it stopped after', () => {
    const shop = OldShop.of(1);
    // From here on the chunks end in the middle of payments.
    const settled = { attemptId: idOf(1), at: 1_100, event: 'settled', from: 'b', to: 'b', details: {} };
    shop.payments.appendJournal(settled);
    for (let number = 2; number <= PAYMENTS; number += 1) shop.pay(number);
    const numbers = Array.from({ length: PAYMENTS }, (_, index) => index + 1);
    const before = numbers.map((number) => timelineAt(shop, number));
    while (shop.archiver.turn(Number.MAX_SAFE_INTEGER, 1) !== 'nothing')
      expect(numbers.map((number) => timelineAt(shop, number))).toEqual(before);
  });

  it('shows a timeline whose end was written after its beginning was archived', () => {
    const shop = OldShop.of(PAYMENTS);
    shop.archiveAll();
    const [at, attemptId] = [9_000_000, idOf(1)];
    shop.payments.appendJournal({ attemptId, at, event: 'settled', from: 'b', to: 'b', details: {} });
    expect(shop.payments.journalOf(attemptId).map(({ event }) => event)).toEqual([
      ...['create', 'dispatch', 'accepted', 'reported', 'ended'],
      'settled',
    ]);
  });

  it('keeps every row, every event and every body that left, in a chain that joins the one in the books', () => {
    const shop = OldShop.of(PAYMENTS);
    shop.archiveAll();
    const archive = shop.place.archive();
    const rows: number[] = [];
    const events: number[] = [];
    const bodies: number[] = [];
    let [seq, hash] = [0, CHAIN_START];
    for (let chunk = chunkAfter(archive, 0); chunk; chunk = chunkAfter(archive, seq)) {
      const text = textOf(archive, chunk.lastSeq);
      expect(flawOf({ ...chunk, ...text })).toBe(null);
      expect([chunk.firstSeq, chunk.previous]).toEqual([seq + 1, hash]);
      rows.push(...numbersIn(text, 'j'));
      events.push(...numbersIn(text, 'e'));
      bodies.push(...numbersIn(text, 'o'));
      [seq, hash] = [chunk.lastSeq, chunk.hash];
    }
    expect(chainStart(shop.money)).toEqual({ count: seq, hash });
    expect(rows).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    expect(events).toEqual(Array.from({ length: cutOf(shop.money)?.event ?? 0 }, (_, index) => index + 1));
    expect(bodies).toEqual(Array.from({ length: 80 }, (_, index) => index + 1));
  });

  it('finds a chunk that was written and not moved, and does not write it again', () => {
    const shop = OldShop.of(PAYMENTS);
    expect(shop.archiver.turn(Number.MAX_SAFE_INTEGER, 1)).toBe('written');
    expect(count(shop, 'journal')).toBe(PAYMENTS * ROWS_OF_A_PAYMENT);
    expect(shop.archiver.turn(Number.MAX_SAFE_INTEGER, 1)).toBe('moved');
    expect(shop.place.archive().get('SELECT count(*) AS count FROM chunks')).toEqual({ count: 1 });
  });

  it('deletes nothing that the archive holds otherwise, and overwrites nothing', () => {
    const [shop, other] = [OldShop.of(PAYMENTS), new OldShop()];
    for (let number = 1; number <= PAYMENTS; number += 1) other.pay(number + 100);
    const range = { firstSeq: 1, lastSeq: 100, firstEvent: 1, lastEvent: 60 };
    putChunk(shop.place.archive(), readChunk(other.money, range, CHAIN_START));
    expect(() => shop.archiver.turn(Number.MAX_SAFE_INTEGER, 1)).toThrow('holds other rows 1 to 100');
    expect(count(shop, 'journal')).toBe(PAYMENTS * ROWS_OF_A_PAYMENT);
    expect(shop.place.archive().get('SELECT count(*) AS count FROM chunks')).toEqual({ count: 1 });
  });

  it.each([
    ['hash', { hash: 'f'.repeat(64) }],
    ['beginning', { previous: 'f'.repeat(64) }],
    ['first event', { firstEvent: 2 }],
  ])('deletes nothing for a chunk whose %s is another', (_, change) => {
    const shop = OldShop.of(PAYMENTS);
    const range = { firstSeq: 1, lastSeq: 100, firstEvent: 1, lastEvent: 60 };
    putChunk(shop.place.archive(), { ...readChunk(shop.money, range, CHAIN_START), ...change });
    expect(() => shop.archiver.turn(Number.MAX_SAFE_INTEGER, 1)).toThrow('holds other rows 1 to 100');
    expect(count(shop, 'journal')).toBe(PAYMENTS * ROWS_OF_A_PAYMENT);
  });

  it('does not take a row that does not fit its hash', () => {
    const shop = OldShop.of(PAYMENTS);
    shop.money.run('DROP TRIGGER journal_is_not_changed');
    shop.money.run("UPDATE journal SET event = 'x' WHERE seq = 7");
    expect(() => shop.archiver.turn(Number.MAX_SAFE_INTEGER, 1)).toThrow('row 7');
    expect(count(shop, 'journal')).toBe(PAYMENTS * ROWS_OF_A_PAYMENT);
  });

  it('finds what was changed between the writing and the moving, and deletes nothing then', () => {
    const shop = OldShop.of(PAYMENTS);
    shop.archiver.turn(Number.MAX_SAFE_INTEGER, 1);
    shop.money.run("UPDATE events SET type = 'x' WHERE seq = 3");
    expect(() => shop.archiver.turn(Number.MAX_SAFE_INTEGER, 1)).toThrow('holds other rows');
    expect(count(shop, 'events')).toBe(PAYMENTS * 3);
  });
});

describe('what stays in the books', () => {
  it.each([
    [
      'young',
      (shop: OldShop) => shop.money.run('UPDATE attempts SET completed_at = 99999999 WHERE id = ?', idOf(9)),
    ],
    [
      'open',
      (shop: OldShop) => shop.money.run('UPDATE attempts SET completed_at = NULL WHERE id = ?', idOf(9)),
    ],
    ['task', (shop: OldShop) => shop.money.run('UPDATE attempts SET needs_person = 1 WHERE id = ?', idOf(9))],
    [
      'unreported',
      (shop: OldShop) => shop.money.run("UPDATE outbox SET state = 'pending' WHERE attempt_id = ?", idOf(9)),
    ],
    [
      'task',
      (shop: OldShop) =>
        shop.payments.insertTask({
          id: 'task',
          kind: 'cancel_too_late',
          attemptId: idOf(9),
          settlementId: null,
          deviceId: null,
          message: 'look',
          createdAt: 1,
          done: null,
        }),
    ],
  ])('is everything behind the first row of a payment that is %s', (why, hold) => {
    const shop = OldShop.of(PAYMENTS);
    hold(shop);
    expect(nextChunk(shop.money, { seq: 0, event: 0 }, 90_000_000)).toMatchObject({
      why,
      attemptId: idOf(9),
      seq: 8 * ROWS_OF_A_PAYMENT + 1,
    });
    expect(shop.archiveAll(90_000_000)).toBe(0);
  });

  it('are the newest rows, whatever their age, so that what comes next is chained to them', () => {
    const shop = OldShop.of(PER_CHUNK);
    expect(shop.archiveAll()).toBe(0);
    shop.pay(PER_CHUNK + 1);
    expect(shop.archiveAll()).toBe(2);
    const before = chainEnd(shop.money);
    shop.pay(PER_CHUNK + 2);
    expect(chainEnd(shop.money).count).toBe(before.count + ROWS_OF_A_PAYMENT);
    expect(checkChain(shop.money).kind).toBe('whole');
  });

  it('are events that a webhook waits for, or has not heard of', () => {
    const shop = OldShop.of(PAYMENTS);
    const delivery = `INSERT INTO webhook_deliveries (id, event_id, event_type, endpoint_id, created_at, attempts, state, next_at, ends_at, noted_at)
      SELECT 'd', id, type, 'e', 1, 0, 'pending', 1, 2, 1 FROM events WHERE seq = 11`;
    shop.money.run(delivery);
    shop.archiveAll();
    expect(cutOf(shop.money)).toMatchObject({ seq: 200, event: 10 });
    shop.money.run(
      "UPDATE webhook_deliveries SET state = 'delivered', next_at = NULL, ends_at = NULL, noted_at = NULL, ended_at = 3",
    );
    for (let number = PAYMENTS + 1; number <= 2 * PAYMENTS; number += 1) shop.pay(number);
    shop.money.run(`INSERT INTO webhook_endpoints (id, url, events, status, sealed_secret, created_at, updated_at)
      VALUES ('e', 'https://x', '[]', 'enabled', 's', 1, 1)`);
    shop.money.run("INSERT INTO facts (name, value) VALUES ('webhook_event_cursor', '30')");
    shop.archiveAll();
    expect(cutOf(shop.money)?.event).toBe(30);
  });

  it('are events of a chunk that was written, if a webhook waits for one of them by now', () => {
    const shop = OldShop.of(PAYMENTS);
    expect(shop.archiver.turn(Number.MAX_SAFE_INTEGER, 1)).toBe('written');
    shop.money.run(`INSERT INTO webhook_deliveries (id, event_id, event_type, endpoint_id, created_at, attempts, state, next_at, ends_at, noted_at)
      SELECT 'd', id, type, 'e', 1, 0, 'pending', 1, 2, 1 FROM events WHERE seq = 11`);
    expect(shop.archiver.turn(Number.MAX_SAFE_INTEGER, 1)).toBe('nothing');
    expect(count(shop, 'events')).toBe(PAYMENTS * 3);
  });

  it('is what was sent to a terminal last, though its timeline is archived', () => {
    const shop = OldShop.of(PAYMENTS);
    const device = '0199c0de-0000-7000-8000-0000000000d2';
    shop.money.run('UPDATE attempts SET device_id = ? WHERE id IN (?, ?)', device, idOf(3), idOf(5));
    const sent = shop.payments.lastSent(device)?.id;
    expect(sent).toBe(idOf(5));
    shop.archiveAll();
    expect(shop.payments.lastSent(device)?.id).toBe(sent);
  });
});

describe('the guards of a journal that was archived in part', () => {
  const DELETE = 'DELETE FROM journal WHERE seq <= ?';

  it('refuse to delete any row that is left, to write one where it was cut, and to change what is noted', () => {
    const shop = OldShop.of(PAYMENTS);
    shop.archiveAll();
    const cut = cutOf(shop.money);
    for (const sql of [
      'DELETE FROM journal',
      'DELETE FROM journal WHERE seq = 201',
      "UPDATE journal SET event = 'x' WHERE seq = 201",
      'INSERT INTO journal SELECT 200, attempt_id, at, event, from_state, to_state, details, hash FROM journal WHERE seq = 201',
      'DELETE FROM archived_chunks',
      'UPDATE archived_chunks SET last_seq = 240',
    ])
      expect(() => shop.money.run(sql), sql).toThrow();
    expect(cutOf(shop.money)).toEqual(cut);
    expect(checkChain(shop.money).kind).toBe('whole');
  });

  it('refuse a note of rows that are not there, have another hash, are the newest or come before the last', () => {
    const shop = OldShop.of(PAYMENTS);
    shop.archiveAll();
    const note = (seq: number, hash: string) =>
      shop.money.run('INSERT INTO archived_chunks VALUES (?, ?, 0, ?, 1)', seq, hash, 'd');
    const [right, newest] = [hashAt(shop.money, 210) ?? '', chainEnd(shop.money)];
    expect(() => note(9999, right)).toThrow();
    expect(() => note(210, 'f'.repeat(64))).toThrow();
    expect(() => note(newest.count, newest.hash)).toThrow();
    expect(() => note(100, right)).toThrow();
    expect(() => shop.money.run(DELETE, 210)).toThrow('TRIGGER');
  });

  it('leave a gap at the beginning that no check takes for damage, and one more row gone that each does', () => {
    const shop = OldShop.of(PAYMENTS);
    const anchors = [3, 200, 220].map((seq) => ({ count: seq, hash: hashAt(shop.money, seq) ?? '' }));
    shop.archiveAll();
    expect(checkChain(shop.money, anchors)).toEqual({ kind: 'whole', ...chainEnd(shop.money) });
    const watch = new JournalWatch(shop.money, anchors, 10);
    expect([watch.found.kind, watch.isDone]).toEqual(['whole', false]);
    const changed = { count: 200, hash: 'f'.repeat(64) };
    expect(anchors.every((anchor) => isOfJournal(shop.money, anchor))).toBe(true);
    expect(isOfJournal(shop.money, changed)).toBe(false);
    expect(checkChain(shop.money, [changed])).toMatchObject({ kind: 'broken', seq: 200 });
    shop.money.run('DROP TRIGGER journal_is_not_deleted');
    shop.money.run('DELETE FROM journal WHERE seq = 201');
    expect(checkChain(shop.money)).toMatchObject({ kind: 'broken', seq: 201 });
    expect(new JournalWatch(shop.money, [], 1000).found).toMatchObject({ kind: 'broken', seq: 201 });
  });
});
