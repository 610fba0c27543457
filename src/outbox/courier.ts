import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import { invariant } from '../base/invariant.ts';
import { spanOf, traceparentOf } from '../base/trace.ts';
import type { Budget } from './budget.ts';
import { type Step, stepAfterAnswer, stepAfterLookUp } from './delivery-rules.ts';
import type { Gate } from './gate.ts';
import type { OutboxRow, OutboxStore } from './ports.ts';
import type { Answer, LookUp, NotApplied, PaymentAtService, ReportPort, ServiceTime } from './report-port.ts';
import { plainBody, type ReportBody } from './reports.ts';
import { type LastStep, PLAIN_MARK, Trip } from './trip.ts';

export interface CourierParts {
  readonly store: OutboxStore;
  readonly port: ReportPort;
  readonly serviceTime: ServiceTime;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly gate: Gate;
  /** Called just before the key of this row is used. */
  readonly tried: (rowId: string) => void;
}

/**
 * Delivers one row to the service, step by step, until a step ends its turn.
 *
 * INVARIANT: `beginTry` is on disk before the request leaves.
 */
export class Courier {
  readonly #parts: CourierParts;

  constructor(parts: CourierParts) {
    this.#parts = parts;
  }

  /** The state in which `row` begins its turn. */
  tripOf(row: OutboxRow): Trip {
    return new Trip(row, this.#parentAtService(row));
  }

  /** The service's clock, or our own while it is unknown; a wrong first use makes the row look up first. */
  serviceNow(): number {
    return this.#parts.serviceTime.now() ?? this.#parts.clock.now();
  }

  /** Ends within five requests: after a refusal no step leads back to sending. */
  async travel(trip: Trip, first: Step, signal: AbortSignal): Promise<LastStep> {
    let step = first;
    for (let requests = 0; ; requests += 1) {
      if (step.do !== 'send' && step.do !== 'send_plain' && step.do !== 'look_up') return step;
      if (requests > 0) this.#parts.budget.spend();
      step = step.do === 'look_up' ? await this.#lookUp(trip, signal) : await this.#send(trip, step, signal);
    }
  }

  async #send(
    trip: Trip,
    step: Extract<Step, { do: 'send' | 'send_plain' }>,
    signal: AbortSignal,
  ): Promise<Step> {
    const { store } = this.#parts;
    const { row } = trip;
    if (step.do === 'send_plain') {
      trip.plain = true;
      store.failed(row.id, PLAIN_MARK + step.because, trip.unanswered);
    }
    trip.isSent = true;
    store.beginTry(row.id, this.serviceNow());
    this.#parts.tried(row.id);
    const body = trip.plain ? plainBody(row.body) : row.body;
    const answer = await settled<Answer<PaymentAtService>>(
      this.#request(trip, body, signal),
      noAnswer,
      signal,
    );
    this.#parts.gate.note(answer);
    if (answer.kind === 'not_found' || answer.kind === 'refused' || answer.kind === 'already_exists') {
      trip.refused = answer.refusal;
    }
    return stepAfterAnswer(trip, answer);
  }

  #request(
    { row, parentAtService }: Trip,
    body: ReportBody,
    signal: AbortSignal,
  ): Promise<Answer<PaymentAtService>> {
    const { port, store } = this.#parts;
    const { operation, parentId, key } = row;
    const trace = traceparentOf(store.tracedOf(row.attemptId), spanOf(row.id));
    if (row.kind === 'result') return port.result(this.#paymentId(row), body, key, signal, trace);
    if (operation === 'sale') return port.create(body, key, signal, trace);
    invariant(parentId !== null && parentAtService !== null, 'a refund or a void has a sale', {
      row: row.id,
    });
    const parent = { attemptId: parentId, paymentId: parentAtService };
    return port.giveBack(operation, parent, body, key, signal, trace);
  }

  async #lookUp(trip: Trip, signal: AbortSignal): Promise<Step> {
    const request = this.#parts.port.lookUp(this.#paymentId(trip.row), signal);
    const seen = await settled<LookUp>(
      request,
      (error) => ({ kind: 'no_answer', answer: noAnswer(error) }),
      signal,
    );
    if (seen.kind === 'no_answer') this.#parts.gate.note(seen.answer);
    return stepAfterLookUp(trip, seen);
  }

  #paymentId(row: OutboxRow): string {
    return this.#parts.store.serviceIdOf(row.attemptId) ?? row.attemptId;
  }

  #parentAtService({ parentId }: OutboxRow): string | null {
    return parentId === null ? null : (this.#parts.store.serviceIdOf(parentId) ?? parentId);
  }
}

/** The request's value. A failure, or an abort of the signal before the value, becomes the value of `otherwise`. */
export function settled<T>(
  request: Promise<T>,
  otherwise: (error: unknown) => T,
  signal: AbortSignal,
): Promise<T> {
  return new Promise((resolve) => {
    const onAbort = () => resolve(otherwise(signal.reason));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    request.then(resolve, (error: unknown) => resolve(otherwise(error)));
  });
}

export function noAnswer(error: unknown): NotApplied {
  return {
    kind: 'unavailable',
    trouble: 'service',
    reached: 'unknown',
    retryAfterMs: null,
    words: messageOf(error),
  };
}
