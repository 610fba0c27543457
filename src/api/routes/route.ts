import type { z } from 'zod';
import type { Trace } from '../../base/trace.ts';
import type { KeyUse } from '../../payment/payments.ts';
import type { Scope } from '../contract/key.ts';
import type { Role } from '../contract/session.ts';
import type { PageSession } from '../ports.ts';
import type { RefusalCode } from '../reply/refusals.ts';
import type { Reply } from '../reply/reply.ts';
import type { ServiceVersion } from '../version.ts';
import { parseInput, type RawInput } from './parse-input.ts';

/**
 * The caller. `id` is the API key's id, `socket`, `pages` for every user who is signed in at them, `anonymous` on an open route, or the
 * address where no authentication is needed.
 */
export interface Caller {
  readonly id: string;
  readonly scopes: readonly Scope[];
  /** The session, where `id` is `pages`. */
  readonly session?: PageSession;
  /** Checks again: false once the key is revoked or has expired, or the user has signed out. */
  readonly stillAllowed: () => boolean;
}

/**
 * `open`: no key on loopback, `settings:read` elsewhere; `socket_only`: never through TCP; `signed`: no key anywhere, the handler verifies
 * the signature of the bytes; `page`: what a browser needs before sign-in.
 */
export type Access = Scope | 'open' | 'socket_only' | 'signed' | 'page';

/** What a handler gets beside its input. */
export interface RequestContext {
  readonly caller: Caller;
  readonly version: ServiceVersion;
  readonly requestId: string;
  readonly header: (name: string) => string | undefined;
  /** The trace that the caller started; null for none, and for an invalid header. */
  readonly trace: Trace | null;
  /** The body as received; that of a signed route is not parsed. */
  readonly bytes: Uint8Array;
  /** The idempotency key of this request, to be completed with the function that renders the response; undefined: none was sent. */
  readonly idempotency: Omit<KeyUse, 'answer'> | undefined;
}

export interface ReplyShape {
  readonly status: number;
  readonly description: string;
  readonly mediaType?: string;
  readonly schema?: z.ZodType;
  /** The schema under version 2026-01-15, where it differs. */
  readonly olderSchema?: z.ZodType;
}

interface Described {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/v2/terminal-payments/{id}` */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly access: Access;
  /**
   * The least role of a signed-in user of the pages; without it any role with the scope. A `socket_only` route with a role is open to such
   * users, too. API keys have no role.
   */
  readonly role?: Role;
  readonly summary: string;
  readonly replies: readonly ReplyShape[];
  /** Errors of its own, beside those of every route of its kind. */
  readonly refusals: readonly RefusalCode[];
  /**
   * Honours `Idempotency-Key`. `with_its_payment`: its handler passes the key on to the store of the attempt;
   * `with_its_writes`: its handler writes to `money.db` alone and responds synchronously, and the pipeline keeps the response in the same
   * transaction;
   * `after_its_writes`: running it twice is harmless, and the pipeline keeps the response right after it.
   */
  readonly idempotent?: 'with_its_payment' | 'with_its_writes' | 'after_its_writes';
  /** Its response shows a secret that is never shown again: the stored copy is sealed. */
  readonly showsSecret?: true;
  /** An invalid body gets `{success: false, error: {name, issues}}`, the service's shape for the PUTs of integrations. */
  readonly refusesWithIssues?: true;
  /** Maximum of its body in bytes, where it is larger than the default. */
  readonly maxBodyBytes?: number;
  /** Its responses have no end; HEAD is not served. */
  readonly endless?: true;
}

/** One row of the route table: data, and one function that parses and responds. */
export interface Route extends Described {
  readonly params: z.ZodType;
  readonly query: z.ZodType;
  readonly body: z.ZodType | null;
  readonly run: (input: RawInput, context: RequestContext) => Reply | Promise<Reply>;
}

export interface RouteDefinition<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>
  extends Described {
  readonly params: P;
  readonly query: Q;
  /** null: the route takes no body; an empty object is accepted. */
  readonly body: B | null;
  readonly handler: (
    input: { readonly params: z.output<P>; readonly query: z.output<Q>; readonly body: z.output<B> },
    context: RequestContext,
  ) => Reply | Promise<Reply>;
}

/** Creates a row of the route table from typed parts: `run` validates with the schemas, then calls the handler. */
export function defineRoute<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  definition: RouteDefinition<P, Q, B>,
): Route {
  const { handler, ...described } = definition;
  return {
    ...described,
    run: (raw, context) => handler(parseInput(definition, raw), context),
  };
}
