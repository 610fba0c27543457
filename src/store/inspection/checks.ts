import Sqlite from 'better-sqlite3';
import { z } from 'zod';
import type { Readable } from '../read-only-database.ts';
import { takeStep } from '../schema/migration-step.ts';
import { MONEY_MIGRATIONS } from '../schema/migrations.ts';

/** Most page errors that are listed; more add nothing. */
const MOST_DAMAGES = 5;

const Version = z.object({ user_version: z.int() });
const Fact = z.object({ value: z.string() });
const CheckRow = z.record(z.string(), z.unknown());
const Master = z.object({ type: z.string(), name: z.string(), sql: z.string() });
const Count = z.object({ count: z.int() });
const At = z.object({ at: z.int().nullable() });

/** The schema version that this database has, and the one that this release writes. */
export interface Shape {
  readonly version: number;
  readonly ours: number;
  /** The oldest release that can write it, as the database says; null in a database of another program. */
  readonly minWriter: string | null;
}

export function shapeOf(database: Readable): Shape {
  const { user_version: version } = Version.parse(database.get('PRAGMA user_version'));
  const hasFacts = database.get("SELECT 1 FROM sqlite_schema WHERE name = 'facts'") !== undefined;
  const row = hasFacts ? database.get("SELECT value FROM facts WHERE name = 'min_writer'") : undefined;
  return { version, ours: MONEY_MIGRATIONS.length, minWriter: Fact.safeParse(row).data?.value ?? null };
}

/**
 * What is wrong with the pages, in SQLite's words; empty when nothing is.
 * @param full also whether every index matches its table; else only that of the journal
 */
export function damagedPages(database: Readable, full: boolean): readonly string[] {
  const checks = full
    ? [`PRAGMA integrity_check(${MOST_DAMAGES})`]
    : [`PRAGMA quick_check(${MOST_DAMAGES})`, "PRAGMA integrity_check('journal')"];
  const stated = checks
    .flatMap((sql) => database.all(sql))
    .map((row) => Object.values(CheckRow.parse(row))[0]);
  return [...new Set(stated.filter((word) => word !== 'ok').map(String))].slice(0, MOST_DAMAGES);
}

/** Tables with rows that refer to a missing row. */
export function danglingReferences(database: Readable): readonly string[] {
  const rows = database.all('PRAGMA foreign_key_check').map((row) => String(CheckRow.parse(row)['table']));
  return [...new Set(rows)];
}

/**
 * The tables, indexes and triggers that differ from what this release created, by name. An older schema is compared with that version; a later one
 * cannot be checked.
 */
export function strangeSchema(database: Readable): readonly string[] {
  const { version, ours: known } = shapeOf(database);
  if (version > known) return [];
  const expected = new Sqlite(':memory:');
  try {
    for (const step of MONEY_MIGRATIONS.slice(0, version)) takeStep(expected, step);
    const ours = schemaOf((sql) => expected.prepare(sql).all());
    const theirs = schemaOf((sql) => database.all(sql));
    const names = new Set([...ours.keys(), ...theirs.keys()]);
    return [...names].filter((name) => ours.get(name) !== theirs.get(name));
  } finally {
    expected.close();
  }
}

function schemaOf(all: (sql: string) => readonly unknown[]): ReadonlyMap<string, string> {
  const rows = all("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'");
  return new Map(
    rows.map((row) => {
      const { type, name, sql } = Master.parse(row);
      return [`${type} ${name}`, sql] as const;
    }),
  );
}

/** The number of payments in the database. */
export function countAttempts(database: Readable): number {
  return Count.parse(database.get('SELECT count(*) AS count FROM attempts')).count;
}

/** When the newest entry of the journal was written, in epoch ms; null in an empty journal. */
export function newestEntryAt(database: Readable): number | null {
  return At.parse(
    database.get('SELECT max(at) AS at FROM journal WHERE seq > (SELECT max(seq) FROM journal) - 100'),
  ).at;
}

/** When the first entry after a row of the journal was written, in epoch ms; null: there is none. */
export function firstEntryAfter(database: Readable, seq: number): number | null {
  const row = database.get('SELECT at FROM journal WHERE seq > ? ORDER BY seq LIMIT 1', seq);
  return row === undefined ? null : At.parse(row).at;
}
