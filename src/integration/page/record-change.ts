import type { SourceRecord } from '../connector.ts';

/**
 * The stored facts of a row beside its body. `live`: shown. `leaving`: shown, until a run may delete it. `allowed`: shown, and a person has approved
 * the delete. `doubtful`: shown, and only a person may approve the delete. `gone`: deleted, and kept so that an old page cannot bring it back.
 */
export interface KnownRow {
  readonly id: string;
  readonly hash: string;
  readonly updatedAt: number | null;
  readonly status: 'live' | 'leaving' | 'gone' | 'allowed' | 'doubtful';
  /** The last sweep that it was seen in, or after. */
  readonly sweep: number;
  /** The last scan that it was seen in. */
  readonly scan: number;
}

/** What a record means for its stored row. `ghost`: deleted at the source, and never known here. */
export type RecordChange = 'created' | 'updated' | 'unchanged' | 'stale' | 'deleted' | 'ghost';

/** Compares a record with its stored row. An older one never replaces a newer one, however late its page comes. */
export function changeOf(record: SourceRecord, hash: string, row: KnownRow | undefined): RecordChange {
  if (row && isOlder(record.updatedAt, row.updatedAt)) return 'stale';
  if (record.deleted) return deletionOf(row);
  if (!row) return 'created';
  if (row.status === 'gone') return 'created';
  return row.hash === hash && row.status === 'live' ? 'unchanged' : 'updated';
}

function deletionOf(row: KnownRow | undefined): RecordChange {
  if (!row) return 'ghost';
  return row.status === 'live' || row.status === 'doubtful' ? 'deleted' : 'unchanged';
}

function isOlder(updatedAt: number | null, known: number | null): boolean {
  return updatedAt !== null && known !== null && updatedAt < known;
}
