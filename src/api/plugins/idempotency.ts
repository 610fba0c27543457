import type { FastifyReply, RouteHandlerMethod } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { invariant } from '../../base/invariant.ts';
import type { Log } from '../../base/log.ts';
import type { Sealer } from '../../base/sealer.ts';
import type { Payments, StoredAnswer } from '../../payment/payments.ts';
import type { Api } from '../api.ts';
import type { AnswerStore, KeptAnswer } from '../ports.ts';
import { headersOfReplay } from '../reply/payment-headers.ts';
import { type Headers, JSON_TYPE } from '../reply/reply.ts';
import { fingerprintOf } from './fingerprint.ts';

/** One request under a key. */
export interface KeyedRequest {
  readonly caller: string;
  readonly key: string;
  /** SHA-256 of what makes it the same request. */
  readonly fingerprint: string;
  readonly requestId: string;
  /** Its response shows a secret: the stored copy is sealed. */
  readonly showsSecret: boolean;
  /** Its response shows a payment: a replay says what that is now. */
  readonly showsPayment: boolean;
}

/** What is sent: a status and the bytes as text. */
interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A stored response, and what has become of its payment since. */
interface Replay extends Answer {
  readonly headers: Headers;
}

/** How long a response that is not about a payment is kept; one about a payment is kept as long as its attempt. */
export const ANSWER_LIFE_MS = 24 * 3_600_000;

/** Prefix of the stored body of a response that shows a secret; JSON never starts with it. */
const SEALED = 'sealed:';

export interface IdempotencyDeps {
  readonly payments: Pick<Payments, 'storedAnswer' | 'get'>;
  readonly answers: AnswerStore;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly log: Log;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** This request under its key, where its route honours one. */
    keyed: KeyedRequest | null;
  }
}

/**
 * Honours `Idempotency-Key` on the routes that say so. A stored response is looked up before the body is validated: a repetition gets it also
 * after an update that validates more.
 */
export const idempotency = fastifyPlugin(async (api: Api, { answers }: { readonly answers: Idempotency }) => {
  api.decorateRequest('keyed', null);
  api.decorateRequest('idempotency');
  api.addHook('onRoute', (route) => {
    const how = route.config?.idempotent;
    if (how) route.handler = keeping(answers, how, route.handler);
  });
  api.addHook('preValidation', async (request, reply) => {
    const key = request.header('idempotency-key');
    const { idempotent, showsSecret = false, showsPayment = false } = request.routeOptions.config;
    if (!idempotent || key === undefined) return undefined;
    const [path = ''] = request.url.split('?');
    const fingerprint = fingerprintOf(request.method, path, request.body);
    const shown = { showsSecret, showsPayment: showsPayment || idempotent === 'with_its_payment' };
    request.keyed = { caller: request.caller.id, key, fingerprint, requestId: request.id, ...shown };
    const stored = answers.replay(request.keyed);
    if (!stored) answers.requireFree(request.keyed);
    return stored && replayed(reply, stored);
  });
});

/** The handler of a route, whose response is kept under the key of the request. */
function keeping(
  answers: Idempotency,
  how: 'with_its_payment' | 'with_its_writes' | 'after_its_writes',
  handler: RouteHandlerMethod,
): RouteHandlerMethod {
  return async function run(request, reply) {
    const { keyed } = request;
    const work = () => handler.call(this, request, reply);
    if (!keyed) return work();
    const sent = (payload: unknown): Answer => ({ status: reply.statusCode, body: JSON.stringify(payload) });
    // It may have ended while this one was validated.
    const stored = answers.replay(keyed);
    if (stored) return replayed(reply, stored);
    return answers.alone(keyed, async () => {
      if (how === 'with_its_payment') {
        const { key, fingerprint, requestId } = keyed;
        request.idempotency = { key, fingerprint, requestId };
        return work();
      }
      const answer =
        how === 'with_its_writes'
          ? answers.once(keyed, () => sent(complete(work())))
          : answers.afterwards(keyed, sent(await work()));
      return reply.code(answer.status).type(JSON_TYPE).send(answer.body);
    });
  };
}

function complete(payload: unknown): unknown {
  invariant(!(payload instanceof Promise), 'a kept response is made in one go');
  return payload;
}

function replayed(reply: FastifyReply, { status, headers, body }: Replay): FastifyReply {
  return reply
    .code(status)
    .headers({ 'idempotent-replayed': 'true', ...headers })
    .type(JSON_TYPE)
    .send(body);
}

/**
 * The responses under idempotency keys. Keys belong to their caller. The transaction that does the work stores the response: the payment core
 * stores it with the attempt, this class stores all others.
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

  /** The stored response to this request; one about a payment with its status now. @throws IDEMPOTENCY_KEY_MISMATCH */
  replay({ caller, key, fingerprint, showsPayment }: KeyedRequest): Replay | undefined {
    const { payments } = this.#deps;
    const stored = payments.storedAnswer(caller, key) ?? this.#kept(caller, key);
    if (!stored) return undefined;
    const { status, body } = stored;
    if (stored.fingerprint === fingerprint)
      return { status, body, headers: showsPayment ? headersOfReplay(body, payments) : {} };
    throw conflict('IDEMPOTENCY_KEY_MISMATCH', 'This key was used for another request', stored.requestId);
  }

  /** @throws IDEMPOTENCY_KEY_IN_PROGRESS while a request with this key runs */
  requireFree(request: KeyedRequest): void {
    const running = this.#running.get(runningKeyOf(request));
    if (running !== undefined)
      throw conflict('IDEMPOTENCY_KEY_IN_PROGRESS', 'A request with this key is still running', running);
  }

  /** Runs work unless a request with this key runs. @throws IDEMPOTENCY_KEY_IN_PROGRESS */
  async alone<T>(request: KeyedRequest, work: () => Promise<T>): Promise<T> {
    this.requireFree(request);
    const running = runningKeyOf(request);
    this.#running.set(running, request.requestId);
    try {
      return await work();
    } finally {
      this.#running.delete(running);
    }
  }

  /** For work that writes and responds synchronously: its response is kept in the same transaction. */
  once({ caller, key, fingerprint, requestId, showsSecret }: KeyedRequest, work: () => Answer): Answer {
    let given: Answer | undefined;
    const kept = this.#deps.answers.once((): KeptAnswer => {
      given = work();
      const keptAt = this.#deps.clock.now();
      const body = showsSecret ? this.#sealed(caller, key, given.body) : given.body;
      return { caller, key, fingerprint, requestId, status: given.status, body, keptAt };
    });
    return given ?? kept;
  }

  /**
   * For work that is harmless when it runs twice and may take a while: its response is kept right after it. A kill in between, or a full disk,
   * costs the replay and never the response.
   */
  afterwards({ caller, key, fingerprint, requestId }: KeyedRequest, { status, body }: Answer): Answer {
    const { answers, clock, log } = this.#deps;
    try {
      answers.once(() => ({ caller, key, fingerprint, requestId, status, body, keptAt: clock.now() }));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log.warn({ code: error.code, requestId }, 'answer not kept: its idempotency key is free again');
    }
    return { status, body };
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

function runningKeyOf({ caller, key }: KeyedRequest): string {
  return JSON.stringify([caller, key]);
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
