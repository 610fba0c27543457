import { AppError } from '../../base/errors.ts';
import type { Payments } from '../../payment/payments.ts';
import { type DocumentReply, jsonText, type Reply } from '../reply/reply.ts';
import { fingerprintOf } from './fingerprint.ts';

/** One request under a key. */
export interface KeyedRequest {
  readonly caller: string;
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly requestId: string;
}

/**
 * Gives the same answer to the same request under the same key.
 * Keys belong to their caller; the answer is stored by the handler, in the transaction that does the work.
 *
 * INVARIANTS:
 * - at most one request per caller and key runs at a time;
 * - a refusal stores nothing, so that its key is free again.
 */
export class Idempotency {
  readonly #payments: Payments;
  readonly #running = new Map<string, string>();

  constructor(payments: Payments) {
    this.#payments = payments;
  }

  /**
   * @throws IDEMPOTENCY_KEY_INVALID, IDEMPOTENCY_KEY_MISMATCH, IDEMPOTENCY_KEY_IN_PROGRESS
   */
  async run(request: KeyedRequest, work: (fingerprint: string) => Reply | Promise<Reply>): Promise<Reply> {
    const fingerprint = fingerprintOf(request.method, request.path, request.body);
    const stored = this.#replay(request, fingerprint);
    if (stored) return stored;
    const slot = JSON.stringify([request.caller, request.key]);
    const running = this.#running.get(slot);
    if (running !== undefined)
      throw conflict('IDEMPOTENCY_KEY_IN_PROGRESS', 'A request with this key is still running', running);
    this.#running.set(slot, request.requestId);
    try {
      return await work(fingerprint);
    } finally {
      this.#running.delete(slot);
    }
  }

  #replay({ caller, key }: KeyedRequest, fingerprint: string): DocumentReply | undefined {
    const stored = this.#payments.storedAnswer(caller, key);
    if (!stored) return undefined;
    if (stored.fingerprint === fingerprint)
      return jsonText(stored.status, stored.body, { 'idempotent-replayed': 'true' });
    throw conflict('IDEMPOTENCY_KEY_MISMATCH', 'This key was used for another request', stored.requestId);
  }
}

/**
 * Checks the form of an idempotency key.
 * @throws IDEMPOTENCY_KEY_INVALID unless it is 1–255 printable ASCII characters.
 */
export function requireKeyForm(key: string | undefined): void {
  if (key === undefined || /^[\x20-\x7e]{1,255}$/.test(key)) return;
  throw new AppError('IDEMPOTENCY_KEY_INVALID', 'Idempotency-Key must be 1 to 255 printable characters');
}

function conflict(code: string, message: string, originalRequestId: string): AppError {
  return new AppError(code, message, { retry: 'safe', context: { originalRequestId } });
}
