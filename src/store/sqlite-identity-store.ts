import { z } from 'zod';
import type { IdentityStore, TerminalFacts } from '../payment/ports.ts';
import type { TerminalIdentity } from '../terminal/ports.ts';
import type { Database } from './database.ts';

const FIND = "SELECT identity FROM terminals WHERE device_id = ? AND identity <> ''";
const REMEMBER = `INSERT INTO terminals (device_id, identity, since) VALUES (?, ?, ?)
  ON CONFLICT (device_id) DO UPDATE SET identity = excluded.identity, since = excluded.since`;
const FORGET = `UPDATE terminals SET identity = '', batch = batch + 1, shared_use = 0, void_withdrawn = 0 WHERE device_id = ?`;
const FACTS = 'SELECT batch, shared_use, void_withdrawn FROM terminals WHERE device_id = ?';
const BEGIN_BATCH = 'UPDATE terminals SET batch = batch + 1 WHERE device_id = ?';
const SHARED = 'UPDATE terminals SET shared_use = 1 WHERE device_id = ?';
const WITHDRAW = 'UPDATE terminals SET void_withdrawn = 1 WHERE device_id = ?';

const FactsRow = z.object({ batch: z.int(), shared_use: z.int(), void_withdrawn: z.int() });
const UNKNOWN: TerminalFacts = { batch: 1, sharedUse: false, voidWithdrawn: false };

/** Which terminal serves which device, and what was learned of it, in `money.db`. */
export class SqliteIdentityStore implements IdentityStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  identityOf(deviceId: string): TerminalIdentity | null {
    const row = this.#database.get(FIND, deviceId);
    if (row === undefined) return null;
    return JSON.parse(z.object({ identity: z.string() }).parse(row).identity) as TerminalIdentity;
  }

  rememberIdentity(deviceId: string, identity: TerminalIdentity, at: number): void {
    this.#database.run(REMEMBER, deviceId, JSON.stringify(identity), at);
  }

  forgetIdentity(deviceId: string): void {
    this.#database.run(FORGET, deviceId);
  }

  factsOf(deviceId: string): TerminalFacts {
    const row = this.#database.get(FACTS, deviceId);
    if (row === undefined) return UNKNOWN;
    const { batch, shared_use, void_withdrawn } = FactsRow.parse(row);
    return { batch, sharedUse: shared_use === 1, voidWithdrawn: void_withdrawn === 1 };
  }

  beginBatch(deviceId: string): void {
    this.#database.run(BEGIN_BATCH, deviceId);
  }

  noteSharedUse(deviceId: string): void {
    this.#database.run(SHARED, deviceId);
  }

  withdrawVoid(deviceId: string): void {
    this.#database.run(WITHDRAW, deviceId);
  }
}
