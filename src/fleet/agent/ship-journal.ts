import { AppError } from '../../base/errors.ts';
import {
  AnyEntry,
  type DamagedEntry,
  JournalCursor,
  type JournalEntry,
  MOST_ENTRIES,
} from '../contract/journal.ts';
import { type HubClient, HubRefusal } from './hub-client.ts';
import type { JournalSource, SourceRow } from './journal-source.ts';

/** A hub takes 4 MiB at a time; JSON escapes may double a text. */
const MOST_TEXT = 1_000_000;

/**
 * Sends what the hub lacks of the journal, in its order, until it has all.
 * @param next the number that the hub wants next; null: it has nothing of this epoch
 * @returns the number of the row that the hub wants then
 * @throws HubRefusal, HUB_ANSWER_INVALID, HUB_CURSOR_INVALID, the NET_ errors, and what reading the journal throws
 */
export async function shipJournal(
  client: Pick<HubClient, 'post'>,
  source: JournalSource,
  next: number | null,
  signal: AbortSignal,
): Promise<number> {
  let from = firstOf(next, source.end);
  let least = Number.POSITIVE_INFINITY;
  while (from <= source.end) {
    try {
      const { next_seq } = await client.post('/v1/journal', batchFrom(source, from), JournalCursor, signal);
      if (next_seq <= from) throw cursorInvalid(next_seq);
      from = next_seq;
    } catch (error) {
      from = wantedIn(error);
      if (from >= least) throw error;
      least = from;
    }
  }
  return from;
}

/** A hub that has more than this database sees that they differ: the newest rows are shown to it again. */
function firstOf(next: number | null, end: number): number {
  if (next === null) return 1;
  return next > end + 1 ? Math.max(1, end - MOST_ENTRIES + 1) : next;
}

function batchFrom(source: JournalSource, from: number) {
  const { previous, rows } = source.read(from, MOST_ENTRIES);
  let texts = 0;
  const entries = rows.map(entryOf).filter((entry, index) => {
    texts += JSON.stringify(entry).length;
    return index === 0 || texts <= MOST_TEXT;
  });
  const [first] = entries;
  if (first === undefined)
    throw new AppError('JOURNAL_UNREADABLE', `row ${from} of the journal cannot be read`);
  return { epoch: source.epoch, first_seq: first.seq, previous_hash: previous, entries };
}

/** A row that the contract does not know is sent as a damaged one: one row must not hold up all that follow. */
function entryOf(row: SourceRow): JournalEntry | DamagedEntry {
  const entry = AnyEntry.safeParse(row);
  if (entry.success) return entry.data;
  const damaged = 'damaged' in row ? row.damaged : 'the row is intact, and larger than what a hub takes';
  const hash = /^[0-9a-f]{64}$/.test(row.hash) ? row.hash : '0'.repeat(64);
  return { seq: row.seq, damaged: damaged.slice(0, 1_000), attempt_id: null, content: null, hash };
}

/** @throws the error itself, unless it says which row the hub wants */
function wantedIn(error: unknown): number {
  const wanted =
    error instanceof HubRefusal && error.code === 'journal_gap' ? error.details['next_seq'] : null;
  if (typeof wanted === 'number' && Number.isSafeInteger(wanted) && wanted > 0) return wanted;
  throw error;
}

function cursorInvalid(next: number): AppError {
  return new AppError('HUB_CURSOR_INVALID', `it took entries and wants entry ${next} again`);
}
