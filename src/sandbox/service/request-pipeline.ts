import type { IncomingHttpHeaders } from 'node:http';
import { sleep } from '../../base/clock.ts';
import { isUuid } from '../../base/ids.ts';
import type { ApiKeys } from './api-keys.ts';
import { authenticate, requireScope } from './auth.ts';
import type { BehaviourSwitch } from './behaviour.ts';
import { type Answer, invalid, Refusal, refuse } from './errors.ts';
import type { IdempotencyKeys, KeyedRequest } from './idempotency.ts';
import type { Ledger } from './ledger.ts';
import type { Operation } from './operation.ts';
import type { Query } from './pagination.ts';
import type { Payments } from './payments.ts';
import type { RateLimit } from './rate-limit.ts';
import { jsonIn } from './request-body.ts';
import type { ServiceClock } from './service-clock.ts';
import { chooseVersion } from './versions.ts';

/** A request as it was received. */
export interface Arrival {
  readonly requestId: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly headers: IncomingHttpHeaders;
  /** The body as text; empty when there was none, null when its bytes are no UTF-8. */
  readonly bodyText: string | null;
  /** IP address of the peer, where it is known. */
  readonly address?: string | undefined;
}

interface RequestPipelineDeps {
  readonly keys: ApiKeys;
  readonly clock: ServiceClock;
  readonly rateLimit: RateLimit;
  readonly idempotency: IdempotencyKeys;
  readonly ledger: Ledger;
  readonly payments: Payments;
  readonly behaviour: BehaviourSwitch;
  readonly stopping: AbortSignal;
}

/**
 * Passes every request to its operation: key, budget, version, scope, path, query, body, `Idempotency-Key`, work, commit.
 * A failed step throws a `Refusal`; response headers of earlier steps are passed to `setHeaders`.
 */
export class RequestPipeline {
  readonly #deps: RequestPipelineDeps;

  constructor(deps: RequestPipelineDeps) {
    this.#deps = deps;
  }

  async serve(
    operation: Operation,
    arrival: Arrival,
    setHeaders: (headers: Readonly<Record<string, string>>) => void,
  ): Promise<Answer> {
    const { keys, rateLimit, behaviour, ledger } = this.#deps;
    const key = authenticate(arrival.headers, arrival.address, keys);
    setHeaders(rateLimit.take(key.id, !behaviour.now.hides_rate_limit));
    const { version, refusal } = chooseVersion(arrival.headers['service-version'], arrival.query['version']);
    if (refusal) throw refusal;
    requireScope(key, operation.scope);
    if (keys.touch(key)) ledger.commit();
    requireNames(operation, arrival);
    const body = bodyOf(arrival);
    const work = () => operation.handle({ ...arrival, body, version });
    if (operation.method === 'GET') return this.#read(work);
    return this.#change(arrival, work);
  }

  async #read(work: () => Answer): Promise<Answer> {
    await this.#delay();
    return work();
  }

  async #change(arrival: Arrival, work: () => Answer): Promise<Answer> {
    const { ledger, idempotency } = this.#deps;
    const keyed = keyedRequest(arrival);
    const stored = keyed && idempotency.begin(keyed);
    if (stored) return this.#replay(stored);
    try {
      await this.#delay();
      const answer = work();
      if (keyed) idempotency.complete(keyed, answer);
      ledger.commit();
      return answer;
    } catch (error) {
      if (error instanceof Refusal && (error.status === 409 || error.status === 422)) ledger.commit();
      throw error;
    } finally {
      if (keyed) idempotency.release(keyed.key);
    }
  }

  #replay(stored: Answer): Answer {
    if (stored.call) this.#deps.payments.countReplay(stored.call);
    this.#deps.ledger.commit();
    return stored;
  }

  /** Applies `slow_ms`: the request is accepted and waits. */
  async #delay(): Promise<void> {
    const { behaviour, clock, stopping } = this.#deps;
    const ms = behaviour.now.slow_ms;
    if (ms === 0) return;
    try {
      await sleep(clock, ms, stopping, 'sandbox slow');
    } catch {
      throw refuse(503, 'service_unavailable', 'The service is stopping.', { type: 'api_error' });
    }
  }
}

function keyedRequest({ headers, method, path, bodyText, requestId }: Arrival): KeyedRequest | null {
  const key = headers['idempotency-key'];
  return typeof key === 'string' ? { key, method, path, bodyText: bodyText ?? '', requestId } : null;
}

/** Allows only the operation's path and query parameters. @throws Refusal 400 naming the parameter. */
function requireNames({ query: known = [], hasPublicId }: Operation, { params, query }: Arrival): void {
  if (params['id'] !== undefined && !hasPublicId && !isUuid(params['id']))
    throw invalid('id', 'id must be a UUID.');
  if (known === 'any') return;
  for (const name of Object.keys(query)) {
    if (name !== 'version' && !known.includes(name)) {
      throw invalid(name.slice(0, 64), 'This operation has no such query parameter.');
    }
  }
}

function bodyOf({ headers, bodyText }: Arrival): unknown {
  return bodyText?.trim() === '' ? undefined : jsonIn(bodyText, headers['content-type']);
}
