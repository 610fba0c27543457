import type {
  Answer,
  LookUp,
  NotApplied,
  PaymentAtService,
  RefundOrVoid,
  ReportedParent,
  ReportPort,
} from '../../../src/outbox/report-port.ts';
import type { ReportBody } from '../../../src/outbox/reports.ts';

/** A 2xx that shows the payment, not ended yet. */
export const APPLIED: Answer<PaymentAtService> = shown('in_progress');
export const OFFLINE = unavailable('no');
export const LOST = unavailable('unknown');

export function shown(status: string, authCode: string | null = null, id = 'A'): Answer<PaymentAtService> {
  return { kind: 'applied', value: { id, status, authCode } };
}

export function unavailable(reached: 'no' | 'unknown', retryAfterMs: number | null = null): NotApplied {
  return { kind: 'unavailable', trouble: 'service', reached, retryAfterMs, words: `unavailable ${reached}` };
}

export function no(kind: Refused['kind'], status: number, code = 'some_code'): Refused {
  return { kind, refusal: { status, code, message: 'no' } };
}

export function found(status: string, authCode: string | null = null, id = 'A'): LookUp {
  return { kind: 'found', payment: { id, status, authCode } };
}

type Refused = Extract<NotApplied, { refusal: unknown }>;

export interface Call {
  readonly what: 'create' | 'refund' | 'void' | 'result' | 'lookUp' | 'ping';
  readonly id?: string;
  readonly parent?: ReportedParent;
  readonly key?: string;
  readonly body?: ReportBody;
}

type Reaction<T> = T | ((call: Call, signal: AbortSignal) => T | Promise<T>);

/** The service behind the port: every call is noted and answered from a script, or by what stands behind it. */
export class ScriptedService implements ReportPort {
  readonly calls: Call[] = [];
  readonly sends: Reaction<Answer<PaymentAtService>>[] = [];
  readonly lookUps: Reaction<LookUp>[] = [];
  readonly pings: Reaction<Answer>[] = [];
  otherwise: Reaction<Answer<PaymentAtService>> = APPLIED;

  create(body: ReportBody, key: string, signal: AbortSignal): Promise<Answer<PaymentAtService>> {
    return this.#react({ what: 'create', body, key }, this.sends, this.otherwise, signal);
  }

  giveBack(
    what: RefundOrVoid,
    parent: ReportedParent,
    body: ReportBody,
    key: string,
    signal: AbortSignal,
  ): Promise<Answer<PaymentAtService>> {
    return this.#react({ what, parent, body, key }, this.sends, this.otherwise, signal);
  }

  result(id: string, body: ReportBody, key: string, signal: AbortSignal): Promise<Answer<PaymentAtService>> {
    return this.#react({ what: 'result', id, body, key }, this.sends, this.otherwise, signal);
  }

  lookUp(id: string, signal: AbortSignal): Promise<LookUp> {
    return this.#react(
      { what: 'lookUp', id },
      this.lookUps,
      () => Promise.reject(new Error('no look-up expected')),
      signal,
    );
  }

  ping(signal: AbortSignal): Promise<Answer> {
    return this.#react({ what: 'ping' }, this.pings, this.otherwise, signal);
  }

  get sequence(): string {
    return this.calls.map((call) => call.what).join(' ');
  }

  async #react<T>(
    call: Call,
    script: Reaction<T>[],
    otherwise: Reaction<T>,
    signal: AbortSignal,
  ): Promise<T> {
    this.calls.push(call);
    const reaction = script.shift() ?? otherwise;
    return typeof reaction === 'function'
      ? (reaction as (call: Call, signal: AbortSignal) => T | Promise<T>)(call, signal)
      : reaction;
  }
}
