import { attemptOf, snapshotOf } from '../attempts/attempt-row.ts';

type Row = Readonly<Record<string, unknown>>;

/** Columns that hold JSON, by table; later readers trust it. */
const JSON_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  journal: ['details'],
  settlements: ['detail'],
  outbox: ['body'],
  api_keys: ['scopes', 'allow'],
  webhook_endpoints: ['events'],
  product_mappings: ['metadata'],
  audit_trail: ['details'],
};

const HASH = /^[0-9a-f]{64}$/;

/** Whether a readable row is one that tilld wrote: a damaged page may hold other bytes. */
export function isSound(table: string, row: Row): boolean {
  try {
    if (table === 'attempts') attemptOf(row);
    if (table === 'events') snapshotOf(String(row['snapshot']));
    if (table === 'journal' && !HASH.test(String(row['hash']))) return false;
    if (table === 'archived_chunks' && !HASH.test(String(row['digest']))) return false;
    if (table === 'terminals' && row['identity'] !== '') JSON.parse(String(row['identity']));
    for (const column of JSON_COLUMNS[table] ?? []) JSON.parse(String(row[column]));
    return true;
  } catch {
    return false;
  }
}
