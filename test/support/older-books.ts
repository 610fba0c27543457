import { z } from 'zod';
import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import { ASKED_COLUMNS, askedValues, BECAME_COLUMNS, becameValues } from '../../src/store/attempt-row.ts';
import type { Database } from '../../src/store/database.ts';

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
