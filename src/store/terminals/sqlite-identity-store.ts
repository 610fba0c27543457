import { z } from 'zod';
import type { IdentityStore, TerminalFacts } from '../../payment/ports.ts';
import type { TerminalIdentity } from '../../terminal/ports.ts';
import type { Database } from '../database.ts';
import { remembered } from '../query-cache.ts';

const FIND = "SELECT identity FROM terminals WHERE device_id = ? AND identity <> ''";
const REMEMBER = `INSERT INTO terminals (device_id, identity, since) VALUES (?, ?, ?)
  ON CONFLICT (device_id) DO UPDATE SET identity = excluded.identity, since = excluded.since`;
const FORGET = `UPDATE terminals SET identity = '', batch = batch + 1, day = day + 1, day_is_whole = 0, shared_use = 0,
  void_withdrawn = 0, set_aside = NULL WHERE device_id = ?`;
const FACTS =
  'SELECT batch, day, day_is_whole, shared_use, void_withdrawn, set_aside FROM terminals WHERE device_id = ?';
const BEGIN_BATCH = 'UPDATE terminals SET batch = batch + 1 WHERE device_id = ?';
const BEGIN_DAY =
  'UPDATE terminals SET batch = batch + 1, day = day + 1, day_is_whole = 1 WHERE device_id = ?';
const SHARED = 'UPDATE terminals SET shared_use = 1 WHERE device_id = ?';
const WITHDRAW = 'UPDATE terminals SET void_withdrawn = 1 WHERE device_id = ?';
const SET_ASIDE = 'UPDATE terminals SET set_aside = ? WHERE device_id = ?';

const IdentityRow = z.object({ identity: z.string() });
const FactsRow = z.object({
  batch: z.int(),
  day: z.int(),
  day_is_whole: z.int(),
  shared_use: z.int(),
  void_withdrawn: z.int(),
  set_aside: z.string().nullable(),
});
const UNKNOWN: TerminalFacts = {
  batch: 1,
  day: 1,
  dayIsWhole: false,
  sharedUse: false,
  voidWithdrawn: false,
  setAside: null,
};

/** Which terminal serves which device, and the terminal's recorded identity, in `money.db`. */
export class SqliteIdentityStore implements IdentityStore {
  readonly #database: Database;
  readonly #identity: (deviceId: string) => TerminalIdentity | null;
  readonly #facts: (deviceId: string) => TerminalFacts;

  constructor(database: Database) {
    this.#database = database;
    this.#identity = remembered(database, (deviceId) => identityOf(database.get(FIND, deviceId)));
    this.#facts = remembered(database, (deviceId) => factsOf(database.get(FACTS, deviceId)));
  }

  identityOf(deviceId: string): TerminalIdentity | null {
    return this.#identity(deviceId);
  }

  rememberIdentity(deviceId: string, identity: TerminalIdentity, at: number): void {
    this.#database.run(REMEMBER, deviceId, JSON.stringify(identity), at);
  }

  forgetIdentity(deviceId: string): void {
    this.#database.run(FORGET, deviceId);
  }

  factsOf(deviceId: string): TerminalFacts {
    return this.#facts(deviceId);
  }

  beginBatch(deviceId: string): void {
    this.#database.run(BEGIN_BATCH, deviceId);
  }

  beginDay(deviceId: string): void {
    this.#database.run(BEGIN_DAY, deviceId);
  }

  noteSharedUse(deviceId: string): void {
    this.#database.run(SHARED, deviceId);
  }

  withdrawVoid(deviceId: string): void {
    this.#database.run(WITHDRAW, deviceId);
  }

  setAside(deviceId: string, why: string): void {
    this.#database.run(SET_ASIDE, why, deviceId);
  }
}

/** JSON of tilld's own type, written here. */
function identityOf(row: unknown): TerminalIdentity | null {
  return row === undefined ? null : (JSON.parse(IdentityRow.parse(row).identity) as TerminalIdentity);
}

function factsOf(row: unknown): TerminalFacts {
  if (row === undefined) return UNKNOWN;
  const { batch, day, day_is_whole, shared_use, void_withdrawn, set_aside } = FactsRow.parse(row);
  return {
    batch,
    day,
    dayIsWhole: day_is_whole === 1,
    sharedUse: shared_use === 1,
    voidWithdrawn: void_withdrawn === 1,
    setAside: set_aside,
  };
}
