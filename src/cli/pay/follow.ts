import { setTimeout as pause } from 'node:timers/promises';
import { dataOf } from '../../api/contract/primitives.ts';
import { TerminalPayment } from '../../api/contract/terminal-payment.ts';
import type { DaemonClient } from '../client.ts';
import { followEvents } from '../event-stream.ts';
import type { PaymentAnswer } from './create.ts';
import type { Pace } from './pace.ts';

/** How following ended, and the payment as it was last seen. */
export interface Followed {
  /** `unreachable`: tilld did not answer for too long; `too_long`: it ran past every limit. */
  readonly end: 'final' | 'in_doubt' | 'unreachable' | 'too_long' | 'interrupted';
  readonly last: PaymentAnswer;
}

export interface FollowOptions {
  /** How long to wait while the outcome is in doubt or tilld is away, in ms. */
  readonly doubtMs: number;
  readonly pace: Pace;
  readonly signal: AbortSignal;
  /** Told each new text of the terminal. */
  readonly say: (text: string) => void;
}

/** True once nothing will change a payment's state any more. */
export function isFinal({ status }: TerminalPayment): boolean {
  return status !== 'requested' && status !== 'in_progress';
}

/**
 * Follows a payment to its end. What counts is what GET says; the event stream makes the next look happen at once
 * and brings the terminal's texts. A daemon that restarts meanwhile is awaited within `doubtMs`.
 */
export async function followPayment(
  client: DaemonClient,
  first: PaymentAnswer,
  options: FollowOptions,
): Promise<Followed> {
  const id = first.value.data.id;
  const ended = new AbortController();
  const bell = new Bell();
  const say = saidOnce(options.say);
  const listener = {
    opened: () => bell.ring(),
    event: (event: { data: TerminalPayment }) => {
      if (event.data.id === id) bell.ring();
    },
    progress: (note: { payment_id: string; text: string }) => {
      if (note.payment_id === id) say(note.text);
    },
  };
  const stream = followEvents(client, listener, AbortSignal.any([ended.signal, options.signal]));
  try {
    return await look(client, first, options, bell, say);
  } finally {
    ended.abort();
    await stream;
  }
}

async function look(
  client: DaemonClient,
  first: PaymentAnswer,
  { doubtMs, pace, signal }: FollowOptions,
  bell: Bell,
  say: (text: string) => void,
): Promise<Followed> {
  const start = performance.now();
  const path = `/v2/terminal-payments/${first.value.data.id}`;
  let last = first;
  let surely = start;
  for (;;) {
    const seen = await client.call({ path, signal }, dataOf(TerminalPayment)).catch(() => undefined);
    if (seen) last = seen;
    const payment = last.value.data;
    if (payment.progress !== null && !isFinal(payment)) say(payment.progress);
    const now = performance.now();
    if (seen && !payment.in_doubt) surely = now;
    const patience = { doubt: now - surely >= doubtMs, whole: now - start >= pace.longestMs };
    const end = endOf(payment, seen !== undefined, signal.aborted, patience);
    if (end !== undefined) return { end, last };
    await bell.wait(pace.lookMs, signal);
  }
}

function endOf(
  payment: TerminalPayment,
  reached: boolean,
  aborted: boolean,
  over: { readonly doubt: boolean; readonly whole: boolean },
): Followed['end'] | undefined {
  if (isFinal(payment)) return 'final';
  if (aborted) return 'interrupted';
  if (reached && payment.in_doubt && payment.needs_person) return 'in_doubt';
  if (over.doubt) return reached ? 'in_doubt' : 'unreachable';
  return over.whole ? 'too_long' : undefined;
}

function saidOnce(say: (text: string) => void): (text: string) => void {
  let last = '';
  return (text) => {
    if (text !== last) say(text);
    last = text;
  };
}

/** A wait that can be cut short; a ring that came before the wait counts for it. */
class Bell {
  #rung = Promise.withResolvers<void>();

  ring(): void {
    this.#rung.resolve();
  }

  async wait(ms: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const timer = pause(ms, undefined, { signal: AbortSignal.any([over.signal, signal]) }).catch(
      () => undefined,
    );
    await Promise.race([this.#rung.promise, timer]);
    over.abort();
    this.#rung = Promise.withResolvers<void>();
  }
}
