import type { Budget } from '../outbox/budget.ts';
import type {
  Answer,
  LookUp,
  PaymentAtService,
  RefundOrVoid,
  ReportedParent,
  ReportPort,
} from '../outbox/report-port.ts';
import type { ReportBody } from '../outbox/reports.ts';
import type { CreateWatch } from './create-watch.ts';
import type { ShownPayment } from './replies.ts';
import type { ServiceClient } from './service-client.ts';

const MOST_WITNESSES = 3;

/** Sends the outbox's reports to the service over {@link ServiceClient}. */
export class ReportsToService implements ReportPort {
  readonly #client: ServiceClient;
  readonly #budget: Budget;
  readonly #deviceIds: readonly string[];
  readonly #creates: CreateWatch;

  /** `deviceIds`: devices that the service must know; they prove that a key sees this agent's resources. */
  constructor(client: ServiceClient, budget: Budget, deviceIds: readonly string[], creates: CreateWatch) {
    this.#client = client;
    this.#budget = budget;
    this.#deviceIds = deviceIds;
    this.#creates = creates;
  }

  async create(
    body: ReportBody,
    key: string,
    signal: AbortSignal,
    traceparent?: string,
  ): Promise<Answer<PaymentAtService>> {
    this.#creates.begin(key, { deviceId: body['device_id'], amountMinor: body['amount_minor'] });
    const { answer } = await this.#client.create(body, key, signal, traceparent);
    this.#creates.end(key, answer);
    return reported(answer);
  }

  async giveBack(
    operation: RefundOrVoid,
    parent: ReportedParent,
    body: ReportBody,
    key: string,
    signal: AbortSignal,
    traceparent?: string,
  ): Promise<Answer<PaymentAtService>> {
    this.#creates.begin(key, { type: operation, parentIds: [parent.attemptId, parent.paymentId] });
    const { answer } = await this.#client.giveBack(operation, parent, body, key, signal, traceparent);
    this.#creates.end(key, answer);
    return reported(answer);
  }

  async result(
    paymentId: string,
    body: ReportBody,
    key: string,
    signal: AbortSignal,
    traceparent?: string,
  ): Promise<Answer<PaymentAtService>> {
    return reported((await this.#client.result(paymentId, body, key, signal, traceparent)).answer);
  }

  async ping(signal: AbortSignal): Promise<Answer> {
    return (await this.#client.ping(signal)).answer;
  }

  /**
   * All requests around a 404 use one key: another key proves nothing. And the 404 counts only after a witness: a key without access at the first
   * request may have it when the witness is requested.
   */
  async lookUp(paymentId: string, signal: AbortSignal): Promise<LookUp> {
    const credential = this.#client.credential();
    const first = await this.#look(paymentId, signal, credential);
    if (first.kind !== 'absent') return first;
    const witness = await this.#witness(credential, signal);
    if (witness.kind !== 'absent') return witness;
    this.#budget.spend();
    return this.#look(paymentId, signal, credential);
  }

  async #look(paymentId: string, signal: AbortSignal, credential: string | null): Promise<LookUp> {
    const answer = reported((await this.#client.get(paymentId, signal, credential)).answer);
    if (answer.kind === 'applied') return { kind: 'found', payment: answer.value };
    return answer.kind === 'not_found' ? { kind: 'absent' } : { kind: 'no_answer', answer };
  }

  /** Requests resources that must exist until one is found. */
  async #witness(credential: string | null, signal: AbortSignal): Promise<LookUp> {
    for (const id of this.#deviceIds.slice(0, MOST_WITNESSES)) {
      this.#budget.spend();
      const { answer } = await this.#client.getDevice(id, signal, credential);
      if (answer.kind === 'applied') return { kind: 'absent' };
      if (answer.kind !== 'not_found') return { kind: 'no_answer', answer };
    }
    return { kind: 'hidden' };
  }
}

/** The fields that reporting needs. */
function reported(answer: Answer<ShownPayment>): Answer<PaymentAtService> {
  if (answer.kind !== 'applied') return answer;
  const { id, status, auth_code } = answer.value;
  return { kind: 'applied', value: { id, status, authCode: auth_code ?? null } };
}
