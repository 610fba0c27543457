import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { ARCHIVE_MIGRATIONS } from '../../../src/store/archive/archive-migrations.ts';
import { MIRROR_MIGRATIONS } from '../../../src/store/mirror/mirror-migrations.ts';
import { takeStep } from '../../../src/store/schema/migration-step.ts';
import { type Migration, MONEY_MIGRATIONS } from '../../../src/store/schema/migrations.ts';
import { type Statement, statementsOfTheStore } from '../../support/statements.ts';

/** Tables that grow with the years, or with what a provider has. */
const GROWING = [
  'attempts',
  'journal',
  'events',
  'idempotency_keys',
  'kept_answers',
  'outbox',
  'outbox_decisions',
  'aliases',
  'tasks',
  'settlements',
  'provider_payments',
  'key_audit',
  'webhook_deliveries',
  'rows',
  'parked',
  'runs',
  'archived_chunks',
  'chunks',
  'archived_attempts',
];

/** Indexes of what is not finished: however old the shop is, few rows are in them, or as many as are pending. */
const OF_WHAT_IS_OPEN = [
  'attempts_open',
  'outbox_pending',
  'outbox_dropped',
  'outbox_parked',
  'settlements_open',
  'tasks_open',
  'webhook_deliveries_pending',
  'runs_open',
];

/** Of a device, or of a status, there are as many as there are years: alone they narrow nothing. */
const WIDE =
  /INDEX (?:attempts_by_device|attempts_by_status|attempts_by_amount|settlements_by_device) \((?:device_id|status)=\?\)$/;

/** Walks of a growing table that are meant, by how the statement begins, and why. */
const MEANT: readonly (readonly [file: string, begins: string, why: string])[] = [
  ['journal-chain.ts', 'SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1', 'its last row'],
  ['journal-chain.ts', 'SELECT seq, attempt_id', 'the journal is walked piece by piece while nobody pays'],
  ['journal-cut.ts', 'SELECT last_seq AS seq', 'the newest one'],
  ['epoch.ts', 'SELECT 1 FROM attempts LIMIT 1', 'one row'],
  ['payment-statements.ts', 'SELECT attempts.* FROM journal INDEXED BY', 'back to the first of a device'],
  ['payment-statements.ts', 'SELECT attempts.ticket FROM journal INDEXED BY', 'the newest dispatch'],
  ['newest-found.ts', 'SELECT count(*) AS missed', 'the newest 200'],
  ['kept-time.ts', 'SELECT COALESCE', 'the newest 100'],
  ['id-columns.ts', 'INSERT OR REPLACE INTO facts', 'the newest one'],
  ['support-view.ts', 'SELECT id, device_id', 'the newest 200'],
  ['support-view.ts', 'SELECT seq, attempt_id', 'the newest 1,000'],
  ['support-view.ts', "SELECT 'payments' AS name", 'a bundle is made by a command, in a process of its own'],
  ['checks.ts', 'SELECT count(*) AS count FROM attempts', 'a backup is proved whole by a command'],
  ['key-status.ts', 'SELECT key_id AS keyId', 'a restore carries the whole trail over'],
  ['salvage-attempts.ts', 'SELECT attempt_id AS id, snapshot', 'a damaged file is read as a whole, once'],
  ['salvage.ts', 'INSERT INTO terminals', 'a damaged file is read as a whole, once'],
  [
    'open-questions.ts',
    'SELECT count(*) AS count FROM attempts WHERE status',
    'the doctor counts, in a process of its own',
  ],
  ['sqlite-event-store.ts', 'SELECT count(*) AS total', 'a list of the deprecated version says its total'],
  ['upkeep-questions.ts', 'SELECT created_at AS at FROM attempts ORDER BY seq LIMIT 1', 'one row'],
];

/** Put together at run time, or of another database than ours: their plans are asserted where they are asked for. */
const ELSEWHERE: readonly (readonly [file: string, begins: string, why: string])[] = [
  ['journal-chain.ts', 'SELECT seq, attempt_id', 'behind a row of the journal'],
  ['id-columns.ts', 'UPDATE OR IGNORE', 'id-backfill.test.ts'],
  ['migration-step.ts', 'UPDATE sqlite_schema', 'the words of a table or an index, once'],
  ['open-questions.ts', 'SELECT count(*) AS payments', 'the doctor counts, in a process of its own'],
  ['salvage-attempts.ts', 'INSERT INTO attempts', 'one row'],
  ['recover.ts', 'SELECT', 'what sqlite3 has recovered is read as a whole, once'],
  ['salvage-tables.ts', 'SELECT', 'a damaged file is read as a whole, once'],
  ['salvage.ts', 'INSERT INTO', 'one row'],
  ['payment-statements.ts', 'INSERT INTO attempts', 'one row'],
  ['payment-statements.ts', 'UPDATE attempts SET', 'query-plans.test.ts'],
  ['payment-statements.ts', 'SELECT * FROM attempts ${hintOf', 'query-plans.test.ts'],
  ['payment-statements.ts', 'SELECT count(*) AS total', 'a list of the deprecated version says its total'],
  ['sqlite-webhook-store.ts', 'SELECT count(*) AS total', 'a list of the deprecated version says its total'],
  ['sqlite-webhook-store.ts', 'SELECT * FROM webhook_deliveries', 'webhooks-in-the-database.test.ts'],
  ['sync-statements.ts', 'SELECT id, hash', 'by the unique index, a hundred ids'],
  ['sync-statements.ts', 'INSERT INTO rows', 'as many rows as it has'],
  ['sync-statements.ts', 'UPDATE rows SET sweep = max', 'by the unique index, a hundred ids'],
  ['sync-statements.ts', 'UPDATE rows SET scan = max', 'by the unique index, a hundred ids'],
  ['row-selection.ts', 'SELECT seq', 'of one customer by their index, or a list that is small'],
];

/** Of tables that no schema of ours has. */
const FOREIGN: readonly (readonly [file: string, begins: string, why: string])[] = [
  ['recover.ts', 'SELECT * FROM lost_and_found', "a table of SQLite's own recovery, read once"],
  ['recover.ts', 'SELECT count(*) FROM sqlite_dbpage', 'asked of the program, in memory'],
];

const money = shaped(MONEY_MIGRATIONS);
const mirror = shaped(MIRROR_MIGRATIONS);
const archive = shaped(ARCHIVE_MIGRATIONS);
afterAll(() => {
  archive.close();
  money.close();
  mirror.close();
});

describe('every statement in the source of the store', () => {
  const statements = statementsOfTheStore();
  const fixed = statements.filter(({ sql }) => !sql.includes('${'));

  it('is found, and its plan can be told', () => {
    expect(fixed.length).toBeGreaterThan(200);
    const made = statements.filter((one) => !fixed.includes(one) && !isIn(ELSEWHERE, one));
    expect(made).toEqual([]);
    expect(fixed.filter((one) => planOf(one.sql) === null && !isIn(FOREIGN, one))).toEqual([]);
  });

  it('walks no table that grows, unless it says why', () => {
    const walks = fixed
      .map((one) => ({ ...one, walked: walkedBy(one.sql) }))
      .filter((one) => one.walked.length > 0 && !isIn(MEANT, one));
    expect(walks).toEqual([]);
  });

  it('is one of those that are let off, for each that is', () => {
    const idle = [...MEANT, ...ELSEWHERE, ...FOREIGN].filter(
      (allowed) => !statements.some((one) => isIn([allowed], one)),
    );
    expect(idle).toEqual([]);
  });

  it('is refused when it walks: a count of payments, an alias, a join', () => {
    expect(walkedBy('SELECT max(amount_minor) FROM attempts')).not.toEqual([]);
    expect(walkedBy("SELECT 1 FROM outbox AS owed WHERE owed.kind = 'create'")).not.toEqual([]);
    expect(walkedBy('SELECT min(created_at) FROM attempts')).not.toEqual([]);
    expect(walkedBy('SELECT 1 FROM tasks, events WHERE events.attempt_id = tasks.attempt_id')).not.toEqual(
      [],
    );
    expect(
      walkedBy('SELECT id FROM attempts WHERE device_id = ? AND amount_minor = ? ORDER BY seq'),
    ).not.toEqual([]);
    expect(walkedBy('SELECT max(seq) FROM outbox')).toEqual([]);
    expect(walkedBy('SELECT * FROM attempts WHERE id = ?')).toEqual([]);
  });
});

function shaped(migrations: readonly Migration[]): Sqlite.Database {
  const database = new Sqlite(':memory:');
  for (const step of migrations) takeStep(database, step);
  return database;
}

/** Null: no database knows its tables. */
function planOf(sql: string): readonly string[] | null {
  const named = Object.fromEntries([...sql.matchAll(/[@:](\w+)/g)].map(([, name = '']) => [name, null]));
  const values = sql.includes('?') ? [...sql].filter((letter) => letter === '?').map(() => null) : named;
  for (const database of [money, mirror, archive]) {
    try {
      const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(values);
      return rows.map((row) => String((row as { detail: unknown }).detail));
    } catch (error) {
      if (!/no such (table|column|index)/.test(String(error))) throw error;
    }
  }
  return null;
}

/**
 * Steps that read a growing table from end to end. A search without a condition is one, too: the smallest of a column, unless it is the
 * primary key; and one in an index that is made for this statement alone.
 */
function walkedBy(sql: string): readonly string[] {
  const names = new Set([...GROWING, ...GROWING.flatMap((table) => aliasesOf(sql, table))]);
  return (planOf(sql) ?? []).filter((step) => {
    const [, how, name = '', index = ''] =
      /^(SCAN|SEARCH) (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(step) ?? [];
    if (!names.has(name) || OF_WHAT_IS_OPEN.includes(index)) return false;
    if (how === 'SCAN' || step.includes('AUTOMATIC')) return true;
    if (WIDE.test(step)) return !/\bLIMIT\b/.test(sql);
    return !step.includes('(') && !(index === '' && /\b(?:max|min)\((?:\w+\.)?(?:seq|no)\)/.test(sql));
  });
}

function aliasesOf(sql: string, table: string): readonly string[] {
  return [...sql.matchAll(new RegExp(`\\b${table}\\s+(?:AS\\s+)?(\\w+)`, 'g'))].map(
    ([, alias = '']) => alias,
  );
}

function isIn(list: typeof MEANT, { file, sql }: Statement): boolean {
  const text = sql.trim().replace(/\s+/g, ' ');
  return list.some(([where, begins]) => where === file && text.startsWith(begins));
}
