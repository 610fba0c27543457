import { messageOf } from '../../../base/errors.ts';
import { type ArchiveFlaw, archiveFlaw } from '../../../store/archive/archive-check.ts';
import { type Hold, nextChunk } from '../../../store/archive/archive-holds.ts';
import { archiveLossIn, archiveLossWords } from '../../../store/archive/archive-loss.ts';
import { cutOf } from '../../../store/journal/journal-cut.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';

const ID = 'archive';
const DAY_MS = 86_400_000;
/** A payment that stays in the database for less than this is normal. */
const LONG_MS = 30 * DAY_MS;
const WHY =
  'the history of old payments cannot be shown whole; what was paid, refunds and all else do not need them';
const PUT_BACK = 'stop tilld, put an archive.db of a backup back (tillctl restore FILE), and start it again';

/** Whether payments that left the database are in the archive, and what keeps the oldest ones in the database. */
export function checkArchive(context: DiagnosticContext): readonly CheckResult[] {
  return [...storedFindings(context), ...heldFindings(context)];
}

function storedFindings({ database, archive, files, options }: DiagnosticContext): readonly CheckResult[] {
  const cut = cutOf(database());
  try {
    const file = archive();
    if (!file && cut)
      return [trouble(`${files.archive} is gone: rows 1 to ${cut.seq} of the journal were in it`)];
    const flaw = file ? archiveFlaw(database(), file, options.full === true) : null;
    const loss = file ? archiveLossIn(file) : null;
    if (loss !== null && (flaw === null || flaw.kind === 'gone')) return [ok(ID, archiveLossWords(loss))];
    if (flaw) return [flawed(files.archive, flaw)];
  } catch (error) {
    return [trouble(`${files.archive} cannot be read: ${messageOf(error)}`)];
  }
  if (!cut) return [ok(ID, 'no payment is old enough to be archived')];
  const depth = options.full ? 'each of them fits its chain' : '--full reads each of them';
  return [ok(ID, `rows 1 to ${cut.seq} of the journal are in the archive (${depth})`)];
}

function flawed(file: string, { kind, what }: ArchiveFlaw): CheckResult {
  if (kind === 'gone' || kind === 'damaged') return trouble(`${file}: ${what}`);
  return fail(ID, {
    what: `${file}: ${what}`,
    why: 'it is of another time of these books, as after a backup of them was put back; nothing more is archived, and nothing of it is overwritten',
    fix: `stop tilld, put the archive of the same backup back, or: mv ${file} ${file}.other-time; then start tilld`,
  });
}

function trouble(what: string): CheckResult {
  return fail(ID, { what, why: WHY, fix: PUT_BACK });
}

function heldFindings({ database, configuration, now }: DiagnosticContext): readonly CheckResult[] {
  const days = configuration.config?.retention.archive_after_days ?? 'never';
  if (days === 'never') return [];
  const before = now - days * DAY_MS;
  const next = nextChunk(database(), cutOf(database()) ?? { seq: 0, event: 0 }, before);
  if (next === null || !('why' in next) || next.why === 'young' || next.at > before - LONG_MS) return [];
  return [held(next)];
}

const MENDED: Readonly<Record<Exclude<Hold['why'], 'young'>, readonly [what: string, fix: string]>> = {
  open: [
    'has not ended',
    'tillctl explain ID, then tillctl resolve ID --as succeeded|not_charged --by NAME --reason TEXT --shown TEXT',
  ],
  unreported: ['was not reported to the service', 'tillctl outbox list'],
  task: ['has a task that is not done', 'tillctl tasks'],
};

function held({ attemptId, at, why }: Hold): CheckResult {
  const [what, fix] = MENDED[why === 'young' ? 'open' : why];
  return warn('archive-held', {
    what: `payment ${attemptId} of ${new Date(at).toISOString().slice(0, 10)} ${what}: nothing behind it is archived`,
    why: 'the books grow by all that could have left them',
    fix: fix.replaceAll('ID', attemptId),
  });
}
