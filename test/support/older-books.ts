import { z } from 'zod';
import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import {
  ASKED_COLUMNS,
  askedValues,
  BECAME_COLUMNS,
  becameValues,
} from '../../src/store/attempts/attempt-row.ts';
import type { Database } from '../../src/store/database.ts';
import { beginEpoch, epochOf } from '../../src/store/epoch/epoch.ts';
import { writeEpochNote } from '../../src/store/epoch/epoch-note.ts';
import { chainEnd } from '../../src/store/journal/journal-chain.ts';

const Column = z.object({ name: z.string() });

/** Writes a payment into books of an older release: without the columns that it did not have. */
export function insertIntoOlder(database: Database, attempt: Attempt): void {
  const had = new Set(database.all('PRAGMA table_info(attempts)').map((column) => Column.parse(column).name));
  const values = [...askedValues(attempt), ...becameValues(attempt)];
  const row = [...ASKED_COLUMNS, ...BECAME_COLUMNS]
    .map((name, index) => ({ name, value: values[index] }))
    .filter(({ name }) => had.has(name));
  const places = row.map(() => '?').join(', ');
  database.run(
    `INSERT INTO attempts (${row.map(({ name }) => name).join(', ')}) VALUES (${places})`,
    ...row.map(({ value }) => value),
  );
}

/** Begins the epoch of new books of an older release, and notes it beside them. */
export function beginOlderEpoch(database: Database, path: string, id: string): void {
  beginEpoch(database, id, 0);
  noteOlderEpoch(database, path);
}

/** The note of a release that had no audit trail: the end of the journal alone. */
export function noteOlderEpoch(database: Database, path: string): void {
  writeEpochNote(path, { epoch: epochOf(database) ?? '', ...chainEnd(database) });
}
