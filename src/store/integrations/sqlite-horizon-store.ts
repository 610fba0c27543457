import { z } from 'zod';
import type { HorizonStore } from '../../integration/ports.ts';
import { nameOf, type StreamKey } from '../../integration/window/stream.ts';
import type { Database } from '../database.ts';

const FIND = 'SELECT value FROM facts WHERE name = ?';
const SET = 'INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)';
const Fact = z.object({ value: z.string() });
/** The value of a first sync from the beginning. */
const BEGINNING = 'beginning';

/** The lower bounds of first syncs, in `money.db`: one small write for each list of invoices. */
export class SqliteHorizonStore implements HorizonStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  of(stream: StreamKey): number | null | undefined {
    const row = this.#database.get(FIND, factOf(stream));
    if (row === undefined) return undefined;
    const { value } = Fact.parse(row);
    return value === BEGINNING ? null : Number(value);
  }

  keep(stream: StreamKey, horizon: number | null): void {
    this.#database.run(SET, factOf(stream), horizon === null ? BEGINNING : String(horizon));
  }
}

function factOf(stream: StreamKey): string {
  return `horizon ${nameOf(stream)}`;
}
