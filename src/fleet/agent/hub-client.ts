import { createHash } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { createHttpClient, type HttpClient, type HttpReply } from '../../net/http-client.ts';
import { retryAfterMs } from '../../net/retry-after.ts';
import type { RequestClaims } from '../contract/signed-request.ts';
import type { AgentKey } from './membership.ts';

const REQUEST_TIMEOUT_MS = 30_000;

const Envelope = z.object({ data: z.unknown() });
const Refused = z.object({
  error: z.object({
    code: z.string().max(100),
    message: z.string().max(2_000),
    details: z.record(z.string(), z.unknown()).catch({}),
  }),
});

/** The hub answered, and not with what was asked for. `code` is the hub's own (`journal_gap`), or `http_502` where it gave none. */
export class HubRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** The wait that the hub asks for; null: it asks for none. */
  readonly retryAfterMs: number | null;

  constructor({ status, text, headers }: HttpReply, now: number) {
    const parsed = Refused.safeParse(jsonOf(text));
    const { code, message, details } = parsed.success
      ? parsed.data.error
      : { code: `http_${status}`, message: `it answered ${status}`, details: {} };
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.retryAfterMs = retryAfterMs(headers['retry-after'], now);
  }
}

export interface HubClientOptions {
  readonly hubUrl: string;
  readonly key: AgentKey;
  /** `<tenant>/<agent>`; absent before the agent has joined. */
  readonly issuer?: string;
  readonly log: Log;
}

/** Sends signed requests to one hub. It never repeats one by itself: what a request does twice is decided by its numbers, and its caller knows them. */
export class HubClient {
  readonly #http: HttpClient;
  readonly #options: HubClientOptions;

  /** @throws NET_ADDRESS_INVALID */
  constructor(options: HubClientOptions) {
    this.#options = options;
    this.#http = createHttpClient({
      baseUrl: options.hubUrl,
      log: options.log,
      connections: 1,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
    });
  }

  /** @throws HubRefusal, HUB_ANSWER_INVALID, and the NET_ errors of {@link HttpClient.request} */
  async post<T>(path: string, message: unknown, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> {
    const body = JSON.stringify(message);
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${await this.#proof(path, body)}`,
    };
    const reply = await this.#http.request({ method: 'POST', path, headers, body, once: true, signal });
    if (reply.status < 200 || reply.status > 299) throw new HubRefusal(reply, Date.now());
    const parsed = schema.safeParse(Envelope.safeParse(jsonOf(reply.text)).data?.data);
    if (parsed.success) return parsed.data;
    throw new AppError('HUB_ANSWER_INVALID', 'it answered in a way that this release does not know', {
      cause: parsed.error,
    });
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #proof(path: string, body: string): Promise<string> {
    const { key, issuer } = this.#options;
    const claims = {
      htm: 'POST',
      htu: path,
      digest: createHash('sha256').update(body).digest('base64url'),
    } satisfies RequestClaims;
    const token = new SignJWT(issuer === undefined ? claims : { ...claims, iss: issuer });
    return await token.setProtectedHeader({ alg: 'EdDSA' }).sign(await importJWK(key, 'EdDSA'));
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
