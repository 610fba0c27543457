import type { Progress } from '../../api/contract/event.ts';
import { dataOf } from '../../api/contract/primitives.ts';
import { TerminalPayment } from '../../api/contract/terminal-payment.ts';
import { TerminalSettlement } from '../../api/contract/terminal-settlement.ts';
import type { Answer, DaemonClient } from '../client.ts';
import { followEvents } from '../event-stream.ts';
import type { PaymentAnswer } from './create.ts';
import type { PollingInterval } from './polling-interval.ts';
import { Wakeup } from './wakeup.ts';

/** How following ended, and the last known state of the subject. */
export interface Followed<T = TerminalPayment> {
  /** `unreachable`: tilld did not respond for too long; `too_long`: it exceeded every limit. */
  readonly end: 'final' | 'in_doubt' | 'unreachable' | 'too_long' | 'interrupted';
  readonly last: Answer<{ data: T }>;
}

export interface FollowOptions {
  /** Maximum wait while the outcome is in doubt or tilld is unreachable, in ms. */
  readonly doubtMs: number;
  readonly interval: PollingInterval;
  readonly signal: AbortSignal;
  /** Called with each new text of the terminal. */
  readonly say: (text: string) => void;
}

/** The followed resource: its path, and how to parse the response of GET. */
interface Subject<T> {
  readonly id: string;
  look(signal: AbortSignal): Promise<Answer<{ data: T }>>;
  isFinal(seen: T): boolean;
  /** Its outcome is unknown at the moment; `person`: it stays unknown until a person checks. */
  doubtOf(seen: T): 'none' | 'open' | 'person';
  progressOf(seen: T): string | null;
  /** True when a text of a terminal belongs to it. */
  concerns(note: Progress): boolean;
}

/** True once a payment's state is final. */
export function isFinal({ status }: TerminalPayment): boolean {
  return status !== 'requested' && status !== 'in_progress';
}

/** Follows a payment, a refund or a void to its end. */
export function followPayment(
  client: DaemonClient,
  first: PaymentAnswer,
  options: FollowOptions,
): Promise<Followed> {
  const { id } = first.value.data;
  const subject: Subject<TerminalPayment> = {
    id,
    look: (signal) => client.call({ path: `/v2/terminal-payments/${id}`, signal }, dataOf(TerminalPayment)),
    isFinal,
    doubtOf: (seen) => {
      if (!seen.in_doubt) return 'none';
      return seen.needs_person ? 'person' : 'open';
    },
    progressOf: (seen) => (isFinal(seen) ? null : seen.progress),
    concerns: (note) => note.payment_id === id,
  };
  return follow(client, first, subject, options);
}

/** True once a settlement is final. */
export function isClosed({ status }: TerminalSettlement): boolean {
  return status !== 'requested' && status !== 'in_progress';
}

/** Follows an end of day to its end; every text of the terminal meanwhile is printed, whatever its cause. */
export function followSettlement(
  client: DaemonClient,
  first: Answer<{ data: TerminalSettlement }>,
  options: FollowOptions,
): Promise<Followed<TerminalSettlement>> {
  const { id, device_id } = first.value.data;
  const path = `/v2/terminal-settlements/${id}`;
  const subject: Subject<TerminalSettlement> = {
    id,
    look: (signal) => client.call({ path, signal }, dataOf(TerminalSettlement)),
    isFinal: isClosed,
    doubtOf: () => 'none',
    progressOf: () => null,
    concerns: (note) => note.device_id === device_id,
  };
  return follow(client, first, subject, options);
}

/**
 * Follows a subject to its end. The response of GET decides; the event stream triggers the next poll at once
 * and brings the terminal's texts. It waits up to `doubtMs` for a daemon that restarts.
 */
async function follow<T>(
  client: DaemonClient,
  first: Answer<{ data: T }>,
  subject: Subject<T>,
  options: FollowOptions,
): Promise<Followed<T>> {
  const ended = new AbortController();
  const wakeup = new Wakeup();
  const say = printedOnce(options.say);
  const listener = {
    opened: () => wakeup.notify(),
    event: (event: { data: { id: string } }) => {
      if (event.data.id === subject.id) wakeup.notify();
    },
    progress: (note: Progress) => {
      if (subject.concerns(note)) say(note.text);
    },
  };
  const stream = followEvents(client, listener, AbortSignal.any([ended.signal, options.signal]));
  try {
    return await lookOn(first, subject, options, wakeup, say);
  } finally {
    ended.abort();
    await stream;
  }
}

async function lookOn<T>(
  first: Answer<{ data: T }>,
  subject: Subject<T>,
  { doubtMs, interval, signal }: FollowOptions,
  wakeup: Wakeup,
  say: (text: string) => void,
): Promise<Followed<T>> {
  const start = performance.now();
  let last = first;
  let surely = start;
  for (;;) {
    const seen = await subject.look(signal).catch(() => undefined);
    if (seen) last = seen;
    const text = subject.progressOf(last.value.data);
    if (text !== null) say(text);
    const now = performance.now();
    if (seen && subject.doubtOf(last.value.data) === 'none') surely = now;
    const over = { doubt: now - surely >= doubtMs, whole: now - start >= interval.longestMs };
    const end = endOf(subject, last.value.data, seen !== undefined, signal.aborted, over);
    if (end !== undefined) return { end, last };
    await wakeup.wait(interval.lookMs, signal);
  }
}

function endOf<T>(
  subject: Subject<T>,
  last: T,
  reached: boolean,
  aborted: boolean,
  over: { readonly doubt: boolean; readonly whole: boolean },
): Followed['end'] | undefined {
  if (subject.isFinal(last)) return 'final';
  if (aborted) return 'interrupted';
  if (reached && subject.doubtOf(last) === 'person') return 'in_doubt';
  if (over.doubt) return reached ? 'in_doubt' : 'unreachable';
  return over.whole ? 'too_long' : undefined;
}

function printedOnce(say: (text: string) => void): (text: string) => void {
  let last = '';
  return (text) => {
    if (text !== last) say(text);
    last = text;
  };
}
