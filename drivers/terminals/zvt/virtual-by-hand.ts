import { AppError } from '../../../src/base/errors.ts';
import type { LedgerEntry, TypedTransaction } from '../../../src/sandbox/controllable-terminal.ts';
import { cardOfCustomer } from '../../../src/sandbox/terminal/cards.ts';
import type { VirtualDevice } from '../../../src/sandbox/terminal/dialect.ts';
import { entryOf, type TransactionRecord } from '../../../src/sandbox/terminal/ledger.ts';
import type { ZvtVirtualOptions } from './virtual-options.ts';
import { approvalCode } from './virtual-status.ts';

/** A transaction that staff type at the terminal: it takes the next numbers, and no till is informed. */
export function typeTransaction(
  device: VirtualDevice,
  options: ZvtVirtualOptions,
  typed: TypedTransaction,
): LedgerEntry {
  const { ledger, clock, settings } = device;
  const { kind, result = 'approved' } = typed;
  const original = kind === 'void' ? originalOf(device, options, typed) : undefined;
  const amountMinor = original?.amountMinor ?? typed.amountMinor ?? 0;
  if (amountMinor <= 0) throw notPossible('a payment needs an amount');
  const trace = ledger.nextTrace();
  const approved = result === 'approved';
  const record = ledger.enter({
    kind,
    amountMinor,
    currency: settings.currency,
    result,
    at: clock.now(),
    trace,
    cardId: approved ? (original?.cardId ?? cardOfCustomer(Number(trace) - 1).id) : null,
    authCode: approved ? (original?.authCode ?? approvalCode(trace)) : null,
    stored: approved || options.storesDeclined,
    unsettled: false,
    byHand: true,
    ...(original && approved ? { undoes: original } : {}),
  });
  return entryOf(record);
}

function originalOf(
  { ledger }: VirtualDevice,
  { voids }: ZvtVirtualOptions,
  { receiptNumber }: TypedTransaction,
): TransactionRecord {
  const batch = ledger.openBatch();
  const stands = (record: TransactionRecord) =>
    record.kind === 'sale' && record.result === 'approved' && !record.reversed;
  const original =
    receiptNumber === undefined
      ? batch.findLast(stands)
      : batch.findLast((record) => record.receiptNumber === receiptNumber && stands(record));
  const isLast = original !== undefined && original.sequence === batch.at(-1)?.sequence;
  if (!original || voids === 'none' || (voids !== 'any' && !isLast))
    throw notPossible('there is no payment that it could take back');
  return original;
}

export function notPossible(why: string): AppError {
  return new AppError('SANDBOX_NOT_POSSIBLE', `the virtual terminal cannot do this: ${why}`);
}
