import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { isLoopback } from '../../base/loopback.ts';
import type { Api, Caller, RouteConfig } from '../api.ts';
import { Scope } from '../contract/key.ts';
import { authenticate, credentialOf, type ShownCredential, shownCredential } from '../keys/authenticate.ts';
import type { KeyWatch } from '../keys/key-watch.ts';
import type { Environment } from '../keys/secret.ts';
import type { People } from '../people/people.ts';
import type { ApiKeyRecord, ApiKeyStore } from '../ports.ts';
import { shownTokens } from '../sessions/cookie.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { requireKeyForm } from './idempotency.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { signedIn } from './signed-in.ts';

/** Without what every caller has. */
type Known = Omit<Caller, 'user' | 'from' | 'hasPeople'>;

const SOCKET: Known = { id: 'socket', scopes: Scope.options, person: null, stillAllowed: () => true };
const ANONYMOUS: Known = { id: 'anonymous', scopes: [], person: null, stillAllowed: () => true };
/** `tillctl` names its user; a user who may open the socket could name another one. */
const USER_HEADER = 'x-tilld-user';
/** How long a body may take until its caller is checked again; bodies of tills are here at once. */
const LATE_MS = 250;
const USER_FORM = /^[\w.-]{1,32}\$?$/;

/** `socket`: the unix socket, whose file permissions authorize. */
export type Peer =
  | { readonly kind: 'socket' }
  /** Of the client; empty: a proxy names none that is an address. `isHere`: it is on this machine, at a listener of this machine. */
  | { readonly kind: 'tcp'; readonly address: string; readonly isHere: boolean };

export interface CallerDeps {
  readonly keys: ApiKeyStore;
  /** null: sign-in is not possible. */
  readonly sessions: Sessions | null;
  /** null: there are no named people. */
  readonly people: People | null;
  readonly keyWatch: KeyWatch;
  readonly environment: Environment;
  readonly limiter: RateLimiter;
  /** Of callers without a credential that is valid, by their address. */
  readonly strangers: RateLimiter;
  readonly clock: Clock;
  readonly log: Log;
}

export interface AuthenticationOptions extends CallerDeps {
  /** Where this instance listens. */
  readonly via: Peer['kind'];
  /** In the network of the shop no address is open, from wherever it is called. */
  readonly isInLan: boolean;
  /** Called for a request with a valid key, or of the unix socket. */
  readonly known: (request: FastifyRequest) => void;
}

/** Sets `request.caller`, or refuses the request; takes a token of the caller's rate limit, and checks the form of the idempotency key. */
export const authentication = fastifyPlugin(async (api: Api, options: AuthenticationOptions) => {
  const startedAt = new WeakMap<FastifyRequest, number>();
  api.decorateRequest('caller');
  api.addHook('onRequest', async (request, reply) => {
    const { access = 'socket_only', role } = request.routeOptions.config;
    const peer = options.via === 'socket' ? SOCKET_PEER : peerOf(request, options.isInLan);
    const { caller, headers } = identify(
      options,
      { access, ...(role ? { role } : {}) },
      peer,
      request.header,
    );
    const user = userAt(peer, request.header(USER_HEADER));
    request.caller = {
      ...caller,
      user,
      person: caller.person ?? (user === null ? null : (options.people?.ofUser(user) ?? null)),
      from: peer.kind === 'socket' ? 'socket' : peer.address,
      hasPeople: () => options.people?.isInUse() ?? false,
    };
    reply.headers(headers);
    if (!isRead(request.method)) {
      requireKeyForm(request.header('idempotency-key'));
      startedAt.set(request, options.clock.monotonic());
    }
    if (caller.scopes.length > 0) options.known(request);
  });
  // The body is read by now, which may have taken 20 s.
  api.addHook('preValidation', async (request) => {
    const since = startedAt.get(request);
    if (since === undefined || options.clock.monotonic() - since < LATE_MS) return;
    request.caller = stillKnown(request.caller, options.people);
  });
});

/** The caller after a body that took long. @throws SESSION_ENDED, CREDENTIAL_REVOKED */
function stillKnown(caller: Caller, people: People | null): Caller {
  if (!caller.stillAllowed())
    throw new AppError(
      caller.session ? 'SESSION_ENDED' : 'CREDENTIAL_REVOKED',
      'The sign-in or key of this request ended before its body was here',
    );
  const isGone = caller.person !== null && !people?.active(caller.person.id);
  return isGone ? { ...caller, person: null } : caller;
}

const SOCKET_PEER: Peer = { kind: 'socket' };

function peerOf(request: Pick<FastifyRequest, 'ip' | 'ips'>, isInLan: boolean): Peer {
  const address = clientAddress(request);
  return { kind: 'tcp', address, isHere: !isInLan && isLoopback(address) };
}

/** Of the client that a proxy names; empty: of none that is an address. Loopback on the machine of a proxy is not loopback here. */
function clientAddress({ ip, ips = [] }: Pick<FastifyRequest, 'ip' | 'ips'>): string {
  if (!isIP(ip)) return '';
  const isOfAnother = isLoopback(ip) && !ips.every((hop) => isLoopback(hop));
  // A listener of both versions gives version 4 in its version 6 form.
  return isOfAnother ? '' : ip.replace(/^::ffff:(?=\d+\.)/i, '');
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

interface Identified {
  readonly caller: Known;
  /** Rate-limit headers, where a limit applies. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Authenticates the caller and checks its permissions: the unix socket trusts the file's permissions; every other caller shows an API key,
 * is signed in at a page, or signs its request.
 * @throws SOCKET_ONLY, SESSION_ENDED, ROLE_MISSING, CREDENTIAL_MISSING, CREDENTIAL_UNKNOWN, CREDENTIAL_REVOKED, CREDENTIAL_EXPIRED,
 * ADDRESS_NOT_ALLOWED, RATE_LIMITED, SCOPE_MISSING
 */
function identify(
  deps: CallerDeps,
  { access, role }: Pick<RouteConfig, 'access' | 'role'>,
  peer: Peer,
  header: (name: string) => string | undefined,
): Identified {
  const isOpen = access === 'signed' || access === 'page';
  if (peer.kind === 'socket') return { caller: isOpen ? strangerAt(peer) : SOCKET, headers: {} };
  if (isOpen || (access === 'open' && peer.isHere)) {
    deps.strangers.take(peer.address);
    return { caller: isOpen ? strangerAt(peer) : ANONYMOUS, headers: {} };
  }
  const tokens = shownTokens(header);
  if (tokens && (access !== 'socket_only' || role))
    return signedIn(deps.sessions, deps.people, deps.limiter, { access, ...(role ? { role } : {}) }, tokens);
  if (access === 'socket_only')
    throw new AppError('SOCKET_ONLY', 'This is answered through the unix socket only');
  const { shown, record } = limited(deps, peer.address, () => {
    const credential = shownCredential(credentialOf(header), deps.environment);
    return { shown: credential, record: authenticated(deps, credential, peer.address) };
  });
  const headers = deps.limiter.take(record.id);
  requireScope(record, access === 'open' ? 'settings:read' : access, headers);
  deps.keyWatch.used(record);
  const { id, scopes } = record;
  const stillAllowed = () => isStillAllowed(deps, shown, peer.address);
  return { caller: { id, scopes, person: null, stillAllowed }, headers };
}

function userAt(peer: Peer, named: string | undefined): string | null {
  return peer.kind === 'socket' && named !== undefined && USER_FORM.test(named) ? named : null;
}

/** Not authenticated yet: the handler checks the signature. */
function strangerAt(peer: Peer): Known {
  return { ...ANONYMOUS, id: peer.kind === 'socket' ? 'socket' : peer.address };
}

/** A refusal costs a token of the address. @throws RATE_LIMITED in its place, where there is none */
function limited<T>({ strangers }: CallerDeps, address: string, authenticate: () => T): T {
  try {
    return authenticate();
  } catch (error) {
    strangers.take(address);
    throw error;
  }
}

function authenticated(deps: CallerDeps, shown: ShownCredential, address: string): ApiKeyRecord {
  try {
    return authenticate(deps.keys, shown, address, deps.clock.now());
  } catch (error) {
    deps.keyWatch.refused(error, address);
    throw error;
  }
}

function requireScope(record: ApiKeyRecord, scope: Scope, headers: Readonly<Record<string, string>>): void {
  if (record.scopes.includes(scope)) return;
  throw new AppError('SCOPE_MISSING', `This API key lacks the scope ${scope}`, {
    context: { details: { required: [scope] }, headers },
  });
}

function isStillAllowed({ keys, clock }: CallerDeps, shown: ShownCredential, address: string): boolean {
  try {
    authenticate(keys, shown, address, clock.now());
    return true;
  } catch (error) {
    if (error instanceof AppError && REFUSED.has(error.code)) return false;
    throw error;
  }
}

/** Other errors of the look-up do not concern the key. */
const REFUSED: ReadonlySet<string> = new Set([
  'CREDENTIAL_UNKNOWN',
  'CREDENTIAL_REVOKED',
  'CREDENTIAL_EXPIRED',
  'ADDRESS_NOT_ALLOWED',
]);
