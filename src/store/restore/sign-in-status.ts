import Sqlite from 'better-sqlite3';
import { z } from 'zod';
import { openForReading, type Readable } from '../read-only-database.ts';

const PEOPLE_TABLE = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'people'";
const PASSKEY_TABLE = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'passkeys'";
const DISABLED_PEOPLE = 'SELECT id, disabled_at AS at FROM people WHERE disabled_at IS NOT NULL';
const WITHDRAWN_DEVICES = 'SELECT id, withdrawn_at AS at FROM paired_devices WHERE withdrawn_at IS NOT NULL';
const PASSKEY_IDS = 'SELECT id AS value FROM passkeys';
const PIN_HASHES = 'SELECT hash AS value FROM pins';
const DISABLE = 'UPDATE people SET disabled_at = :at WHERE id = :id AND disabled_at IS NULL';
const WITHDRAW = 'UPDATE paired_devices SET withdrawn_at = :at WHERE id = :id AND withdrawn_at IS NULL';
const REMOVE_PASSKEYS = 'DELETE FROM passkeys WHERE id NOT IN (SELECT value FROM json_each(?))';
const REMOVE_PINS = 'DELETE FROM pins WHERE hash NOT IN (SELECT value FROM json_each(?))';

const Ended = z.object({ id: z.string(), at: z.int() });
const Value = z.object({ value: z.string() });

/** Who may not sign in any more, and with what people may. */
export interface SignInStatus {
  readonly disabled: readonly z.infer<typeof Ended>[];
  readonly withdrawn: readonly z.infer<typeof Ended>[];
  readonly passkeys: readonly string[];
  readonly pins: readonly string[];
}

/** What a database says of it; null when it is not there, cannot be read, or is of a release without people. */
export function signInStatusIn(path: string): SignInStatus | null {
  try {
    const database = openForReading(path);
    try {
      if (!database.get(PEOPLE_TABLE) || !database.get(PASSKEY_TABLE)) return null;
      return {
        disabled: database.all(DISABLED_PEOPLE).map((row) => Ended.parse(row)),
        withdrawn: database.all(WITHDRAWN_DEVICES).map((row) => Ended.parse(row)),
        passkeys: valuesOf(database, PASSKEY_IDS),
        pins: valuesOf(database, PIN_HASHES),
      };
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}

/**
 * Applies what was ended since to a copy: people who were disabled, devices that were withdrawn, passkeys that were removed, PINs that were changed.
 * A copy of a release without them is left as it is.
 */
export function keepSignInStatus(draft: string, status: SignInStatus): void {
  inDraft(draft, (sqlite) => {
    endIn(sqlite, status);
    sqlite.prepare(REMOVE_PASSKEYS).run(JSON.stringify(status.passkeys));
    sqlite.prepare(REMOVE_PINS).run(JSON.stringify(status.pins));
  });
}

/** Applies what an older database has for good: people who were disabled and devices that were withdrawn; passkeys and PINs may be newer than it. */
export function keepEndedSignIn(draft: string, status: Pick<SignInStatus, 'disabled' | 'withdrawn'>): void {
  inDraft(draft, (sqlite) => endIn(sqlite, status));
}

function inDraft(draft: string, work: (sqlite: Sqlite.Database) => void): void {
  const sqlite = new Sqlite(draft);
  try {
    sqlite.pragma('synchronous = FULL');
    if (!sqlite.prepare(PEOPLE_TABLE).get() || !sqlite.prepare(PASSKEY_TABLE).get()) return;
    sqlite.transaction(() => work(sqlite))();
  } finally {
    sqlite.close();
  }
}

function endIn(
  sqlite: Sqlite.Database,
  { disabled, withdrawn }: Pick<SignInStatus, 'disabled' | 'withdrawn'>,
): void {
  for (const ended of disabled) sqlite.prepare(DISABLE).run(ended);
  for (const ended of withdrawn) sqlite.prepare(WITHDRAW).run(ended);
}

function valuesOf(database: Readable, sql: string): readonly string[] {
  return database.all(sql).map((row) => Value.parse(row).value);
}
