import { setTimeout as pause } from 'node:timers/promises';
import { dataOf } from '../../api/contract/primitives.ts';
import { type CreateTerminalPayment, TerminalPayment } from '../../api/contract/terminal-payment.ts';
import { AppError, hasCode } from '../../base/errors.ts';
import type { Answer, DaemonClient } from '../client.ts';
import { isFailureDocument } from '../failure.ts';
import type { Pace } from './pace.ts';

export type PaymentAnswer = Answer<{ data: TerminalPayment }>;

/** Refusals that another try with the same key may pass: the daemon is going down, or is still at the first try. */
const PASSING = ['shutting_down', 'IDEMPOTENCY_KEY_IN_PROGRESS', 'internal_error'];

/**
 * Creates a payment under one idempotency key and tries again, same key, over a restart of the daemon.
 * @throws REFUSED; NO_DAEMON when no try can have reached it; OUTCOME_UNKNOWN when one can and none was answered;
 * INTERRUPTED when the signal aborts.
 */
export async function createPayment(
  client: DaemonClient,
  body: CreateTerminalPayment,
  key: string,
  pace: Pace,
  signal: AbortSignal,
): Promise<PaymentAnswer> {
  const end = performance.now() + pace.createMs;
  const call = {
    method: 'POST',
    path: '/v2/terminal-payments',
    body,
    headers: { 'idempotency-key': key },
    signal,
  } as const;
  let mayHaveStarted = false;
  for (;;) {
    try {
      return await client.call(call, dataOf(TerminalPayment));
    } catch (error) {
      mayHaveStarted ||= leavesDoubt(error);
      if (signal.aborted) throw interrupted(key, mayHaveStarted);
      if (!passes(error)) throw error;
      if (performance.now() >= end) throw mayHaveStarted ? unknownOutcome(key, error) : error;
    }
    await pause(pace.retryMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) throw interrupted(key, mayHaveStarted);
  }
}

function passes(error: unknown): boolean {
  if (hasCode(error, 'NO_DAEMON') || leavesDoubt(error)) return true;
  return PASSING.includes(refusalCode(error));
}

/** True when the daemon may have begun the payment although we have no answer that says so. */
function leavesDoubt(error: unknown): boolean {
  if (hasCode(error, 'CONNECTION_LOST') || hasCode(error, 'ANSWER_INVALID')) return true;
  return ['internal_error', 'IDEMPOTENCY_KEY_IN_PROGRESS'].includes(refusalCode(error));
}

function refusalCode(error: unknown): string {
  const document = hasCode(error, 'REFUSED') ? error.context['document'] : undefined;
  return isFailureDocument(document) ? document.error.code : '';
}

function unknownOutcome(key: string, cause: unknown): AppError {
  const message =
    'tilld did not answer: it is NOT KNOWN whether the payment was started. ' +
    `Look at the terminal; the same command with --idempotency-key ${key} asks again and never charges twice.`;
  return new AppError('OUTCOME_UNKNOWN', message, {
    moneyMoved: 'unknown',
    context: { idempotency_key: key },
    cause,
  });
}

function interrupted(key: string, mayHaveStarted: boolean): AppError {
  const message = mayHaveStarted
    ? `interrupted; the payment may go on. The same command with --idempotency-key ${key} asks again and never charges twice.`
    : 'interrupted before the payment was started';
  const moneyMoved = mayHaveStarted ? 'unknown' : 'no';
  return new AppError('INTERRUPTED', message, { moneyMoved, context: { idempotency_key: key } });
}
