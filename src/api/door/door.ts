import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { Sealer } from '../../base/sealer.ts';
import type { Spans } from '../../base/span.ts';
import { requestSpanOf, type Trace, traceOfHeader } from '../../base/trace.ts';
import type { Payments } from '../../payment/payments.ts';
import type { AnswerStore } from '../ports.ts';
import { refuse } from '../reply/refuse.ts';
import type { DocumentReply, Reply } from '../reply/reply.ts';
import type { Caller, RequestContext, Route } from '../routes/route.ts';
import {
  CURRENT_VERSION,
  effectiveVersion,
  resolveVersion,
  type ServiceVersion,
  versionHeaders,
} from '../version.ts';
import { type CallerDeps, identify } from './caller.ts';
import { Idempotency, requireKeyForm } from './idempotency.ts';
import { type RateLimit, RateLimiter } from './rate-limiter.ts';
import { readJson } from './read-json.ts';
import { type Request, type RequestHead, splitTarget } from './request.ts';
import { matchRoute } from './route-match.ts';
import { requireSameSite, type SiteRules } from './same-site.ts';

export interface DoorDeps extends CallerDeps {
  readonly payments: Payments;
  readonly answers: AnswerStore;
  readonly sealer: Sealer;
  readonly ids: Ids;
  /** Is notified of every request that created a payment, a refund or a void. */
  readonly spans?: Spans | null;
}

export interface DoorRules {
  readonly site: SiteRules;
  readonly rateLimit: RateLimit;
}

/** A request that is admitted and waits for its body. */
export interface AdmittedRequest {
  readonly kind: 'admitted';
  readonly requestId: string;
  readonly route: Route;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly caller: Caller;
  readonly version: ServiceVersion;
  /** Headers of every response to it. */
  readonly headers: Readonly<Record<string, string>>;
  readonly header: (name: string) => string | undefined;
  /** The trace that the caller started. */
  readonly trace: Trace | null;
}

interface Opening {
  readonly requestId: string;
  readonly headers: Readonly<Record<string, string>>;
}

const Made = z.object({ data: z.object({ id: z.string() }) });
const NO_BYTES = new Uint8Array();

const ALWAYS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/**
 * The request pipeline without HTTP: it makes every decision about a request, so that a simulation can call it without a socket.
 * Why two steps: the body of a request that fails anyway must not be read first.
 *
 * INVARIANTS:
 * - a request that ends in an error response writes nothing except the time its key was last used;
 * - every response names its request and its version.
 */
export class Door {
  readonly #routes: readonly Route[];
  readonly #rules: DoorRules;
  readonly #deps: DoorDeps;
  readonly #limiter: RateLimiter;
  readonly #idempotency: Idempotency;
  #closing = false;

  constructor(routes: readonly Route[], rules: DoorRules, deps: DoorDeps) {
    this.#routes = routes;
    this.#rules = rules;
    this.#deps = deps;
    this.#limiter = new RateLimiter(rules.rateLimit, deps.clock);
    this.#idempotency = new Idempotency(deps);
  }

  /** Runs both steps. */
  async dispatch(request: Request): Promise<Reply> {
    const admitted = this.admit(request);
    return admitted.kind === 'admitted' ? this.perform(admitted, request.body) : admitted;
  }

  /** Headers of the response to any request, before its version is known. */
  opening(version: ServiceVersion = CURRENT_VERSION): Opening {
    const requestId = `req_${this.#deps.ids.uuid()}`;
    return { requestId, headers: { ...ALWAYS, 'x-request-id': requestId, ...versionHeaders(version) } };
  }

  /** Headers of the response to this request: an error response also names the requested version. */
  openingOf({ target, headers }: Pick<RequestHead, 'target' | 'headers'>): Opening {
    const asked = single(splitTarget(target).query['version']);
    return this.opening(effectiveVersion(single(headers['service-version']), asked));
  }

  /** Makes every decision that does not need the body. Never throws. */
  admit(head: RequestHead): AdmittedRequest | DocumentReply {
    const opening = this.openingOf(head);
    try {
      return this.#admit(head, opening);
    } catch (error) {
      return this.refuse(opening, error);
    }
  }

  /** Parses the body, runs the handler, responds. Never throws. */
  async perform(admitted: AdmittedRequest, body: Uint8Array | undefined): Promise<Reply> {
    const startedAt = this.#deps.clock.now();
    try {
      const reply = await this.#perform(admitted, body);
      this.#tellSpan(admitted, reply, startedAt);
      return { ...reply, headers: { ...admitted.headers, ...reply.headers } };
    } catch (error) {
      return this.refuse(admitted, error);
    }
  }

  /** Reads the payment's id from the response. */
  #tellSpan({ route, trace }: AdmittedRequest, reply: Reply, startedAt: number): void {
    const { spans, clock } = this.#deps;
    if (
      !spans ||
      route.idempotent !== 'with_its_payment' ||
      reply.kind !== 'document' ||
      reply.status !== 201
    )
      return;
    const made = Made.safeParse(JSON.parse(reply.body)).data;
    if (!made) return;
    const of = { id: made.data.id, trace };
    const times = { startedAt, endedAt: clock.now() };
    const name = `${route.method} ${route.path}`;
    const parent = trace?.parent ?? null;
    const facts = { 'http.response.status_code': reply.status };
    spans.ended({ of, id: requestSpanOf(of), parent, kind: 'server', name, ...times, facts });
  }

  /** The response to a request that failed during processing. */
  refuse({ requestId, headers }: Opening, error: unknown): DocumentReply {
    const reply = refuse(error, requestId, this.#deps.log);
    return { ...reply, headers: { ...headers, ...reply.headers } };
  }

  /** From now on every request gets SHUTTING_DOWN. */
  close(): void {
    this.#closing = true;
  }

  #admit(head: RequestHead, opening: Opening): AdmittedRequest {
    const header = headerOf(head);
    const { path, query } = splitTarget(head.target);
    const isVisit = head.method === 'GET' && path === '/';
    if (head.peer.kind === 'tcp') requireSameSite(this.#rules.site, header, { isVisit });
    const { route, params } = matchRoute(this.#routes, head.method, path);
    const version = resolveVersion(header('service-version'), single(query['version']));
    if (this.#closing)
      throw new AppError('SHUTTING_DOWN', 'The agent is stopping: try again in a moment', { retry: 'safe' });
    const { caller, headers } = identify(this.#deps, this.#limiter, route, head.peer, header);
    if (route.method !== 'GET') requireKeyForm(header('idempotency-key'));
    return {
      kind: 'admitted',
      requestId: opening.requestId,
      route,
      path,
      params,
      query,
      caller,
      version,
      headers: { ...opening.headers, ...headers },
      header,
      trace: traceOfHeader(single(head.headers['traceparent'])),
    };
  }

  #perform(admitted: AdmittedRequest, bytes: Uint8Array | undefined): Reply | Promise<Reply> {
    const { route, params, query, path, header, caller, requestId, version, trace } = admitted;
    const body =
      route.access === 'signed'
        ? undefined
        : readJson(bytes, header('content-type'), header('content-encoding'), route.maxBodyBytes);
    const key = header('idempotency-key');
    const run = (idempotency: RequestContext['idempotency']) =>
      route.run(
        { params, query, body },
        { caller, version, requestId, header, trace, bytes: bytes ?? NO_BYTES, idempotency },
      );
    if (!route.idempotent || key === undefined) return run(undefined);
    const showsSecret = route.showsSecret === true;
    const keyed = { caller: caller.id, key, method: route.method, path, body, requestId, showsSecret };
    if (route.idempotent === 'with_its_writes') return this.#idempotency.once(keyed, () => run(undefined));
    if (route.idempotent === 'after_its_writes')
      return this.#idempotency.afterwards(keyed, () => run(undefined));
    return this.#idempotency.run(keyed, (fingerprint) => run({ key, fingerprint, requestId }));
  }
}

/** A parameter or a header that occurs once. */
function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Reads the headers; one that occurs twice is ambiguous, because a proxy in front may have read the other one. */
function headerOf({ headers }: RequestHead): (name: string) => string | undefined {
  return (name) => {
    const value = headers[name];
    if (typeof value === 'string' || value === undefined) return value;
    throw new AppError('REQUEST_MALFORMED', `The header ${name} came more than once`);
  };
}
