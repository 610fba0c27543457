import { AppError, messageOf } from '../base/errors.ts';
import type { SentError } from './messages.ts';

/** Codes that a driver may give: those of terminals, links and of itself. Any other would be read as a word of the core. */
const OF_DRIVERS = /^(?:TERMINAL|LINK|DECODE|DRIVER)_[A-Z][A-Z_]{0,48}$/;

/** An error, for the channel. */
export function sentError(error: unknown): SentError {
  const { code, retry, moneyMoved } =
    error instanceof AppError
      ? error
      : ({ code: 'DRIVER_FAILED', retry: 'never', moneyMoved: 'no' } as const);
  return { code, message: messageOf(error).slice(0, 500), retry, moneyMoved };
}

/** An error that a package sent. The reason of an abort comes back as it was given. */
export function receivedError(sent: SentError, signal?: AbortSignal): unknown {
  const { code, message, retry, moneyMoved } = sent;
  if (signal?.aborted && sentError(signal.reason).code === code) return signal.reason;
  return new AppError(OF_DRIVERS.test(code) ? code : 'DRIVER_FAILED', message, { retry, moneyMoved });
}

/** An error that tilld sent to a package. */
export function errorOfCore({ code, message, retry, moneyMoved }: SentError): AppError {
  return new AppError(code, message, { retry, moneyMoved });
}
