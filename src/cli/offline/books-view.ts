import { AppError } from '../../base/errors.ts';
import type { DatabaseSummary } from '../../store/inspection/database-summary.ts';

/** The content of a money database, as `--json` shows it. */
export function booksView(books: DatabaseSummary) {
  const { broken } = books;
  return {
    payments: books.attempts,
    journal: { rows: books.journal.count, hash: books.journal.hash },
    newest_entry_at: books.newestEntryAt === null ? null : new Date(books.newestEntryAt).toISOString(),
    epoch: books.epoch,
    in_doubt: books.inDoubt,
    reports_pending: books.pending,
    api_keys: books.keys,
    broken: broken ? { row: broken.seq, payment: broken.attemptId, what: broken.what } : null,
  };
}

/**
 * A database with a broken journal is copied or restored only when the operator confirms that this is known.
 * @throws JOURNAL_BROKEN
 */
export function requireWhole(
  { broken }: DatabaseSummary,
  isKnown: boolean,
  verb: 'backup' | 'restore',
): void {
  if (!broken || isKnown) return;
  const payment = broken.attemptId === null ? '' : ` (payment ${broken.attemptId})`;
  throw new AppError(
    'JOURNAL_BROKEN',
    `row ${broken.seq} of the journal${payment} is the first broken one: ${broken.what}. Nothing was written. ` +
      `Look at it (tillctl doctor); if you know of it and want the ${verb} all the same, add --broken-journal.`,
    { context: { row: broken.seq, payment: broken.attemptId } },
  );
}
