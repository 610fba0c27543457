import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { canonicalId } from '../../base/ids.ts';
import type { Settlement } from '../../payment/batch/settlement.ts';
import type { Database } from '../database.ts';

const INSERT = 'INSERT INTO settlements (id, device_id, status, detail) VALUES (?, ?, ?, ?)';
const UPDATE = 'UPDATE settlements SET status = ?, detail = ? WHERE id = ?';
const FIND = 'SELECT detail FROM settlements WHERE id = ?';
const OPEN = "SELECT detail FROM settlements WHERE status IN ('requested', 'in_progress') ORDER BY seq";
const LIST = `SELECT detail FROM settlements WHERE device_id = CAST(? AS TEXT)
  AND seq < COALESCE((SELECT seq FROM settlements WHERE id = ?), 9007199254740991) ORDER BY seq DESC LIMIT CAST(? AS INTEGER)`;

const Row = z.object({ detail: z.string() });

/** Batch closes of the terminals, in `money.db`. */
export class SqliteSettlementStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  insert(settlement: Settlement): void {
    const { id, deviceId, status } = settlement;
    this.#database.run(INSERT, id, deviceId, status, JSON.stringify(settlement));
  }

  update(settlement: Settlement): void {
    this.#database.run(UPDATE, settlement.status, JSON.stringify(settlement), settlement.id);
  }

  find(id: string): Settlement | null {
    const row = this.#database.get(FIND, id);
    return row === undefined ? null : settlementOf(row);
  }

  open(deviceId?: string): readonly Settlement[] {
    const all = this.#database.all(OPEN).map(settlementOf);
    return deviceId === undefined ? all : all.filter((one) => one.deviceId === deviceId);
  }

  /** @throws CURSOR_UNKNOWN */
  list(page: { readonly deviceId: string; readonly startingAfter?: string; readonly limit: number }): {
    readonly items: readonly Settlement[];
    readonly hasMore: boolean;
  } {
    const { deviceId, startingAfter, limit } = page;
    if (startingAfter !== undefined && !this.find(startingAfter)) {
      throw new AppError('CURSOR_UNKNOWN', 'no settlement has this id', {
        context: { param: 'starting_after' },
      });
    }
    const rows = this.#database.all(LIST, deviceId, startingAfter ?? '', limit + 1).map(settlementOf);
    return { items: rows.slice(0, limit), hasMore: rows.length > limit };
  }
}

/** JSON of tilld's own type, written here; one of an older release may hold the id of its device in another form. */
function settlementOf(raw: unknown): Settlement {
  const settlement = JSON.parse(Row.parse(raw).detail) as Settlement;
  return { ...settlement, deviceId: canonicalId(settlement.deviceId) };
}
