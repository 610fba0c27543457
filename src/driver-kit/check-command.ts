import { AppError } from '../base/errors.ts';
import type { Currency } from '../base/money.ts';
import type { Capabilities, MoneyCommand } from '../terminal/ports.ts';

/** What a terminal can carry out. */
export interface CommandLimits {
  readonly capabilities: Capabilities;
  readonly currency: Currency;
  /** Minor units; the least is 1 by default. */
  readonly minAmountMinor?: number;
  readonly maxAmountMinor: number;
}

/** Whether the terminal can carry out a command; a void is that of the whole payment. @throws TERMINAL_CANNOT, VOID_NOT_POSSIBLE */
export function checkCommand(command: MoneyCommand, limits: CommandLimits): void {
  const { kind, amount } = command;
  const { capabilities, currency, minAmountMinor = 1, maxAmountMinor } = limits;
  if (kind === 'refund' && !capabilities.refund) throw cannot('This terminal has no refund');
  if (kind === 'void' && capabilities.void === 'none') throw cannot('This terminal has no void');
  if (amount.currency !== currency) throw cannot(`This terminal sells in ${currency} only`);
  if (amount.minor < minAmountMinor || amount.minor > maxAmountMinor)
    throw cannot('This terminal cannot take this amount');
  if (kind === 'void' && amount.minor !== command.original.amountMinor)
    throw new AppError('VOID_NOT_POSSIBLE', 'Only the whole payment can be voided; refund a part of it');
}

function cannot(why: string): AppError {
  return new AppError('TERMINAL_CANNOT', `${why}: nothing was sent to it.`);
}
