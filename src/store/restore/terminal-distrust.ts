import { existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { z } from 'zod';
import { openForReading } from '../read-only-database.ts';

const Distrusted = z.object({
  deviceId: z.string(),
  voidWithdrawn: z.int(),
  setAside: z.string().nullable(),
});
type Distrusted = z.infer<typeof Distrusted>;

const DISTRUSTED = `SELECT device_id AS deviceId, void_withdrawn AS voidWithdrawn, set_aside AS setAside FROM terminals
  WHERE void_withdrawn = 1 OR set_aside IS NOT NULL`;
const KEEP_DISTRUST = `UPDATE terminals SET void_withdrawn = max(void_withdrawn, :voidWithdrawn),
  set_aside = COALESCE(set_aside, :setAside) WHERE device_id = :deviceId`;

/** Terminals whose voids were withdrawn, or that are not believed; none where there is no database, or it cannot be read. */
export function distrustedTerminalsIn(path: string): readonly Distrusted[] {
  if (!existsSync(path)) return [];
  try {
    const database = openForReading(path);
    try {
      return database.all(DISTRUSTED).map((row) => Distrusted.parse(row));
    } finally {
      database.close();
    }
  } catch {
    return [];
  }
}

/** Applies that to a copy that does not have it yet. A copy of an older schema is left as it is. */
export function keepDistrust(draft: string, terminals: readonly Distrusted[]): void {
  const sqlite = new Sqlite(draft);
  try {
    sqlite.pragma('synchronous = FULL');
    const columns = sqlite.pragma("table_info('terminals')") as readonly { readonly name: string }[];
    if (!columns.some(({ name }) => name === 'set_aside')) return;
    const keep = sqlite.prepare(KEEP_DISTRUST);
    sqlite.transaction(() => {
      for (const terminal of terminals) keep.run(terminal);
    })();
  } finally {
    sqlite.close();
  }
}
