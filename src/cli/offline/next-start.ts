import { counted } from '../../base/counted.ts';
import type { ArchiveStatus } from '../../store/archive/archive-backup.ts';
import type { DatabaseSummary } from '../../store/inspection/database-summary.ts';

/** The result of a restore. */
export interface Restored {
  readonly file: string;
  readonly books: DatabaseSummary;
  /** Where the replaced database is; null: there was none. */
  readonly replaced: string | null;
  /** Number of rows of the replaced journal that the restored one lacks; null where they cannot be counted. */
  readonly lostRows: number | null;
  /** Number of API keys that are revoked here and were not in the backup; null: the replaced database is unreadable. */
  readonly revoked: number | null;
  readonly archive: ArchiveStatus;
}

/** What a person must know before tilld starts with a restored database; one sentence or two each. */
export function nextStartWords({ books, replaced, lostRows, revoked, archive }: Restored): readonly string[] {
  return [
    'It treats this as a restored database. It reads the last transaction of each terminal, shows it (tillctl tasks), and takes no sale there until a person has compared it with what was sold and has reported that: tillctl task-done ID --by NAME --note TEXT.',
    lostWords(lostRows, replaced),
    ...(books.inDoubt > 0
      ? [
          `${counted(books.inDoubt, 'payment of these books is', 'payments of these books are')} in doubt: do not charge again before the outcome is known (tillctl payments --in-doubt).`,
        ]
      : []),
    `${books.pending === 0 ? 'No report waits for the service' : `${counted(books.pending, 'report', 'reports')} for the service will be looked up there first, because ${books.pending === 1 ? 'it' : 'each'} may have been sent since`}; work of the service from before is never run, it is asked about.`,
    keyWords(books.keys, revoked),
    ...archiveWords(archive),
    'Credentials are in no backup: tillctl doctor says whether the key of the service is there.',
    'Never start a second machine from the same backup: stop tilld on the old one for good (systemctl disable --now tilld.socket tilld). A machine on which these books were not used before takes no payment of the service until every terminal was compared.',
  ];
}

function lostWords(rows: number | null, replaced: string | null): string {
  const since =
    'Payments since the backup are not in these books: tillctl reconcile DEVICE shows those that the terminal still lists.';
  if (rows === 0) return 'Every entry of the journal that was here is in this one, too.';
  if (rows === null) return replaced === null ? since : `${since} The old books could not be read.`;
  return `${counted(rows, 'entry of the journal that was here is', 'entries of the journal that was here are')} not in this one. ${since} The old books are kept in ${replaced}.`;
}

function archiveWords(fate: ArchiveStatus): readonly string[] {
  if (fate.kind === 'fits') return [];
  const kept = fate.aside === null ? '' : ` The archive that was here is kept in ${fate.aside}.`;
  if (fate.kind === 'restored') return [`The archive of the backup is in place, too.${kept}`];
  return [
    `The history of old payments is in no archive that belongs to these books: put the file that the backup made beside it (FILE.archive) and restore once more.${kept}`,
  ];
}

function keyWords(keys: number, revoked: number | null): string {
  if (keys === 0) return 'No API key works with these books: tills need new ones (tillctl keys create).';
  const works = `${counted(keys, 'API key works', 'API keys work')} as at the time of the backup`;
  if (revoked === null) return `${works}, also such as were revoked since: the old books do not show which.`;
  return `${works}; ${revoked === 0 ? 'none was revoked since' : `${counted(revoked, 'that was revoked since stays', 'that were revoked since stay')} revoked`}. Sessions of the pages that ended since stay ended.`;
}
