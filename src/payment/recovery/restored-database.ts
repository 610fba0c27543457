import { AppError } from '../../base/errors.ts';
import { formatMoney } from '../../base/money.ts';
import { taskDoneCommand } from '../../base/next-step.ts';
import type { Device } from '../../terminal/device.ts';
import type { LastTransaction } from '../../terminal/ports.ts';
import type { PaymentStore } from '../ports.ts';
import type { CopyReason } from './database-identity.ts';

/** Whether the database is the one of the last process run, and since when it exists. */
export interface DatabaseAge {
  /** Epoch ms, for people; a forgotten process run may have handled what is older. */
  readonly since: number;
  /** The database is a fresh, restored or foreign one. */
  readonly lost: boolean;
  /** The same in elapsed time, which a change of a clock does not move. */
  readonly sinceElapsed: number;
  /** Why the database may be a copy of one that is used elsewhere; null or absent: nothing says so. */
  readonly copied?: CopyReason | null;
  /** The database was found to be a copy, or an older state: it counts as restored from now on. */
  readonly begin?: (reason: CopyReason) => void;
}

/** The service's date has whole seconds and comes late, and its clock may differ: work that is only slightly younger counts as older. */
const SLACK_MS = 5000;

/**
 * Whether work of this age (by the service's clock) was requested before this database began: a forgotten process run may have run it.
 * @param now elapsed time
 */
export function mayBeForgotten({ lost, sinceElapsed }: DatabaseAge, ageMs: number, now: number): boolean {
  return lost && ageMs + SLACK_MS > now - sinceElapsed;
}

/** The question to staff before the next sale, with the terminal's own data. */
export function restoredDatabaseWords(device: Device, last: LastTransaction): string {
  return (
    `tilld has lost its memory of the last payments at ${device.name}. ${shown(device, last)} ` +
    'Compare it with the baskets at this till: do not charge again what was paid. Then confirm that you have looked.'
  );
}

/** The question to staff when the terminal is ahead of the database. */
export function terminalAheadWords(device: Device, last: LastTransaction): string {
  return (
    `The terminal of ${device.name} was used while tilld did not run, or the database of tilld is an older state. ${shown(device, last)} ` +
    'Compare it with the baskets at this till: do not charge again what was paid. Then confirm that you have looked.'
  );
}

/** The question to staff when the machine was rebooted, and the terminal cannot show that the disk is no older image. */
export function unwitnessedWords(device: Device, last: LastTransaction): string {
  return (
    `The machine was started again, and nothing shows whether the database of tilld is the newest one. ${shown(device, last)} ` +
    `Compare the last receipts of ${device.name} with the baskets at this till: do not charge again what was paid. Then confirm that you have looked.`
  );
}

/**
 * Asks once whether a basket was paid already: a new sale looks like a forgotten one. A sale with an invoice is no exception.
 * @throws MEMORY_LOST, `context.details` names the task
 */
export function requireComparedDatabase(
  { lost }: Pick<DatabaseAge, 'lost'>,
  { deviceId }: { readonly deviceId: string },
  hasLooked: boolean,
  store: PaymentStore,
): void {
  const task = comparison(deviceId, store);
  if (!task && (hasLooked || !lost)) return;
  const message =
    task?.message ??
    'tilld does not know whether its books are the newest, and reads the terminals first. Try again in a minute.';
  throw new AppError('MEMORY_LOST', `Nothing was charged or given back. ${message}`, {
    context: {
      details: {
        device_id: deviceId,
        task_id: task?.id ?? null,
        what_to_do: task ? `compare, then: ${taskDoneCommand(task.id)}` : 'try again in a minute',
      },
    },
  });
}

/** The comparison at a device that a person must still make. */
function comparison(deviceId: string, store: Pick<PaymentStore, 'openTasksOfDevice'>) {
  return store.openTasksOfDevice(deviceId).find((one) => one.kind === 'memory_lost');
}

/**
 * Why no work of the service is taken: another machine may use the same database and take it, too. Null once the last transaction of every
 * device was shown and a person has compared it.
 */
export function stoppedAsCopy(
  { lost, copied }: DatabaseAge,
  deviceIds: readonly string[],
  hasLooked: (deviceId: string) => boolean,
  store: Pick<PaymentStore, 'openTasksOfDevice'>,
): CopyReason | null {
  if (!lost || !copied) return null;
  const isCompared = (id: string) => hasLooked(id) && !comparison(id, store);
  return deviceIds.every(isCompared) ? null : copied;
}

/**
 * {@link requireComparedDatabase} for refunds and voids of an older sale: a forgotten process run may have given its money back already.
 * @throws MEMORY_LOST
 */
export function requireRefundOfKnownSale(
  databaseAge: DatabaseAge,
  sale: { readonly id: string; readonly deviceId: string },
  hasLooked: boolean,
  store: PaymentStore,
): void {
  if (databaseAge.lost && store.isFromBefore(sale.id))
    requireComparedDatabase(databaseAge, sale, hasLooked, store);
}

function shown({ currency }: Device, last: LastTransaction): string {
  if (last.kind === 'empty') return 'Its terminal has nothing stored.';
  if (last.kind === 'unreadable')
    return 'Its terminal cannot report its last transaction: look at its receipts.';
  const { report } = last;
  const amount =
    report.amountMinor === undefined ? '' : ` of ${formatMoney({ minor: report.amountMinor, currency })}`;
  const number = report.number === undefined ? '' : `, receipt ${report.number}`;
  const at = report.terminalClock === undefined ? '' : `, at ${clockWords(report.terminalClock)}`;
  const what =
    report.verdict === 'approved' ? 'an approved transaction' : `a transaction that was ${report.verdict}`;
  return `Its terminal shows ${what}${amount}${number}${at}.`;
}

/** `MMDDhhmmss` for people. */
function clockWords(clock: string): string {
  const [, month, day, hour, minute] = /^(\d\d)(\d\d)(\d\d)(\d\d)/.exec(clock) ?? [];
  return month === undefined ? clock : `${hour}:${minute} on ${day}.${month}.`;
}
