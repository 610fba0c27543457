import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Database } from '../../src/store/database.ts';
import { MONEY_MIGRATIONS } from '../../src/store/schema/migrations.ts';

/** A folder that is gone after the test. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A real, empty money database in a folder of its own. */
export function aMoneyDatabase(path = join(aFolder(), 'money.db')): Database {
  const database = Database.open(path, MONEY_MIGRATIONS, '0.1.0');
  onTestFinished(() => database.close());
  return database;
}
