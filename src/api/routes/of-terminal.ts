import { AppError } from '../../base/errors.ts';
import { guardText } from '../../base/text-guard.ts';
import { refusalOf } from '../reply/refusals.ts';

/**
 * Runs a dialogue with a terminal that moves no money: when the terminal falls silent or the line breaks, the caller may try again.
 * @throws TERMINAL_NOT_READY in place of what a driver or a link throws; everything else as it is.
 */
export async function ofTerminal<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof AppError) || refusalOf(cause.code) || !/^(TERMINAL|LINK|PHASE)_/.test(cause.code))
      throw cause;
    throw new AppError(
      'TERMINAL_NOT_READY',
      `The terminal could not be asked to the end: ${guardText(cause.message)}. No customer was charged by this. Look at the terminal, then try again.`,
      { retry: 'safe', cause, context: { details: { reason: cause.code.toLowerCase() } } },
    );
  }
}
