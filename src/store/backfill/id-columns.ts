/** The fact that names the rows that may still hold ids in an older form; absent: none. */
export const ID_BACKFILL_FACT = 'id_backfill';

/** Records that every payment up to the newest may hold ids in an older form; `next` is the newest unchecked row. */
export const BEGIN_ID_BACKFILL = `INSERT OR REPLACE INTO facts (name, value)
  SELECT '${ID_BACKFILL_FACT}', json_object('next', seq, 'total', seq) FROM attempts ORDER BY seq DESC LIMIT 1`;

/** Converts the UUIDs of a column to the form of `canonicalId`. A row stays as it is when another row already has that id. */
export function canonicalColumn(table: string, column: string, only = 'TRUE'): string {
  return `UPDATE OR IGNORE ${table} SET ${column} = lower(trim(${column})) WHERE ${only} AND length(trim(${column})) = 36
    AND trim(${column}) GLOB '????????-????-????-????-????????????' AND trim(${column}) NOT GLOB '*[^0-9A-Fa-f-]*' AND ${column} <> lower(trim(${column}));`;
}
