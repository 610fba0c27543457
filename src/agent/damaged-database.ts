import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { z } from 'zod';
import { counted } from '../base/counted.ts';
import { AppError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { PaymentStore } from '../payment/ports.ts';
import type { Task } from '../payment/tasks/task.ts';
import { quarantineNames, swapIn, unfinishedSwap } from '../store/damage/quarantine.ts';
import { type Salvage, salvage } from '../store/damage/salvage.ts';
import type { Database } from '../store/database.ts';
import { freeBytes } from '../store/disk/free-disk-space.ts';
import { MONEY_MIGRATIONS } from '../store/schema/migrations.ts';

const FIND = "SELECT value FROM facts WHERE name = 'damage'";
const FORGET = "DELETE FROM facts WHERE name = 'damage'";
const OPEN_AGAIN = `UPDATE tasks SET message = ?, created_at = ?, done_at = NULL, done_by = NULL, note = NULL
  WHERE kind = 'storage_damaged'`;
const Fact = z.object({ value: z.string() });
const LONGEST_WHAT = 200;

/** Completes a swap that a kill or a power cut interrupted. */
export function finishSwap(path: string, log: Log): void {
  const names = unfinishedSwap(path);
  if (!names) return;
  swapIn(path, names);
  log.error({ kept: names.damaged }, 'damaged database set aside, what was saved takes its place');
}

/**
 * Saves what can be read of a damaged database, keeps the damaged file, and puts the salvaged database in its place.
 * @param what is wrong with it
 * @param on date, `YYYY-MM-DD`
 * @throws STORAGE_FULL, STORAGE_FAILED; nothing has changed then
 */
export function setAside(
  path: string,
  what: string,
  { on, version, log }: { readonly on: string; readonly version: string; readonly log: Log },
): void {
  requireSpace(path);
  const names = quarantineNames(path, on);
  log.error({ what, keeping: names.damaged }, 'database is damaged, saving what can be read');
  const { tables, rebuilt, unrecovered } = salvage(path, names.salvaged, {
    migrations: MONEY_MIGRATIONS,
    appVersion: version,
    describe: (salvaged) => words(salvaged, what, on, basename(names.damaged)),
  });
  swapIn(path, names);
  log.error(
    { kept: names.damaged, tables, rebuilt, unrecovered },
    'damaged database set aside, what was saved takes its place',
  );
}

/** The salvaged file is about as large as its source; without this check each attempt would fill the disk before it fails. @throws STORAGE_FULL */
function requireSpace(path: string): void {
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const needed = sizeOf(path) + sizeOf(`${path}-wal`);
  if (freeBytes(dirname(path)) >= needed) return;
  const mb = Math.ceil(needed / 1_000_000);
  throw new AppError('STORAGE_FULL', `the database is damaged, and to save what can be read needs ${mb} MB`);
}

/** A salvaged database replaced a damaged one, and staff have not been informed yet. */
export function wasDamaged(database: Database): boolean {
  return database.get(FIND) !== undefined;
}

/** Creates the task that informs staff of a damaged database, once. */
export function askAboutDamage(database: Database, payments: PaymentStore, ids: Ids, now: number): void {
  const found = database.get(FIND);
  if (found === undefined) return;
  const message = Fact.parse(found).value;
  database.transaction(() => {
    if (database.run(OPEN_AGAIN, message, now) === 0) payments.insertTask(taskOf(ids.uuid(), message, now));
    database.run(FORGET);
  });
}

/** The task that staff have not done yet; null: no damage is open. */
export function openDamageTask(payments: Pick<PaymentStore, 'openTasksOfKind'>): Task | null {
  return payments.openTasksOfKind('storage_damaged')[0] ?? null;
}

function taskOf(id: string, message: string, createdAt: number): Task {
  const aboutNothingElse = { attemptId: null, settlementId: null, deviceId: null };
  return { id, kind: 'storage_damaged', ...aboutNothingElse, message, createdAt, done: null };
}

function words({ tables, rebuilt, unrecovered }: Salvage, what: string, on: string, kept: string): string {
  const { saved = 0, lost = null } = tables['attempts'] ?? {};
  const gone =
    lost === null
      ? 'how many were lost cannot be told'
      : counted(Math.max(0, lost - rebuilt), 'was lost', 'were lost');
  return (
    `The database was damaged (${what.slice(0, LONGEST_WHAT)}). On ${on} it was set aside as ${kept} and is kept. ` +
    `${counted(saved + rebuilt, 'payment was', 'payments were')} saved, ${gone}; no customer was charged by this. ${lost === 0 ? '' : more(unrecovered)}` +
    unreported(tables['outbox']?.lost ?? null) +
    'Compare the last payments of every terminal before you sell on, and have the disk of this machine looked at.'
  );
}

/** Reports of saved payments that nothing sends any more. */
function unreported(lost: number | null): string {
  if (lost === 0) return '';
  const what =
    lost === null
      ? 'Reports to the service may be lost'
      : counted(lost, 'report to the service was lost', 'reports to the service were lost');
  return `${what}: what the column REPORTED of tillctl payments shows as pending for long has to be entered there by hand. `;
}

/** What else can be done for rows that were lost. */
function more(unrecovered: string | null): string {
  return unrecovered === null
    ? ''
    : `SQLite's own recovery, which may find more in the kept file, was not used: ${unrecovered}. `;
}
