import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Server as TlsServer } from 'node:tls';
import type { Clock } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { PROVIDERS, type ProviderName } from '../../integration/integration.ts';
import type { ProviderWebhooks } from '../../integration/provider-webhooks.ts';
import { type WebhookRefusal, wokenBy } from '../../integration/webhook-scheme.ts';
import type { Tls } from '../create-api.ts';
import { Throttled } from '../keys/throttled.ts';
import { Connections } from '../plugins/connections.ts';
import { RateLimiter } from '../plugins/rate-limiter.ts';
import { bodyOf } from './body.ts';
import { type ReceivedWebhook, refusalOf } from './signature.ts';

export interface WebhookListenerOptions {
  /** Beyond loopback only with `tls`. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly tls: Tls | null;
  readonly limits?: Partial<WebhookLimits>;
}

/** Times for one client. */
export interface WebhookLimits {
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
}

export interface WebhookListenerDeps {
  readonly webhooks: Pick<ProviderWebhooks, 'schemeOf' | 'secretsOf' | 'accepted' | 'refused'>;
  /** Epoch ms, by the best clock there is: signed times are held against it. */
  readonly now: () => number;
  readonly clock: Clock;
  readonly log: Log;
}

export interface RunningWebhookListener {
  /** `http://127.0.0.1:8490` */
  readonly url: string;
  /** Uses another certificate for new connections; without TLS it does nothing. @throws when it is invalid */
  renewTls(tls: Tls): void;
  stop(): Promise<void>;
}

const LIMITS: WebhookLimits = {
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  keepAliveTimeoutMs: 5_000,
};
const CHECK_EVERY_MS = 500;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 64;
/** Refused webhooks of one provider that are looked at; beyond them all are 429 until a second has passed. */
const REFUSALS = { perMinute: 3_000, burst: 200 };
const BLOCKED_MS = 1_000;
const PATH = /^\/hooks\/([a-z_]{1,32})(?:\?.*)?$/;

type Outcome = 'accepted' | WebhookRefusal;

/**
 * Takes the webhooks of providers, and serves nothing else: a proxy or tunnel in front of it can expose nothing of the local interface, whatever
 * path it forwards. A genuine webhook is answered before anything is read from its source.
 *
 * INVARIANTS:
 * - a request that is not genuine gets one answer, after the same work, whether its provider has webhooks, a secret, or neither;
 * - what a request says is written nowhere: it wakes a sync, which reads the source;
 * - a refused request writes nothing to the disk but one log line a minute for each provider and cause.
 *
 * @throws what `listen` throws; nothing listens afterwards
 */
export async function listenForWebhooks(
  { host, port, tls, limits = {} }: WebhookListenerOptions,
  deps: WebhookListenerDeps,
): Promise<RunningWebhookListener> {
  const { headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs } = { ...LIMITS, ...limits };
  const http = {
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
  };
  const server: Server = tls
    ? createTlsServer({ ...http, ...tls, handshakeTimeout: headersTimeoutMs })
    : createServer(http);
  const receiver = new Receiver(deps);
  const handle = (request: IncomingMessage, response: ServerResponse) =>
    void receiver.take(request, response);
  server.on('request', handle);
  server.on('checkContinue', handle);
  new Connections(MAX_CONNECTIONS).watch(server);
  server.listen({ host, port });
  await once(server, 'listening');
  server.on('error', (error) => deps.log.error({ error: messageOf(error) }, 'listener of webhooks failed'));
  return {
    url: urlOf(server, tls !== null),
    renewTls: (next) => {
      if (server instanceof TlsServer) server.setSecureContext({ ...next });
    },
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

class Receiver {
  readonly #deps: WebhookListenerDeps;
  readonly #refusals: RateLimiter;
  readonly #throttled: Throttled;
  readonly #blockedUntil = new Map<ProviderName, number>();
  /** What a request is held against where there is nothing to hold it against. */
  readonly #decoy = randomBytes(32);

  constructor(deps: WebhookListenerDeps) {
    this.#deps = deps;
    this.#refusals = new RateLimiter(REFUSALS, deps.clock);
    this.#throttled = new Throttled(deps.clock);
  }

  async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = providerIn(request.url ?? '');
    if (name === null) answer(response, 404, 'not_found');
    else if (request.method !== 'POST')
      answer(response.setHeader('allow', 'POST'), 405, 'method_not_allowed');
    else
      await this.#takeFor(name, request, response).catch((error: unknown) => this.#failed(error, response));
  }

  /** The secrets cannot be read, for example. */
  #failed(error: unknown, response: ServerResponse): void {
    const times = this.#throttled.due('failed');
    if (times !== null)
      this.#deps.log.error({ error: messageOf(error), times }, 'webhook could not be judged');
    answer(response, 503, 'unavailable');
  }

  async #takeFor(name: ProviderName, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if ((this.#blockedUntil.get(name) ?? 0) > this.#deps.clock.monotonic()) {
      this.#end(name, 'too_many');
      answer(response.setHeader('retry-after', '1'), 429, 'too_many_requests');
      return;
    }
    const body = await bodyOf(request, response);
    if (body === 'gone') return;
    const outcome = body === 'too_large' ? body : this.#judge(name, request, body);
    this.#end(name, outcome);
    if (outcome === 'accepted') answer(response, 202, null);
    else if (outcome === 'too_large') answer(response, 413, 'payload_too_large');
    else answer(response, 401, 'unauthorized');
  }

  #judge(name: ProviderName, request: IncomingMessage, body: Buffer): Outcome {
    const { webhooks, now } = this.#deps;
    const scheme = webhooks.schemeOf(name);
    const secrets = webhooks.secretsOf(name);
    const webhook: ReceivedWebhook = { header: (one) => onlyHeader(request, one), body };
    if (!scheme || !secrets?.length) {
      createHmac('sha256', this.#decoy).update(body).digest();
      if (!scheme) return 'no_webhook';
      return secrets === null ? 'secret_unreadable' : 'no_secret';
    }
    const refusal = refusalOf(scheme.signature, webhook, secrets, now());
    if (refusal !== null) return refusal;
    webhooks.accepted(name, wokenBy(scheme, webhook.header, body.toString('utf8')));
    return 'accepted';
  }

  /** Counts and logs it, once a minute for each provider and outcome. */
  #end(provider: ProviderName, outcome: Outcome): void {
    const { webhooks, clock, log } = this.#deps;
    const times = this.#throttled.due(`${provider} ${outcome}`);
    if (outcome === 'accepted') {
      if (times !== null) log.info({ provider, times }, 'webhook of a provider accepted');
      return;
    }
    webhooks.refused(provider, outcome);
    if (times !== null) log.warn({ provider, reason: outcome, times }, 'webhook of a provider refused');
    if (outcome === 'too_many') return;
    try {
      this.#refusals.take(provider);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#blockedUntil.set(provider, clock.monotonic() + BLOCKED_MS);
    }
  }
}

/** Null: the path is of no provider. It depends on the names alone, not on what is configured. */
function providerIn(url: string): ProviderName | null {
  const [, named] = PATH.exec(url) ?? [];
  return PROVIDERS.find((one) => one === named) ?? null;
}

/** node joins or drops repeated headers; a proxy in front may have chosen another one. */
function onlyHeader({ headersDistinct }: IncomingMessage, name: string): string | null {
  const values = headersDistinct[name.toLowerCase()] ?? [];
  return values.length === 1 ? (values[0] ?? null) : null;
}

/** A refused request ends its connection, so that the next one costs its sender another; after 413 what still comes is read and thrown away. */
function answer(response: ServerResponse, status: number, error: string | null): void {
  const text = JSON.stringify(error === null ? { received: true } : { error: { code: error } });
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...(error === null || status === 413 ? {} : { connection: 'close' }),
  });
  response.end(text);
}

function urlOf(server: Server, isTls: boolean): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has an address');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${isTls ? 'https' : 'http'}://${host}:${address.port}`;
}
