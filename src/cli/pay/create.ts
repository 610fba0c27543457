import { setTimeout as pause } from 'node:timers/promises';
import { dataOf } from '../../api/contract/primitives.ts';
import { TerminalPayment } from '../../api/contract/terminal-payment.ts';
import { AppError, hasCode } from '../../base/errors.ts';
import type { Answer, DaemonClient } from '../client.ts';
import { isFailureDocument } from '../failure.ts';
import type { PollingInterval } from './polling-interval.ts';

export type PaymentAnswer = Answer<{ data: TerminalPayment }>;

/** What to create, and its name for people. */
export interface Creation {
  readonly what: 'payment' | 'refund' | 'void';
  readonly path: string;
  readonly body: unknown;
}

/** Errors that a retry with the same key may resolve: the daemon shuts down or is about to, or still processes the first try. */
const PASSING = ['shutting_down', 'draining', 'IDEMPOTENCY_KEY_IN_PROGRESS', 'internal_error'];

/**
 * Creates a payment, a refund or a void under one idempotency key and retries, same key, across a restart of the daemon.
 * @throws REFUSED; NO_DAEMON when no try can have reached it; OUTCOME_UNKNOWN when one can and none got a response;
 * INTERRUPTED when the signal aborts.
 */
export async function createPayment(
  client: DaemonClient,
  { what, path, body }: Creation,
  key: string,
  interval: PollingInterval,
  signal: AbortSignal,
): Promise<PaymentAnswer> {
  const end = performance.now() + interval.createMs;
  const call = { method: 'POST', path, body, headers: { 'idempotency-key': key }, signal } as const;
  let mayHaveStarted = false;
  for (;;) {
    try {
      return await client.call(call, dataOf(TerminalPayment));
    } catch (error) {
      mayHaveStarted ||= leavesDoubt(error);
      if (signal.aborted) throw interrupted(what, key, mayHaveStarted);
      if (!passes(error)) throw error;
      if (performance.now() >= end) throw mayHaveStarted ? unknownOutcome(what, key, error) : error;
    }
    await pause(interval.retryMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) throw interrupted(what, key, mayHaveStarted);
  }
}

function passes(error: unknown): boolean {
  if (hasCode(error, 'NO_DAEMON') || leavesDoubt(error)) return true;
  return PASSING.includes(refusalCode(error));
}

/** True when the daemon may have started it although no response says so. */
function leavesDoubt(error: unknown): boolean {
  if (hasCode(error, 'CONNECTION_LOST') || hasCode(error, 'ANSWER_INVALID')) return true;
  return ['internal_error', 'IDEMPOTENCY_KEY_IN_PROGRESS'].includes(refusalCode(error));
}

function refusalCode(error: unknown): string {
  const document = hasCode(error, 'REFUSED') ? error.context['document'] : undefined;
  return isFailureDocument(document) ? document.error.code : '';
}

/** How a person can use the same key again. */
function askAgain(what: Creation['what'], key: string): string {
  const twice = what === 'payment' ? 'charges' : 'gives back';
  return `the same command with --idempotency-key ${key} asks again and never ${twice} twice.`;
}

function unknownOutcome(what: Creation['what'], key: string, cause: unknown): AppError {
  const message =
    `tilld did not answer: it is NOT KNOWN whether the ${what} was started. ` +
    `Look at the terminal; ${askAgain(what, key)}`;
  return new AppError('OUTCOME_UNKNOWN', message, {
    moneyMoved: 'unknown',
    context: { idempotency_key: key },
    cause,
  });
}

function interrupted(what: Creation['what'], key: string, mayHaveStarted: boolean): AppError {
  const message = mayHaveStarted
    ? `interrupted; the ${what} may go on; ${askAgain(what, key)}`
    : `interrupted before the ${what} was started`;
  const moneyMoved = mayHaveStarted ? 'unknown' : 'no';
  return new AppError('INTERRUPTED', message, { moneyMoved, context: { idempotency_key: key } });
}
