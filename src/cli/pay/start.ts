import { dataOf } from '../../api/contract/primitives.ts';
import { TerminalPayment } from '../../api/contract/terminal-payment.ts';
import { AppError } from '../../base/errors.ts';
import type { DaemonClient } from '../client.ts';
import { connect } from '../connect.ts';
import type { ExitCode } from '../exit-code.ts';
import type { GlobalOptions, Io } from '../io.ts';
import { paymentPath } from '../payment-path.ts';
import { plain } from '../show/plain.ts';
import { type Creation, createPayment, type PaymentAnswer } from './create.ts';
import { followPayment, isFinal } from './follow.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { showOutcome } from './outcome.ts';
import type { PollingInterval } from './polling-interval.ts';

/** Options of every verb that starts something at a terminal. */
export interface StartOptions extends GlobalOptions {
  readonly wait: boolean;
  readonly idempotencyKey?: string;
  /** Seconds to wait while the outcome is in doubt. */
  readonly timeout: number;
}

/** What to create, and the device name that people know. */
export interface Start extends Creation {
  readonly at: string;
}

/**
 * Starts one payment, refund or void under one key, follows it to its outcome and shows it.
 * `prepare` asks the daemon for what the request needs; nothing is started before it is done.
 */
export async function startAndFollow(
  options: StartOptions,
  io: Io,
  interval: PollingInterval,
  prepare: (client: DaemonClient, signal: AbortSignal) => Promise<Start>,
): Promise<ExitCode> {
  const key = idempotencyKey(options.idempotencyKey);
  const stop = new AbortController();
  const { signal } = stop;
  const forget = io.onInterrupt(() => stop.abort());
  try {
    const client = connect(options, io);
    const start = await prepare(client, signal);
    const created = await createPayment(client, start, key, interval, signal);
    const payment = created.value.data;
    if (!options.wait) {
      const last = await asItIsNow(client, created, options, signal);
      return showOutcome(options, io, { end: isFinal(last.value.data) ? 'final' : 'accepted', last });
    }
    io.err(`${start.what} ${payment.id} ${plain(start.at)}\n`);
    const say = (text: string) => io.err(`  ${plain(text)}\n`);
    const doubtMs = options.timeout * 1000;
    return showOutcome(options, io, await followPayment(client, created, { doubtMs, interval, signal, say }));
  } catch (error) {
    if (!signal.aborted || (error instanceof AppError && error.code === 'INTERRUPTED')) throw error;
    throw new AppError('INTERRUPTED', 'interrupted before anything was started', { cause: error });
  } finally {
    forget();
  }
}

/** The response under a repeated key is as old as its first request. */
async function asItIsNow(
  client: DaemonClient,
  created: PaymentAnswer,
  { idempotencyKey: used }: StartOptions,
  signal: AbortSignal,
): Promise<PaymentAnswer> {
  if (used === undefined) return created;
  const path = paymentPath(created.value.data.id);
  return client.call({ path, signal }, dataOf(TerminalPayment)).catch(() => created);
}
