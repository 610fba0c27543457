import { AppError, garbled, hasCode, type Outcome } from '../../../src/driver-kit/terminal.ts';
import type { Enquiry } from './talk-line.ts';
import { readV3, type V3Message } from './v3-messages.ts';

/** Why a terminal on a cable takes no message now: a code, and a text for staff. */
export const NOT_READY: Readonly<Record<Exclude<Enquiry, 'open'>, readonly [code: string, message: string]>> =
  {
    silent: ['TERMINAL_BUSY', 'The terminal does not answer: it is busy, asleep, or not set up for a till'],
    refuses: ['TERMINAL_BUSY', 'The terminal is busy'],
    calls: ['TERMINAL_BUSY', 'The terminal has the result of an earlier payment to report first'],
  };

/** No part of the payment reached the terminal, or it refused to begin. */
export function notStarted(code: string, message: string): Outcome {
  const advice =
    code === 'TERMINAL_CANNOT'
      ? 'Nothing was charged or given back.'
      : 'The customer was not charged. Try again when the terminal shows its start screen.';
  return { kind: 'not_started', code, message: `${message.replace(/\.$/, '')}. ${advice}` };
}

export function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : 'DRIVER_FAILED';
}

/**
 * Runs a reader of an answer.
 * @throws TERMINAL_GARBLED where it cannot be read
 */
export function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!hasCode(cause, 'DECODE_MALFORMED') && !hasCode(cause, 'DECODE_INCOMPLETE')) throw cause;
    throw garbled(cause.message, cause);
  }
}

/** @throws TERMINAL_GARBLED */
export function readAnswer(data: Uint8Array): V3Message {
  return readable(() => readV3(data));
}
