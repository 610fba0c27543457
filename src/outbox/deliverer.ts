import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import { invariant } from '../base/invariant.ts';
import { spanOf, traceparentOf } from '../base/trace.ts';
import type { Budget } from './budget.ts';
import { DeliveryAttempt, type LastStep, PLAIN_MARK } from './delivery-attempt.ts';
import type { DeliveryCircuit } from './delivery-circuit.ts';
import { type Step, stepAfterAnswer, stepAfterLookUp } from './delivery-rules.ts';
import type { OutboxRow, OutboxStore } from './ports.ts';
import type { Answer, LookUp, NotApplied, PaymentAtService, ReportPort, ServiceTime } from './report-port.ts';
import { plainBody, type ReportBody } from './reports.ts';

export interface DelivererDeps {
  readonly store: OutboxStore;
  readonly port: ReportPort;
  readonly serviceTime: ServiceTime;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly circuit: DeliveryCircuit;
  /** Called just before the key of this row is used. */
  readonly tried: (rowId: string) => void;
}

/**
 * Delivers one row to the service, step by step, until a step ends its turn.
 *
 * INVARIANT: `beginTry` is on disk before the request leaves.
 */
export class Deliverer {
  readonly #deps: DelivererDeps;

  constructor(deps: DelivererDeps) {
    this.#deps = deps;
  }

  /** The state in which `row` begins its turn. */
  attemptOf(row: OutboxRow): DeliveryAttempt {
    return new DeliveryAttempt(row, this.#parentAtService(row));
  }

  /** The service's clock, or our own while it is unknown; a wrong first use makes the row look up first. */
  serviceNow(): number {
    return this.#deps.serviceTime.now() ?? this.#deps.clock.now();
  }

  /** Ends within five requests: after a refusal no step leads back to sending. */
  async execute(attempt: DeliveryAttempt, first: Step, signal: AbortSignal): Promise<LastStep> {
    let step = first;
    for (let requests = 0; ; requests += 1) {
      if (step.do !== 'send' && step.do !== 'send_plain' && step.do !== 'look_up') return step;
      if (requests > 0) this.#deps.budget.spend();
      step =
        step.do === 'look_up' ? await this.#lookUp(attempt, signal) : await this.#send(attempt, step, signal);
    }
  }

  async #send(
    attempt: DeliveryAttempt,
    step: Extract<Step, { do: 'send' | 'send_plain' }>,
    signal: AbortSignal,
  ): Promise<Step> {
    const { store } = this.#deps;
    const { row } = attempt;
    if (step.do === 'send_plain') {
      attempt.plain = true;
      store.failed(row.id, PLAIN_MARK + step.because, attempt.unanswered);
    }
    attempt.isSent = true;
    store.beginTry(row.id, this.serviceNow());
    this.#deps.tried(row.id);
    const body = attempt.plain ? plainBody(row.body) : row.body;
    const answer = await settled<Answer<PaymentAtService>>(
      this.#request(attempt, body, signal),
      noAnswer,
      signal,
    );
    this.#deps.circuit.note(answer);
    if (answer.kind === 'not_found' || answer.kind === 'refused' || answer.kind === 'already_exists') {
      attempt.refused = answer.refusal;
    }
    return stepAfterAnswer(attempt, answer);
  }

  #request(
    { row, parentAtService }: DeliveryAttempt,
    body: ReportBody,
    signal: AbortSignal,
  ): Promise<Answer<PaymentAtService>> {
    const { port, store } = this.#deps;
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

  async #lookUp(attempt: DeliveryAttempt, signal: AbortSignal): Promise<Step> {
    const request = this.#deps.port.lookUp(this.#paymentId(attempt.row), signal);
    const seen = await settled<LookUp>(
      request,
      (error) => ({ kind: 'no_answer', answer: noAnswer(error) }),
      signal,
    );
    if (seen.kind === 'no_answer') this.#deps.circuit.note(seen.answer);
    return stepAfterLookUp(attempt, seen);
  }

  #paymentId(row: OutboxRow): string {
    return this.#deps.store.serviceIdOf(row.attemptId) ?? row.attemptId;
  }

  #parentAtService({ parentId }: OutboxRow): string | null {
    return parentId === null ? null : (this.#deps.store.serviceIdOf(parentId) ?? parentId);
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
