import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Attempt } from './attempt/attempt.ts';
import type { PaymentEvent, ProgressNote } from './payments.ts';

export interface PaymentListener {
  event?(event: PaymentEvent): void;
  progress?(note: ProgressNote): void;
  /** A caller or the service asks to stop this running payment: its terminal is asked. */
  abort?(attempt: Attempt): void;
  /** A new attempt waits for this device's terminal. */
  waits?(deviceId: string): void;
  /** A report to the service may be pending. */
  report?(): void;
}

/** What is published to the listeners once it is on disk. */
export interface OutboundEvents {
  readonly events: PaymentEvent[];
  /** Devices with a new waiting attempt. */
  readonly waiting: Set<string>;
}

export function noOutboundEvents(): OutboundEvents {
  return { events: [], waiting: new Set() };
}

/** The listeners of payments, and the newest text of each running attempt. A listener that fails does not disturb the others. */
export class EventPublisher {
  readonly #log: Log;
  readonly #listeners = new Set<PaymentListener>();
  readonly #lastWords = new Map<string, string>();

  constructor(log: Log) {
    this.#log = log;
  }

  subscribe(listener: PaymentListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Publishes what a transaction has written; the report sender starts at once. */
  publish({ events, waiting }: OutboundEvents): void {
    for (const event of events) this.#each((listener) => listener.event?.(event));
    this.wakeQueues(waiting);
    this.#each((listener) => listener.report?.());
  }

  wakeQueues(waiting: ReadonlySet<string>): void {
    for (const deviceId of waiting) this.#each((listener) => listener.waits?.(deviceId));
  }

  /** `text` is already redacted of card numbers; `at` is epoch ms. */
  progress({ id, deviceId }: Attempt, text: string, at: number): void {
    this.#lastWords.set(id, text);
    this.#each((listener) => listener.progress?.({ attemptId: id, deviceId, text, at }));
  }

  lastWordOf(attemptId: string): string | null {
    return this.#lastWords.get(attemptId) ?? null;
  }

  /** The attempt is final: no progress any more. */
  forget(attemptId: string): void {
    this.#lastWords.delete(attemptId);
  }

  askToStop(attempt: Attempt): void {
    this.#each((listener) => listener.abort?.(attempt));
  }

  /** A listener that throws is a bug of the listener; the payment is on disk all the same. */
  #each(call: (listener: PaymentListener) => void): void {
    for (const listener of this.#listeners) {
      try {
        call(listener);
      } catch (error) {
        this.#log.error({ error: messageOf(error) }, 'listener failed');
      }
    }
  }
}
