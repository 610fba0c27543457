import { AppError } from '../../base/errors.ts';
import { formatMoney } from '../../base/money.ts';
import type { Device } from '../../terminal/device.ts';
import type { LastTransaction } from '../../terminal/ports.ts';
import type { PaymentStore } from '../ports.ts';
import type { CopyReason } from './database-identity.ts';

/** Whether our books are the ones that were here before, and since when they are. */
export interface DatabaseAge {
  /** Epoch ms, for people; what is older may have been dealt with by a life that was forgotten. */
  readonly since: number;
  /** The database is a fresh, restored or foreign one. */
  readonly lost: boolean;
  /** The same in elapsed time, which no clock that is set moves. */
  readonly sinceElapsed: number;
  /** Why the database may be a copy of one that is used elsewhere; null or absent: nothing says so. */
  readonly copied?: CopyReason | null;
  /** The database was found to be a copy, or an older state: it is a restored one from now on. */
  readonly begin?: (reason: CopyReason) => void;
}

/** The service's date has whole seconds and comes late, and its clock may differ: what is hardly younger counts as older. */
const SLACK_MS = 5000;

/**
 * Whether work of this age (by the service's clock) was asked for before our memory began: a life that was forgotten may have run it.
 * @param now elapsed time
 */
export function mayBeForgotten({ lost, sinceElapsed }: DatabaseAge, ageMs: number, now: number): boolean {
  return lost && ageMs + SLACK_MS > now - sinceElapsed;
}

/** What staff are asked before the next sale without an invoice, with the terminal's own words. */
export function lostMemoryWords(device: Device, last: LastTransaction): string {
  return (
    `tilld has lost its memory of the last payments at ${device.name}. ${shown(device, last)} ` +
    'Compare it with the baskets at this till: do not charge again what was paid. Then confirm that you have looked.'
  );
}

/** What staff are asked when the terminal has gone on, and nothing in the database says how. */
export function terminalAheadWords(device: Device, last: LastTransaction): string {
  return (
    `The terminal of ${device.name} was used while tilld did not run, or the database of tilld is an older state. ${shown(device, last)} ` +
    'Compare it with the baskets at this till: do not charge again what was paid. Then confirm that you have looked.'
  );
}

/** What staff are asked when the machine was started again, and the terminal cannot show that the disk is no older image. */
export function unwitnessedWords(device: Device, last: LastTransaction): string {
  return (
    `The machine was started again, and nothing shows whether the database of tilld is the newest one. ${shown(device, last)} ` +
    `Compare the last receipts of ${device.name} with the baskets at this till: do not charge again what was paid. Then confirm that you have looked.`
  );
}

/**
 * Asks once whether a basket was paid already: a sale cannot be told from one that was forgotten. One with an invoice neither, as long as
 * nobody here knows what is due of it.
 * @throws MEMORY_LOST, `context.details` names the task
 */
export function checkMemory(
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
        what_to_do: 'compare, then finish the task',
      },
    },
  });
}

/** What a person must still compare at a device. */
function comparison(deviceId: string, store: Pick<PaymentStore, 'openTasksOfDevice'>) {
  return store.openTasksOfDevice(deviceId).find((one) => one.kind === 'memory_lost');
}

/**
 * Why no work of the service is taken: another machine may hold the same database and take it, too. Null once the last transaction of
 * every device was shown and a person has compared it.
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
 * The same for a sale from before: a life that was forgotten may have given its money back already.
 * @throws MEMORY_LOST
 */
export function checkGivingBackMemory(
  memory: DatabaseAge,
  sale: { readonly id: string; readonly deviceId: string },
  hasLooked: boolean,
  store: PaymentStore,
): void {
  if (memory.lost && store.isFromBefore(sale.id)) checkMemory(memory, sale, hasLooked, store);
}

function shown({ currency }: Device, last: LastTransaction): string {
  if (last.kind === 'empty') return 'Its terminal has nothing stored.';
  if (last.kind === 'unreadable')
    return 'Its terminal cannot tell its last transaction: look at its receipts.';
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
