import { hash } from 'node:crypto';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { chainEnd } from '../../src/store/journal/journal-chain.ts';
import { ArchiveWriter } from './archive-builder.ts';

type Row = Record<string, unknown>;

/** Tables that grow with every payment, in the order in which they may be written. */
const TABLES = ['attempts', 'journal', 'events', 'idempotency_keys', 'outbox'] as const;
const AT_ONCE = 10_000;
/** A shop that is never closed takes a payment every so often, in ms. */
const APART_MS = 30_000;
const DAY_PAYMENTS = 300;

/**
 * Fills a money database with payments that have ended, by copying the newest one in it row by row under other ids, older instants and
 * its journal's own chain. The frames of the journal and the longer snapshots of its events are left out: a row is as wide as one of a
 * terminal that says little. The daemon must be down.
 * @param pending the service has heard of none of them: two reports of each wait in the outbox
 * @param live so many of the newest have their timeline in the books, that of all others is in the archive; absent: all have
 * @returns how many payments it holds then
 */
export function fillStore(path: string, attempts: number, pending = false, live = attempts): number {
  const sqlite = new Sqlite(path);
  try {
    sqlite.pragma('synchronous = OFF');
    sqlite.pragma('cache_size = -200000');
    const have = sqlite.prepare('SELECT count(*) FROM attempts').pluck().get() as number;
    const template = templateOf(sqlite, pending);
    const archive = live < attempts ? new ArchiveWriter(sqlite, join(dirname(path), 'archive.db')) : null;
    const write = writerOf(sqlite, template, archive);
    const firstAt = Date.now() - (attempts - have + 1) * APART_MS;
    for (let from = have; from < attempts; from += AT_ONCE) {
      const to = Math.min(attempts, from + AT_ONCE);
      sqlite.transaction(() => {
        for (let no = from; no < to; no += 1) {
          if (no === attempts - live) archive?.end();
          write(no, firstAt + (no - have) * APART_MS);
        }
      })();
    }
    archive?.close();
    sqlite.pragma('wal_checkpoint(TRUNCATE)');
    keep(path);
    return sqlite.prepare('SELECT count(*) FROM attempts').pluck().get() as number;
  } finally {
    sqlite.close();
  }
}

/** What the system has not written yet would be written while something else is measured. */
function keep(path: string): void {
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}

type Template = Readonly<Record<(typeof TABLES)[number], readonly Row[]>>;

function templateOf(sqlite: Sqlite.Database, pending: boolean): Template {
  const id = sqlite.prepare('SELECT id FROM attempts ORDER BY seq DESC LIMIT 1').pluck().get();
  const rows = (table: string) =>
    sqlite
      .prepare(`SELECT * FROM ${table} WHERE ${table === 'attempts' ? 'id' : 'attempt_id'} = ?`)
      .all(id) as Row[];
  const all = Object.fromEntries(TABLES.map((table) => [table, rows(table)])) as unknown as Template;
  const short = all.events[0]?.['snapshot'];
  return {
    ...all,
    journal: all.journal.map((row) => ({ ...row, details: '{}' })),
    events: all.events.map((row) => ({ ...row, snapshot: short })),
    outbox: ['create', 'result'].map((kind) =>
      reportOf(String(id), kind, Number(all.attempts[0]?.['created_at']), pending),
    ),
  };
}

/** As wide as one of a sale. */
function reportOf(attemptId: string, kind: string, at: number, pending: boolean): Row {
  const body = JSON.stringify({ id: attemptId, kind, words: 'x'.repeat(240) });
  const fate = pending
    ? { state: 'pending', tries: 0, first_used_at: null, done_at: null }
    : { state: 'done', tries: 1, first_used_at: at, done_at: at };
  return { id: '', attempt_id: attemptId, kind, key: '', body, created_at: at, ...fate };
}

/** Writes one payment; ids rise with time as ours do, so that indexes grow at their end. */
function writerOf(
  sqlite: Sqlite.Database,
  template: Template,
  archive: ArchiveWriter | null,
): (no: number, at: number) => void {
  const [attempt] = template.attempts;
  if (!attempt) throw new Error('there is no payment to copy');
  const { id: oldId, created_at: oldAt } = attempt;
  const statements = new Map(
    TABLES.map((table) => [table, insertOf(sqlite, table, template[table][0], archive !== null)]),
  );
  const end = chainEnd({
    get: (sql, ...values) => sqlite.prepare(sql).get(...values),
    all: (sql) => sqlite.prepare(sql).all(),
  });
  const chain = { seq: end.count, hash: end.hash };
  const put = (table: (typeof TABLES)[number], row: Row) => statements.get(table)?.run(...Object.values(row));
  return (no, at) => {
    const id = uuidAt(at, no);
    for (const table of TABLES) {
      template[table].forEach((row, index) => {
        const copy = aged(row, Number(oldAt), at);
        if (table === 'attempts') {
          Object.assign(copy, { id, ticket: null, day: dayOf(no), batch: dayOf(no) });
          copy['amount_minor'] = 100 + (no % 20_000);
        } else {
          rename(copy, String(oldId), { id, own: uuidAt(at, no * 8 + index) });
        }
        if (table === 'journal') chained(copy, chain);
        else if (table !== 'events' || !archive) delete copy['seq'];
        if (archive?.takes(table, copy) !== true) put(table, copy);
      });
    }
  };
}

/** The same row at another instant. */
function aged(row: Row, from: number, to: number): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, moved(name, value, from, to)]));
}

/** The row of another payment. */
function rename(row: Row, oldId: string, now: { id: string; own: string }): void {
  row['attempt_id'] = now.id;
  if ('snapshot' in row) {
    row['id'] = `evt_${now.own}`;
    row['snapshot'] = String(row['snapshot']).replaceAll(oldId, now.id);
  } else if ('id' in row) row['id'] = now.own;
  if ('key' in row) row['key'] = now.own;
  if ('kind' in row) row['body'] = String(row['body']).replaceAll(oldId, now.id);
}

function dayOf(no: number): number {
  return 1 + Math.floor(no / DAY_PAYMENTS);
}

function moved(name: string, value: unknown, from: number, to: number): unknown {
  return typeof value === 'number' && /(_at|^at|_since)$/.test(name) ? value - from + to : value;
}

function chained(row: Row, chain: { seq: number; hash: string }): void {
  chain.seq += 1;
  const fields = ['attempt_id', 'at', 'event', 'from_state', 'to_state', 'details'].map((name) => row[name]);
  chain.hash = hash('sha256', `${chain.hash}\n${JSON.stringify([chain.seq, ...fields])}`);
  Object.assign(row, { seq: chain.seq, hash: chain.hash });
}

function insertOf(
  sqlite: Sqlite.Database,
  table: string,
  row: Row | undefined,
  hasNumbers: boolean,
): Sqlite.Statement {
  const names = Object.keys(row ?? {}).filter(
    (name) => name !== 'seq' || table === 'journal' || (table === 'events' && hasNumbers),
  );
  return sqlite.prepare(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
}

/** A UUID of version 7 of this instant and number. */
function uuidAt(at: number, no: number): string {
  const time = Math.floor(at).toString(16).padStart(12, '0');
  const rest = no.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${rest}`;
}
