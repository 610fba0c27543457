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
 * Who asks. `id` is the API key's id, `socket`, `pages` for everybody who is signed in at them, `anonymous` on an open route, or the address
 * where nobody need say who they are.
 */
export interface Caller {
  readonly id: string;
  readonly scopes: readonly Scope[];
  /** Who is signed in, where `id` is `pages`. */
  readonly session?: PageSession;
  /** Asks the key store again: false once the key is revoked or has expired, or the person has signed out. */
  readonly stillAllowed: () => boolean;
}

/**
 * `open`: no key on loopback, `settings:read` elsewhere; `socket_only`: never through TCP; `signed`: no key anywhere, what the handler
 * finds the bytes signed with is the credential; `page`: what a browser needs before anybody is signed in.
 */
export type Access = Scope | 'open' | 'socket_only' | 'signed' | 'page';

/** What a handler knows beside its input. */
export interface RequestContext {
  readonly caller: Caller;
  readonly version: ServiceVersion;
  readonly requestId: string;
  readonly header: (name: string) => string | undefined;
  /** The trace that whoever asks has begun; null for none, and for a header that is none. */
  readonly trace: Trace | null;
  /** The body as it came; of a signed route it is not parsed. */
  readonly bytes: Uint8Array;
  /** The idempotency key of this request, waiting for the function that makes the answer; undefined: none was sent. */
  readonly idempotency: Omit<KeyUse, 'answer'> | undefined;
}

export interface ReplyShape {
  readonly status: number;
  readonly description: string;
  readonly mediaType?: string;
  readonly schema?: z.ZodType;
  /** The same under version 2026-01-15, where it differs. */
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
   * The least role of a person who is signed in at the pages; without it any role with the scope. A `socket_only` route with a role is open to
   * such people, too. API keys have no role.
   */
  readonly role?: Role;
  readonly summary: string;
  readonly replies: readonly ReplyShape[];
  /** Refusals of its own, beside those that every route of its kind has. */
  readonly refusals: readonly RefusalCode[];
  /**
   * Honours `Idempotency-Key`. `with_its_payment`: its handler passes the key on to where the attempt is stored;
   * `with_its_writes`: its handler writes to `money.db` alone and answers in one go, and the door keeps the answer in the same transaction;
   * `after_its_writes`: done twice it does no harm, and the door keeps the answer right after it.
   */
  readonly idempotent?: 'with_its_payment' | 'with_its_writes' | 'after_its_writes';
  /** Its answer shows a secret that is never shown again: what is kept of it under a key is sealed. */
  readonly showsSecret?: true;
  /** Its body is refused with `{success: false, error: {name, issues}}`, as the interface has it for the PUTs of integrations. */
  readonly refusesWithIssues?: true;
  /** Bytes of a body that may be larger than the others. */
  readonly maxBodyBytes?: number;
  /** Its answers have no end; HEAD is not served. */
  readonly endless?: true;
}

/** A route as the table holds it: data, and one function that parses and answers. */
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
  /** null: the route takes no body; an empty object is let pass. */
  readonly body: B | null;
  readonly handler: (
    input: { readonly params: z.output<P>; readonly query: z.output<Q>; readonly body: z.output<B> },
    context: RequestContext,
  ) => Reply | Promise<Reply>;
}

/** Makes a row of the route table from typed parts: `run` parses by the schemas, then calls the handler. */
export function defineRoute<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  definition: RouteDefinition<P, Q, B>,
): Route {
  const { handler, ...described } = definition;
  return {
    ...described,
    run: (raw, context) => handler(parseInput(definition, raw), context),
  };
}
