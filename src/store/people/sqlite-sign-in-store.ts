import { z } from 'zod';
import type { AuditEntry, PairedDevice, Passkey, SignInStore } from '../../api/ports.ts';
import { appendAudit } from '../audit/audit-trail.ts';
import type { Database } from '../database.ts';

const PASSKEY_COLUMNS =
  'id, person_id AS personId, public_key AS publicKey, counter, created_at AS createdAt, last_used_at AS lastUsedAt';
const PASSKEY_BY_ID = `SELECT ${PASSKEY_COLUMNS} FROM passkeys WHERE id = ?`;
const PASSKEYS_OF = `SELECT ${PASSKEY_COLUMNS} FROM passkeys WHERE person_id = ? ORDER BY created_at, id`;
const ADD_PASSKEY =
  'INSERT INTO passkeys (id, person_id, public_key, counter, created_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?)';
const USED_PASSKEY = 'UPDATE passkeys SET counter = ?, last_used_at = ? WHERE id = ?';
const REMOVE_PASSKEY = 'DELETE FROM passkeys WHERE id = ?';
const PIN_OF = 'SELECT hash FROM pins WHERE person_id = ?';
const KEEP_PIN = 'INSERT OR REPLACE INTO pins (person_id, hash, set_at) VALUES (?, ?, ?)';
const PAIRED_DEVICES = `SELECT id, name, hash, paired_at AS pairedAt, withdrawn_at AS withdrawnAt FROM paired_devices
  ORDER BY paired_at DESC, id DESC`;
const PAIR_DEVICE =
  'INSERT INTO paired_devices (id, name, hash, paired_at, withdrawn_at) VALUES (?, ?, ?, ?, ?)';
const WITHDRAW_DEVICE = 'UPDATE paired_devices SET withdrawn_at = ? WHERE id = ? AND withdrawn_at IS NULL';
const END_SESSIONS_ON = 'DELETE FROM page_sessions WHERE paired_device_id = ?';
const TRIES_OF = 'SELECT failures, free_at AS freeAt FROM sign_in_tries WHERE subject = ?';
const KEEP_TRIES = 'INSERT OR REPLACE INTO sign_in_tries (subject, failures, free_at) VALUES (?, ?, ?)';
const FORGET_TRIES = 'DELETE FROM sign_in_tries WHERE subject = ?';

const PasskeyRow = z.object({
  id: z.string(),
  personId: z.string(),
  publicKey: z.string(),
  counter: z.int(),
  createdAt: z.int(),
  lastUsedAt: z.int().nullable(),
});
const DeviceRow = z.object({
  id: z.string(),
  name: z.string(),
  hash: z.string(),
  pairedAt: z.int(),
  withdrawnAt: z.int().nullable(),
});
const Pin = z.object({ hash: z.string() });
const Tries = z.object({ failures: z.int(), freeAt: z.int() });

/** Passkeys, PINs and paired devices, in `money.db`: a change and its entry in the audit trail are one commit. */
export class SqliteSignInStore implements SignInStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  passkey(id: string): Passkey | null {
    const row = this.#database.get(PASSKEY_BY_ID, id);
    return row === undefined ? null : PasskeyRow.parse(row);
  }

  passkeys(personId: string): readonly Passkey[] {
    return this.#database.all(PASSKEYS_OF, personId).map((row) => PasskeyRow.parse(row));
  }

  addPasskey(passkey: Passkey, audit: AuditEntry): void {
    const { id, personId, publicKey, counter, createdAt, lastUsedAt } = passkey;
    this.#audited(audit, ADD_PASSKEY, id, personId, publicKey, counter, createdAt, lastUsedAt);
  }

  usedPasskey(id: string, counter: number, at: number): void {
    this.#database.run(USED_PASSKEY, counter, at, id);
  }

  removePasskey(id: string, audit: AuditEntry): void {
    this.#audited(audit, REMOVE_PASSKEY, id);
  }

  pinOf(personId: string): string | null {
    const row = this.#database.get(PIN_OF, personId);
    return row === undefined ? null : Pin.parse(row).hash;
  }

  keepPin(personId: string, hash: string, audit: AuditEntry): void {
    this.#audited(audit, KEEP_PIN, personId, hash, audit.at);
  }

  devices(): readonly PairedDevice[] {
    return this.#database.all(PAIRED_DEVICES).map((row) => DeviceRow.parse(row));
  }

  pair({ id, name, hash, pairedAt, withdrawnAt }: PairedDevice, audit: AuditEntry): void {
    this.#audited(audit, PAIR_DEVICE, id, name, hash, pairedAt, withdrawnAt);
  }

  withdraw({ id, withdrawnAt }: PairedDevice, audit: AuditEntry): void {
    this.#database.transaction(() => {
      this.#database.run(END_SESSIONS_ON, id);
      if (this.#database.run(WITHDRAW_DEVICE, withdrawnAt, id) === 1) appendAudit(this.#database, audit);
    });
  }

  triesOf(subject: string): { readonly failures: number; readonly freeAt: number } | null {
    const row = this.#database.get(TRIES_OF, subject);
    return row === undefined ? null : Tries.parse(row);
  }

  keepTries(
    subject: string,
    { failures, freeAt }: { readonly failures: number; readonly freeAt: number },
  ): void {
    this.#database.run(KEEP_TRIES, subject, failures, freeAt);
  }

  forgetTries(subject: string): void {
    this.#database.run(FORGET_TRIES, subject);
  }

  #audited(audit: AuditEntry, sql: string, ...values: readonly unknown[]): void {
    this.#database.transaction(() => {
      this.#database.run(sql, ...values);
      appendAudit(this.#database, audit);
    });
  }
}
