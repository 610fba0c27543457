import {
  AppError,
  type Currency,
  type MoneyCommand,
  type Receipts,
  type TransactionReport,
} from '../../../src/driver-kit/terminal.ts';
import { MOST_MINOR, type Settings } from './settings.ts';

/** A terminal's report of a payment. */
export interface ReadResult {
  /** `ours`: it carries our reference; `anothers`: that of another payment; `unnamed`: no known reference. */
  readonly whose: 'ours' | 'anothers' | 'unnamed';
  readonly report: TransactionReport;
  readonly receipts: Receipts;
  /** The reason for the verdict, for staff. */
  readonly words: string;
  /** It does not fit the request: it may be about another payment. */
  readonly isStrange: boolean;
}

/** How one of the two formats names and reports a payment. */
export interface Language {
  /** The frame that moves the money. @throws TERMINAL_CANNOT (nothing was sent) for a command that the format does not have. */
  money(command: MoneyCommand): Uint8Array;
  /**
   * Reads an answer; null when it is not about a payment.
   * @throws DECODE_MALFORMED, DECODE_INCOMPLETE
   */
  read(data: Uint8Array, command: MoneyCommand): ReadResult | null;
}

/** The counter's settings that both formats need. */
export interface Counter {
  readonly settings: Settings;
  /** The terminal's only currency. */
  readonly currency: Currency;
}

/** The supported kinds of commands. */
export type Payable = 'sale' | 'refund';

/**
 * The kind of a command that this counter can send.
 * @throws TERMINAL_CANNOT (nothing was sent)
 */
export function payableOf(command: MoneyCommand, { currency }: Pick<Counter, 'currency'>): Payable {
  const { kind, amount } = command;
  if (kind === 'void') throw cannot('This terminal cannot cancel a payment; refund it instead');
  if (amount.currency !== currency) throw cannot('This terminal has another currency');
  if (amount.minor < 1 || amount.minor > MOST_MINOR) throw cannot('This terminal cannot take that amount');
  return kind;
}

function cannot(why: string): AppError {
  return new AppError('TERMINAL_CANNOT', `${why}. Nothing was sent to it`);
}
