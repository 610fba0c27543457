import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { invariant } from '../../base/invariant.ts';
import type { Log } from '../../base/log.ts';
import type { Sealer } from '../../base/sealer.ts';
import type { Payments, StoredAnswer } from '../../payment/payments.ts';
import type { AnswerStore, KeptAnswer } from '../ports.ts';
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
  /** Its response shows a secret: the stored copy is sealed. */
  readonly showsSecret?: boolean;
}

/** How long a response that is not about a payment is kept; one about a payment is kept as long as its attempt. */
export const ANSWER_LIFE_MS = 24 * 3_600_000;

/** Prefix of the stored body of a response that shows a secret; JSON never starts with it. */
const SEALED = 'sealed:';

interface IdempotencyDeps {
  readonly payments: Pick<Payments, 'storedAnswer'>;
  readonly answers: AnswerStore;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Returns the same response to the same request under the same idempotency key.
 * Keys belong to their caller. The transaction that does the work stores the response: the payment core stores it with the attempt, this class
 * stores all others.
 *
 * INVARIANTS:
 * - at most one request per caller and key runs at a time;
 * - an error response stores nothing, so that its key is free again.
 */
export class Idempotency {
  readonly #deps: IdempotencyDeps;
  readonly #running = new Map<string, string>();

  constructor(deps: IdempotencyDeps) {
    this.#deps = deps;
  }

  /**
   * For work that stores its response itself, under the given key and fingerprint.
   * @throws IDEMPOTENCY_KEY_MISMATCH, IDEMPOTENCY_KEY_IN_PROGRESS
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

  /** For work that writes and responds synchronously: its response is kept in the same transaction. @throws as `run` */
  async once(request: KeyedRequest, work: () => Reply | Promise<Reply>): Promise<Reply> {
    return this.run(request, (fingerprint) => this.#keeping(request, fingerprint, work));
  }

  /**
   * For work that is harmless when it runs twice and may take a while: its response is kept right after it. A kill in between, or a full disk,
   * costs the replay and never the response. @throws as `run`
   */
  async afterwards(request: KeyedRequest, work: () => Reply | Promise<Reply>): Promise<Reply> {
    return this.run(request, async (fingerprint) => {
      const reply = await work();
      if (reply.kind === 'document') this.#keepWhatIsDone(request, fingerprint, reply);
      return reply;
    });
  }

  #keepWhatIsDone({ caller, key, requestId }: KeyedRequest, fingerprint: string, reply: DocumentReply): void {
    const { answers, clock, log } = this.#deps;
    const { status, body } = reply;
    try {
      answers.once(() => ({ caller, key, fingerprint, requestId, status, body, keptAt: clock.now() }));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log.warn({ code: error.code, requestId }, 'answer not kept: its idempotency key is free again');
    }
  }

  #keeping(
    { caller, key, requestId, showsSecret }: KeyedRequest,
    fingerprint: string,
    work: () => Reply | Promise<Reply>,
  ): DocumentReply {
    let given: DocumentReply | undefined;
    const kept = this.#deps.answers.once((): KeptAnswer => {
      const reply = work();
      invariant(!(reply instanceof Promise) && reply.kind === 'document', 'a kept answer is made in one go');
      given = reply;
      const keptAt = this.#deps.clock.now();
      const body = showsSecret ? this.#sealed(caller, key, reply.body) : reply.body;
      return { caller, key, fingerprint, requestId, status: reply.status, body, keptAt };
    });
    return given ?? jsonText(kept.status, kept.body);
  }

  #replay({ caller, key }: KeyedRequest, fingerprint: string): DocumentReply | undefined {
    const stored = this.#deps.payments.storedAnswer(caller, key) ?? this.#kept(caller, key);
    if (!stored) return undefined;
    if (stored.fingerprint === fingerprint)
      return jsonText(stored.status, stored.body, { 'idempotent-replayed': 'true' });
    throw conflict('IDEMPOTENCY_KEY_MISMATCH', 'This key was used for another request', stored.requestId);
  }

  #kept(caller: string, key: string): StoredAnswer | null {
    const kept = this.#deps.answers.find(caller, key);
    if (!kept || kept.keptAt <= this.#deps.clock.now() - ANSWER_LIFE_MS) return null;
    if (!kept.body.startsWith(SEALED)) return kept;
    const body = this.#deps.sealer.open(kept.body.slice(SEALED.length), purposeOf(caller, key));
    return { ...kept, body };
  }

  #sealed(caller: string, key: string, body: string): string {
    return SEALED + this.#deps.sealer.seal(body, purposeOf(caller, key));
  }
}

function purposeOf(caller: string, key: string): string {
  return `kept-answer/${caller}/${key}`;
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
