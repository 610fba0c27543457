import type { JsonObject } from '../../src/integration/connector.ts';
import { NO_COUNTS } from '../../src/integration/ports.ts';
import { NEW_STREAM } from '../../src/integration/window/stream.ts';
import type { Database } from '../../src/store/database.ts';
import { SqliteSyncStore } from '../../src/store/mirror/sqlite-sync-store.ts';

const LEASE_UNTIL = 1e15;

/** Mirrors these records of a list of the service as a sync does, a page of a hundred at a time. */
export function mirrorRecords(
  database: Database,
  resource: string,
  records: Iterable<JsonObject>,
  freshAt = Date.parse('2026-11-22T09:00:00Z'),
): void {
  const store = new SqliteSyncStore(database);
  const stream = { integration: 'service', resource } as const;
  const { generation } = store.streamOf(stream);
  const lease = store.takeLease(stream, 'a test', 'changes', 0, LEASE_UNTIL);
  if (!lease) throw new Error(`${resource} is being read`);
  let rows: JsonObject[] = [];
  const commit = () => {
    store.commitPage(lease, {
      generation,
      state: NEW_STREAM,
      leaseUntil: LEASE_UNTIL,
      scan: 1,
      sweep: 1,
      rows: rows.map((body) => ({
        id: String(body['id']),
        hash: 'h',
        updatedAt: null,
        status: body['is_gone'] === true ? 'gone' : 'live',
        body: body['is_gone'] === true ? null : JSON.stringify(body),
      })),
      marks: [],
      park: [],
      unpark: [],
      present: [],
      closes: null,
      counts: NO_COUNTS,
    });
    rows = [];
  };
  for (const record of records) {
    rows.push(record);
    if (rows.length === 100) commit();
  }
  commit();
  store.end(lease, { at: freshAt, outcome: 'complete', code: null, message: null, freshAt });
}
