import type { Budget } from '../outbox/budget.ts';
import type { Answer, GivingBack, LookUp, ReportedParent, ReportPort } from '../outbox/report-port.ts';
import type { ReportBody } from '../outbox/reports.ts';
import type { CreateWatch } from './create-watch.ts';
import type { ServiceClient } from './service-client.ts';

const MOST_WITNESSES = 3;

/** The outbox's way to the service over {@link ServiceClient}. */
export class ReportsToService implements ReportPort {
  readonly #client: ServiceClient;
  readonly #budget: Budget;
  readonly #deviceIds: readonly string[];
  readonly #creates: CreateWatch;

  /** `deviceIds`: devices that the service must know; they prove that a key sees what is ours. */
  constructor(client: ServiceClient, budget: Budget, deviceIds: readonly string[], creates: CreateWatch) {
    this.#client = client;
    this.#budget = budget;
    this.#deviceIds = deviceIds;
    this.#creates = creates;
  }

  async create(body: ReportBody, key: string, signal: AbortSignal, traceparent?: string): Promise<Answer> {
    this.#creates.begin(key, { deviceId: body['device_id'], amountMinor: body['amount_minor'] });
    const { answer } = await this.#client.create(body, key, signal, traceparent);
    this.#creates.end(key, answer);
    return answer;
  }

  async giveBack(
    operation: GivingBack,
    { attemptId, paymentId }: ReportedParent,
    body: ReportBody,
    key: string,
    signal: AbortSignal,
    traceparent?: string,
  ): Promise<Answer> {
    this.#creates.begin(key, { type: operation, parentIds: [attemptId, paymentId] });
    const { answer } = await this.#client.giveBack(operation, paymentId, body, key, signal, traceparent);
    this.#creates.end(key, answer);
    return answer;
  }

  async result(
    paymentId: string,
    body: ReportBody,
    key: string,
    signal: AbortSignal,
    traceparent?: string,
  ): Promise<Answer> {
    return (await this.#client.result(paymentId, body, key, signal, traceparent)).answer;
  }

  async ping(signal: AbortSignal): Promise<Answer> {
    return (await this.#client.ping(signal)).answer;
  }

  /**
   * All answers around a 404 are asked with one key: another key proves nothing. And the 404 counts only behind a witness: a key that was
   * blind when we asked may see by the time the witness is asked.
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
    const { answer } = await this.#client.get(paymentId, signal, credential);
    if (answer.kind === 'applied' && answer.payment) return { kind: 'found', payment: answer.payment };
    return answer.kind === 'not_found' ? { kind: 'absent' } : { kind: 'no_answer', answer };
  }

  /** Asks for resources that must exist until one is seen. */
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
