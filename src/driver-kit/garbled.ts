import { AppError, hasCode } from '../base/errors.ts';

/** An answer that cannot be read, or is none to our request: nothing is known from it. */
export function garbled(why: string, cause?: unknown): AppError {
  return new AppError('TERMINAL_GARBLED', `the terminal's answer cannot be read: ${why}`, {
    retry: 'safe',
    moneyMoved: 'unknown',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** What a reader of an answer threw: DECODE_MALFORMED as {@link garbled}, anything else as it is. */
export function asGarbled(error: unknown): unknown {
  return hasCode(error, 'DECODE_MALFORMED') ? garbled(error.message, error) : error;
}

/** The answer to a question while a payment runs on the terminal. */
export function stillBusy(): AppError {
  return new AppError('TERMINAL_BUSY', 'the terminal is still in a payment', { retry: 'safe' });
}
