import { createHash } from 'node:crypto';
import { type Answer, flat } from './errors.ts';
import type { Ledger } from './ledger.ts';
import type { ServiceClock } from './service-clock.ts';
import { LIMITS } from './settings.ts';

/** The parts of a request that its key covers. */
export interface KeyedRequest {
  readonly key: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** As received. */
  readonly bodyText: string;
  readonly requestId: string;
}

/**
 * `Idempotency-Key`: the same request gets its first answer again for 24 hours of the service's clock.
 * An error response changed nothing and frees its key, so that a corrected body may use it.
 *
 * INVARIANTS:
 * - one request per key runs at a time;
 * - the answer is stored in the same commit as its effects.
 */
export class IdempotencyKeys {
  readonly #ledger: Ledger;
  readonly #clock: ServiceClock;
  readonly #running = new Map<string, string>();

  constructor(ledger: Ledger, clock: ServiceClock) {
    this.#ledger = ledger;
    this.#clock = clock;
  }

  /**
   * Returns the stored answer, or null after reserving the key for this request.
   * @throws Refusal 400 for a malformed key, 409 IDEMPOTENCY_KEY_IN_PROGRESS, 422 IDEMPOTENCY_KEY_MISMATCH.
   */
  begin(request: KeyedRequest): Answer | null {
    if (!/^[\x21-\x7e]{1,255}$/.test(request.key)) {
      throw flat(400, 'IDEMPOTENCY_KEY_INVALID', 'The Idempotency-Key is malformed.', request.requestId);
    }
    const running = this.#running.get(request.key);
    if (running !== undefined) {
      throw flat(409, 'IDEMPOTENCY_KEY_IN_PROGRESS', 'A request with this key is still running.', running);
    }
    const stored = this.#stored(request.key);
    if (!stored) {
      this.#running.set(request.key, request.requestId);
      return null;
    }
    if (stored.fingerprint === fingerprint(request)) return stored.answer;
    throw flat(
      422,
      'IDEMPOTENCY_KEY_MISMATCH',
      'The key was used with a different request.',
      stored.requestId,
    );
  }

  /** Stores the answer; the caller commits. */
  complete(request: KeyedRequest, answer: Answer): void {
    const { key: id, requestId } = request;
    const record = { id, fingerprint: fingerprint(request), requestId, at: this.#clock.now(), answer };
    this.#ledger.keys.set(id, record);
  }

  /** Ends the reservation, whatever the result of the request. */
  release(key: string): void {
    this.#running.delete(key);
  }

  #stored(key: string) {
    const record = this.#ledger.keys.get(key);
    if (!record || this.#clock.now() - record.at < LIMITS.idempotencyKeyMs) return record;
    this.#ledger.keys.delete(key);
    return undefined;
  }
}

function fingerprint(request: KeyedRequest): string {
  const text = `${request.method} ${request.path}\n${request.bodyText}`;
  return createHash('sha256').update(text).digest('hex');
}
