import { AppError } from '../base/errors.ts';
import { formatMoney } from '../base/money.ts';
import type { Device } from '../terminal/device.ts';
import type { LastTransaction } from '../terminal/ports.ts';
import type { PaymentStore } from './ports.ts';

/** Whether our books are the ones that were here before, and since when they are. */
export interface Memory {
  /** Epoch ms; what is older may have been dealt with by a life that was forgotten. */
  readonly since: number;
  /** The database is a fresh, restored or foreign one. */
  readonly lost: boolean;
}

/** Clocks of the service and the shop may differ by this much. */
const SLACK_MS = 5000;

/** Work that was asked for before our memory began: it may have been run, and nobody here knows. */
export function isOlderThan({ since }: Memory, createdAt: number): boolean {
  return createdAt < since - SLACK_MS;
}

/** What staff are asked before the next sale without an invoice, with the terminal's own words. */
export function lostMemoryWords(device: Device, last: LastTransaction): string {
  return (
    `tilld has lost its memory of the last payments at ${device.name}. ${shown(device, last)} ` +
    'Compare it with the baskets at this till: do not charge again what was paid. Then confirm that you have looked.'
  );
}

/**
 * Asks once whether a basket was paid already: a sale that names no invoice cannot be told from one that was forgotten.
 * @throws MEMORY_LOST, `context.details` names the task
 */
export function checkMemory(
  { lost }: Memory,
  sale: { readonly deviceId: string; readonly invoiceId: string | null },
  hasLooked: boolean,
  store: PaymentStore,
): void {
  if (!lost || sale.invoiceId !== null) return;
  const task = store.openTasksOfDevice(sale.deviceId).find((one) => one.kind === 'memory_lost');
  if (!task && hasLooked) return;
  const message =
    task?.message ?? 'tilld has lost its memory of the last payments and reads the terminal first.';
  throw new AppError('MEMORY_LOST', `Nothing was charged. ${message}`, {
    context: {
      details: {
        device_id: sale.deviceId,
        task_id: task?.id ?? null,
        what_to_do: 'compare, then finish the task',
      },
    },
  });
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
