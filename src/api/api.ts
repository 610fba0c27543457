import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyTypeProvider } from 'fastify';
import type { z } from 'zod';
import type { Trace } from '../base/trace.ts';
import type { KeyUse } from '../payment/payments.ts';
import type { Scope } from './contract/key.ts';
import type { Role } from './contract/session.ts';
import type { PageSession, Person } from './ports.ts';
import type { RefusalCode } from './reply/refusals.ts';
import type { ServiceVersion } from './version.ts';

/** A handler's `params`, `query` and `body` have the output types of the zod schemas of its route. */
interface ZodTypeProvider extends FastifyTypeProvider {
  readonly validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown;
  readonly serializer: unknown;
}

/** The Fastify instance of one listener. */
export type Api = FastifyInstance<
  Server,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** A group of routes, as a Fastify plugin. */
export type RoutePlugin = (api: Api) => Promise<void>;

/**
 * The caller. `id` is the API key's id, `socket`, `pages` for every user who is signed in at them, `anonymous` on an open route, or the
 * address where no authentication is needed.
 */
export interface Caller {
  readonly id: string;
  readonly scopes: readonly Scope[];
  /** The session, where `id` is `pages`. */
  readonly session?: PageSession;
  /** Who is signed in, or whose user of this machine calls; null: no named person. */
  readonly person: Person | null;
  /** The user of this machine that calls through the unix socket, by its own word; null: unknown. */
  readonly user: string | null;
  /** An address, or `socket`. */
  readonly from: string;
  /** Whether there are named people: then a decision about money carries one. */
  readonly hasPeople: () => boolean;
  /** Checks again: false once the key is revoked or has expired, or the user has signed out. */
  readonly stillAllowed: () => boolean;
}

/**
 * `open`: no key on loopback, `settings:read` elsewhere; `socket_only`: never through TCP; `signed`: no key anywhere, the handler verifies
 * the signature of the bytes; `page`: what a browser needs before sign-in.
 */
export type Access = Scope | 'open' | 'socket_only' | 'signed' | 'page';

export interface ReplyShape {
  readonly status: number;
  readonly description: string;
  readonly mediaType?: string;
  readonly schema?: z.ZodType;
  /** The schema under version 2026-01-15, where it differs. */
  readonly olderSchema?: z.ZodType;
}

/** What a route says of itself beside its schemas; the plugins and the OpenAPI document read it. */
export interface RouteConfig {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly access: Access;
  /**
   * The least role of a signed-in user of the pages; without it any role with the scope. A `socket_only` route with a role is open to such
   * users, too. API keys have no role.
   */
  readonly role?: Role;
  /** The first one is the response of a handler that sets no status. */
  readonly replies: readonly ReplyShape[];
  /** Errors of its own, beside those of every route of its kind. */
  readonly refusals: readonly RefusalCode[];
  /**
   * Honours `Idempotency-Key`. `with_its_payment`: its handler passes the key on to the store of the attempt;
   * `with_its_writes`: its handler writes to `money.db` alone and returns synchronously, and the response is kept in the same transaction;
   * `after_its_writes`: running it twice is harmless, and the response is kept right after it.
   */
  readonly idempotent?: 'with_its_payment' | 'with_its_writes' | 'after_its_writes';
  /** Its response shows a secret that is never shown again: the stored copy is sealed. */
  readonly showsSecret?: true;
  /** Its response is a payment: a replay has `Location` and `Payment-Status`. Always so `with_its_payment`. */
  readonly showsPayment?: true;
  /** An invalid body gets `{success: false, error: {name, issues}}`, the service's shape for the PUTs of integrations. */
  readonly refusesWithIssues?: true;
  /** It reads the mirror: its response says how old that is (`Age`, `fresh_at`). */
  readonly isMirrored?: true;
  /** Its responses have no end. */
  readonly endless?: true;
  /** Not for tills: it is not in the OpenAPI document. */
  readonly hidden?: true;
}

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<RouteConfig> {}

  interface FastifyRequest {
    /** The value of a header. @throws REQUEST_MALFORMED when it came more than once: a proxy in front may have read the other one */
    header: (name: string) => string | undefined;
    caller: Caller;
    serviceVersion: ServiceVersion;
    /** The trace that the caller started; null for none, and for an invalid header. */
    trace: Trace | null;
    /** The idempotency key of this request, to be completed with the function that renders the response; undefined: none was sent. */
    idempotency: Omit<KeyUse, 'answer'> | undefined;
  }
}
