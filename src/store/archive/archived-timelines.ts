import { messageOf } from '../../base/errors.ts';
import type { Database } from '../database.ts';
import { cutOf } from '../journal/journal-cut.ts';
import { chunksOf, timelinesIn } from './archive.ts';
import { type ArchivedRow, rowsIn } from './archive-chunk.ts';
import type { ArchivePlace } from './archive-place.ts';

/** A row of the journal, for a timeline. */
export interface TimelineRow {
  readonly attemptId: string;
  readonly at: number;
  readonly event: string;
  readonly from: string;
  readonly to: string;
  readonly details: string;
}

/**
 * The journal's rows of old payments, from the archive.
 * Why: an error of that file must not stop sales, and must be shown instead of an incomplete timeline.
 */
export class ArchivedTimelines {
  readonly #money: Database;
  readonly #place: ArchivePlace;
  #trouble: string | null = null;

  constructor(money: Database, place: ArchivePlace) {
    this.#money = money;
    this.#place = place;
  }

  /** Oldest first; none when nothing of the attempt was archived, or the archive cannot be read: {@link gap} says which. Never throws. */
  rowsOf(attemptId: string): readonly TimelineRow[] {
    this.#trouble = null;
    const upTo = cutOf(this.#money)?.seq ?? 0;
    if (upTo === 0) return [];
    try {
      return this.#read(attemptId, upTo);
    } catch (error) {
      this.#place.damageIn(error);
      this.#trouble = messageOf(error);
      return [];
    }
  }

  /** Why the last requested rows are incomplete, for people. */
  gap(): string | null {
    if ((cutOf(this.#money)?.seq ?? 0) === 0) return null;
    const why = this.#trouble === null ? 'it is not in the archive' : this.#trouble;
    return `The beginning of this timeline was archived and cannot be shown: ${why}. What happened to the money is not touched by that. tillctl doctor says more.`;
  }

  #read(attemptId: string, upTo: number): readonly TimelineRow[] {
    const archive = this.#place.existing();
    if (!archive) throw new Error('there is no archive.db');
    // Rows that were written and not moved yet are read from the journal itself.
    const chunks = chunksOf(archive, attemptId).filter((lastSeq) => lastSeq <= upTo);
    return chunks.flatMap((lastSeq) =>
      [...rowsIn(timelinesIn(archive, lastSeq), attemptId)].map(timelineRow),
    );
  }
}

function timelineRow(row: ArchivedRow): TimelineRow {
  const { attempt_id: attemptId, at, event, from_state: from, to_state: to, details } = row;
  return { attemptId, at, event, from, to, details };
}
