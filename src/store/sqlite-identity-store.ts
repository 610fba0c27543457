import { z } from 'zod';
import type { IdentityStore } from '../payment/ports.ts';
import type { TerminalIdentity } from '../terminal/ports.ts';
import type { Database } from './database.ts';

const FIND = 'SELECT identity FROM terminals WHERE device_id = ?';
const REMEMBER = 'INSERT OR REPLACE INTO terminals (device_id, identity, since) VALUES (?, ?, ?)';

/** Which terminal serves which device, in `money.db`. */
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
}
