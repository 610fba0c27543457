import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { messageOf } from '../../../base/errors.ts';
import {
  damagedPages,
  danglingReferences,
  shapeOf,
  strangeSchema,
} from '../../../store/inspection/checks.ts';
import { canWrite, ownRelease } from '../../../store/schema/release.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';

const RESTORE =
  'stop tilld, keep a copy of the state folder, then: tillctl restore FILE (without a backup: start tilld, it saves what can be read)';
const DAY_MS = 86_400_000;
const LONGEST_UNREAD_DAYS = 7;
const HEADER_BYTES = 20;
/** Header offset of the journal mode: 2 is WAL (file format, 1.3). */
const FORMAT_AT = 18;
const WAL = 2;

/** Whether the database can be opened; without it no other check of the database has a result. */
export function checkOpens({ files, database }: DiagnosticContext): CheckResult {
  const id = 'database';
  try {
    database().get('SELECT count(*) FROM sqlite_schema');
    return ok(id, `${files.database} can be read`);
  } catch (error) {
    return fail(id, {
      what: messageOf(error),
      why: 'without its books tilld does not start, and it is not known what was charged',
      fix: `if it belongs to another user, ask as that one (sudo tillctl doctor); else ${RESTORE}`,
    });
  }
}

/** Whether this release and the database are compatible. */
export function checkVersion({ database }: DiagnosticContext): CheckResult {
  const id = 'database-version';
  const { version, ours, minWriter } = shapeOf(database());
  if (version === ours) return ok(id, `the database has shape ${version}, the one of this release`);
  if (version > ours && canWrite(ownRelease(), minWriter))
    return ok(id, `a later release wrote the database (shape ${version}); this one can write it, too`);
  if (version > ours)
    return fail(id, {
      what: `the database has shape ${version}, a later release wrote it; this one knows ${ours}`,
      why: 'this release does not start with it',
      fix: `apt-get install tilld (${minWriter === null ? 'the newest release' : `${minWriter} or later`})`,
    });
  if (version === 0)
    return fail(id, {
      what: 'the database is empty: no tilld ever wrote it',
      why: 'if there were payments here, they are not in it',
      fix: 'tillctl restore FILE, or start tilld if this shop is new',
    });
  return ok(id, `the database has shape ${version}; the next start brings it to ${ours}`);
}

/** Whether tables, indexes and the triggers of the journal are unchanged. */
export function checkSchema({ database }: DiagnosticContext): CheckResult {
  const id = 'database-schema';
  const strange = strangeSchema(database());
  if (strange.length === 0)
    return ok(id, 'tables, indexes and the guards of the journal are as they were made');
  return fail(id, {
    what: `not as tilld made it: ${strange.join(', ')}`,
    why: 'the database was changed by hand, or it is damaged; without its guards the journal can be rewritten',
    fix: RESTORE,
  });
}

/** Whether the pages of the file are consistent. */
export function checkPages({ database, options }: DiagnosticContext): readonly CheckResult[] {
  const damages = damagedPages(database(), options.full === true);
  const pages =
    damages.length === 0
      ? ok(
          'database-pages',
          options.full ? 'pages and indexes are whole' : 'the pages are whole (--full looks at every index)',
        )
      : fail('database-pages', {
          what: `the file is damaged: ${damages.join('; ').replaceAll('\n', ' ')}`,
          why: 'the disk or the memory of this machine, or a person, changed it; tilld may fail in the middle of a payment',
          fix: RESTORE,
        });
  if (!options.full) return [pages];
  const dangling = danglingReferences(database());
  const references =
    dangling.length === 0
      ? ok('database-references', 'every reference leads somewhere')
      : fail('database-references', {
          what: `rows of ${dangling.join(', ')} name what is not there`,
          why: 'part of the books is missing',
          fix: RESTORE,
        });
  return [pages, references];
}

/** Whether tilld has read every page since an unclean shutdown. */
export function checkUnread({ files, now }: DiagnosticContext): CheckResult {
  const id = 'unread-pages';
  const noted = statSync(files.unreadPages, { throwIfNoEntry: false });
  if (!noted) return ok(id, 'no page waits to be read');
  const days = Math.floor((now - noted.mtimeMs) / DAY_MS);
  if (days < LONGEST_UNREAD_DAYS)
    return ok(id, 'tilld reads every page while no payment runs, after a power cut or a kill');
  return warn(id, {
    what: `for ${days} days tilld has found no calm to read every page after a power cut or a kill`,
    why: 'a damaged page may be found only when a payment needs it',
    fix: `tillctl doctor --full while no payment runs; when it finds nothing: rm ${files.unreadPages}`,
  });
}

/** Whether SQLite's own recovery can be used if the database is ever damaged. */
export function checkRecovery({ machine }: Pick<DiagnosticContext, 'machine'>): CheckResult {
  const id = 'recovery';
  const program = machine.recoveryProgram();
  if (program === 'missing')
    return warn(id, {
      what: 'sqlite3 is not installed',
      why: 'of a damaged database tilld then saves only rows that sound pages still lead to',
      fix: 'apt-get install sqlite3',
    });
  return ok(
    id,
    program === 'works'
      ? 'sqlite3 can recover pages of a damaged database'
      : 'the sqlite3 of this system cannot recover pages (the one of Debian 13 can): of a damaged database tilld saves rows that sound pages lead to',
  );
}

/** Whether the file has tilld's durability settings; a copy that was never started does not have them yet. */
export function checkDurability({ files, note }: DiagnosticContext): CheckResult {
  const id = 'durability';
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(files.database, 'r');
  try {
    readSync(file, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(file);
  }
  if (header[FORMAT_AT] === WAL)
    return ok(id, 'commits go through a write-ahead log (tilld sets and asserts FULL sync at every start)');
  const found = note();
  if ('note' in found && found.note.restored)
    return ok(id, 'the database is a backup: the next start brings it to WAL mode and FULL sync');
  return warn(id, {
    what: 'the database is not in WAL mode',
    why: 'it is a copy that tilld was not started with yet, or another program changed it',
    fix: 'systemctl start tilld (or npm start): it sets WAL and FULL sync and refuses to sell without them',
  });
}
