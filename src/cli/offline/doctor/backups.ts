import { existsSync } from 'node:fs';
import { readLastBackup } from '../../../store/backup/last-backup.ts';
import { firstPaymentAt } from '../../../store/inspection/upkeep-questions.ts';
import { type CheckResult, ok, warn } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';

const DAY_MS = 86_400_000;
const OLD_DAYS = 7;

/** When the last backup was made. */
export function checkBackup({ files, database, now }: DiagnosticContext): CheckResult {
  const id = 'backup';
  const why =
    'a disk that dies takes the books with it: what was charged is then known to the terminals alone';
  const fix = 'tillctl backup /mnt/other-disk/tilld-$(date +%F).db (best every night, by a timer)';
  const last = readLastBackup(files.lastBackup);
  const first = firstPaymentAt(database());
  if (first === null || (last === null && now - first < OLD_DAYS * DAY_MS))
    return ok(id, 'the books are younger than a week: no backup is due');
  if (last === null) return warn(id, { what: 'the books were never backed up', why, fix });
  const days = Math.floor((now - last.at) / DAY_MS);
  if (days >= OLD_DAYS)
    return warn(id, { what: `the last backup is ${days} days old (${last.file})`, why, fix });
  return ok(
    id,
    `the last backup is of ${new Date(last.at).toISOString()}${existsSync(last.file) ? '' : ' (not on this machine now)'}`,
  );
}
