/** Where it is noted which rows may still hold ids in an older form; a fact that is not there: none. */
export const ID_BACKFILL_FACT = 'id_backfill';

/** Notes that every payment up to the newest may hold ids in an older form; `next` is the newest row that was not looked at. */
export const BEGIN_ID_BACKFILL = `INSERT OR REPLACE INTO facts (name, value)
  SELECT '${ID_BACKFILL_FACT}', json_object('next', seq, 'total', seq) FROM attempts ORDER BY seq DESC LIMIT 1`;

/**
 * Brings the UUIDs of a column into the form that `canonicalId` gives them. A row that cannot have it because another row has it already
 * stays as it is.
 */
export function canonicalColumn(table: string, column: string, only = 'TRUE'): string {
  return `UPDATE OR IGNORE ${table} SET ${column} = lower(trim(${column})) WHERE ${only} AND length(trim(${column})) = 36
    AND trim(${column}) GLOB '????????-????-????-????-????????????' AND trim(${column}) NOT GLOB '*[^0-9A-Fa-f-]*' AND ${column} <> lower(trim(${column}));`;
}
