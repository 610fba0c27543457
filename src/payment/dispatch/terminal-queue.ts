import type { Clock } from '../../base/clock.ts';
import { hasCode } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { formatMoney } from '../../base/money.ts';
import { factsOf } from '../../base/trace.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { NOTHING_SENT, type PaymentWriter } from '../payment-writer.ts';
import type { PaymentStore } from '../ports.ts';
import type { TerminalState } from './terminal-state.ts';
import { WaitingDeadlines } from './waiting-deadlines.ts';

export interface TerminalQueueDeps {
  readonly deviceId: string;
  readonly store: PaymentStore;
  readonly writer: PaymentWriter;
  readonly clock: Clock;
  readonly log: Log;
  readonly state: TerminalState;
}

/** Why a request may not run: a code and words for staff. */
export interface NotRunReason {
  readonly code: string;
  readonly message: string;
}

/**
 * The waiting requests of one terminal: which goes next, and which has waited too long.
 *
 * INVARIANT: a request that ends here was never sent; an attempt that is past `requested` is left as it is.
 */
export class TerminalQueue {
  readonly #deps: TerminalQueueDeps;
  readonly #deadlines: WaitingDeadlines;

  constructor(deps: TerminalQueueDeps) {
    this.#deps = deps;
    this.#deadlines = new WaitingDeadlines(deps.clock, deps.log, (id) => this.tooLate(id));
  }

  /** Every attempt of this queue that has not ended, in any state, oldest first. */
  open(): readonly Attempt[] {
    const { store, deviceId } = this.#deps;
    return store.openAttempts(deviceId);
  }

  waiting(): readonly Attempt[] {
    return this.#deps.state.waiting;
  }

  /** Voids go first: the longer a void waits, the less likely it still works. */
  next(): Attempt | undefined {
    const waiting = this.waiting();
    return waiting.find(({ type }) => type === 'void') ?? waiting[0];
  }

  /** Starts the deadlines of new requests. */
  admit(): void {
    for (const one of this.waiting()) this.#deadlines.enter(one);
  }

  leave(attemptId: string): void {
    this.#deadlines.leave(attemptId);
  }

  /** Ms; zero or less: its time is over. */
  msLeft(attempt: Attempt): number {
    return this.#deadlines.msLeft(attempt);
  }

  /** Still requested, and its time is not over. */
  mayStillGo(attempt: Attempt): boolean {
    const { state } = this.#deps.writer.require(attempt.id);
    return state.name === 'requested' && this.msLeft(attempt) > 0;
  }

  tooLate(id: string): void {
    const { writer, state } = this.#deps;
    const attempt = writer.require(id);
    if (attempt.state.name !== 'requested') {
      this.leave(id);
      return;
    }
    const { progress } = writer.view(attempt);
    const why =
      state.running?.id === id ? (progress ?? 'the terminal was not ready') : 'the terminal was busy';
    this.expire(attempt, { code: 'expired', message: `It waited too long: ${sentence(why)}` });
  }

  expireAll(refusal: NotRunReason): void {
    for (const one of this.waiting()) this.expire(one, refusal);
  }

  expire(attempt: Attempt, { code, message }: NotRunReason): void {
    const { writer, log } = this.#deps;
    try {
      writer.apply(attempt.id, { type: 'expire' }, { reason: { code, message }, evidence: NOTHING_SENT });
      this.leave(attempt.id);
      log.info({ ...factsOf(attempt), code, amount: formatMoney(attempt.amount) }, 'request expired');
    } catch (error) {
      if (!hasCode(error, 'TRANSITION_REFUSED')) throw error;
      log.debug(factsOf(attempt), 'request ended by itself');
    }
  }

  close(): void {
    this.#deadlines.close();
  }
}

/** Why a request is not run when money turns out to have moved with the payment before it. */
export const PREVIOUS_WAS_CHARGED = {
  code: 'previous_was_charged',
  message:
    'The terminal says now that money DID move with the payment before it. Look at that one first; this one was not sent.',
} as const;

/** Why a request behind a doubt is not run. */
export const RECOVERING = {
  code: 'terminal_recovering',
  message: 'It was not clear then how the payment before it ended. This one never reached the terminal.',
} as const;

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
