import type { SourceRecord } from './connector.ts';

/**
 * What is kept of a row beside its body. `live`: shown. `leaving`: shown, until a run may take it away. `allowed`: shown, and a person has let it
 * go. `doubtful`: shown, and only a person may let it go. `gone`: deleted, and kept so that an old page cannot bring it back.
 */
export interface KnownRow {
  readonly id: string;
  readonly hash: string;
  readonly updatedAt: number | null;
  readonly fate: 'live' | 'leaving' | 'gone' | 'allowed' | 'doubtful';
  /** The last sweep that it was seen in, or after. */
  readonly sweep: number;
  /** The last scan that it was seen in. */
  readonly scan: number;
}

/** What a record means to the row that is known of it. `ghost`: deleted at the source, and never known here. */
export type Verdict = 'created' | 'updated' | 'unchanged' | 'stale' | 'deleted' | 'ghost';

/** Compares a record with what is known of it. An older one never takes the place of a newer one, however late its page came. */
export function verdictOf(record: SourceRecord, hash: string, row: KnownRow | undefined): Verdict {
  if (row && isOlder(record.updatedAt, row.updatedAt)) return 'stale';
  if (record.deleted) return deletionOf(row);
  if (!row) return 'created';
  if (row.fate === 'gone') return 'created';
  return row.hash === hash && row.fate === 'live' ? 'unchanged' : 'updated';
}

function deletionOf(row: KnownRow | undefined): Verdict {
  if (!row) return 'ghost';
  return row.fate === 'live' || row.fate === 'doubtful' ? 'deleted' : 'unchanged';
}

function isOlder(updatedAt: number | null, known: number | null): boolean {
  return updatedAt !== null && known !== null && updatedAt < known;
}
