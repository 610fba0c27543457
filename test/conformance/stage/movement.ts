import { isDeepStrictEqual } from 'node:util';
import type {
  Capabilities,
  LastTransaction,
  MoneyCommand,
  OwnTransaction,
  TransactionReport,
} from '../../../src/terminal/ports.ts';

/** What a terminal reports of its past, as far as its driver promises it. */
export interface Mark {
  readonly last: LastTransaction;
  /** What it answers to the reference of the attempt, where the driver finds payments by one. */
  readonly own: OwnTransaction | null;
}

export type Movement = 'moved' | 'not_moved' | 'cannot_tell';

/**
 * Whether an attempt moved money, told from what the terminal said before and says now, when nobody else has used it meanwhile.
 * It is this suite's own reading of the grade, not the core's.
 */
export function movementOf(
  grade: Capabilities['recover'],
  command: MoneyCommand,
  before: Mark,
  now: Mark,
): Movement {
  if (grade === 'none') return 'cannot_tell';
  if (grade === 'by_reference') return fromOwn(command, now.own);
  return fromLast(command, before.last, now.last);
}

function fromLast(command: MoneyCommand, before: LastTransaction, now: LastTransaction): Movement {
  if (now.kind === 'unreadable' || before.kind === 'unreadable') return 'cannot_tell';
  if (now.kind === 'empty') return before.kind === 'empty' ? 'not_moved' : 'cannot_tell';
  if (before.kind === 'found' && isDeepStrictEqual(before.report, now.report)) return 'not_moved';
  return fromReport(command, now.report);
}

/** What a transaction that is new says. One that undoes itself was taken back by the terminal. */
function fromReport(command: MoneyCommand, report: TransactionReport): Movement {
  const { verdict, kind, originalTrace, trace, amountMinor, tipMinor = 0 } = report;
  if (verdict === 'unclear') return 'cannot_tell';
  if (verdict !== 'approved') return 'not_moved';
  const undoesItself = originalTrace !== undefined && originalTrace === trace;
  // The result of a void may carry no amount; it is new, and it says that it is one.
  if (command.kind === 'void' && kind === 'void' && amountMinor === undefined)
    return undoesItself ? 'not_moved' : 'moved';
  if (undoesItself || (kind === 'void' && command.kind !== 'void')) return 'not_moved';
  const tip = command.kind === 'sale' && command.tip === 'ask' ? tipMinor : 0;
  return amountMinor === command.amount.minor + tip ? 'moved' : 'cannot_tell';
}

/** A list without it proves something only while it is whole: nothing here made it lose a line. */
function fromOwn(command: MoneyCommand, own: OwnTransaction | null): Movement {
  if (own === null || own.kind === 'unreadable') return 'cannot_tell';
  if (own.kind !== 'found') return 'not_moved';
  const { report } = own;
  const isSaleOfVoid =
    command.kind === 'void' && report.kind === 'sale' && report.originalTrace === undefined;
  return isSaleOfVoid ? 'not_moved' : fromReport(command, report);
}
