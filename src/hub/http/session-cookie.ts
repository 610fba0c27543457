import type { FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { isLoopback } from '../../base/loopback.ts';
import { type Proof, SESSION_MS } from '../operators/authenticate.ts';

/**
 * The token of a script, else the session of a page.
 * @throws OPERATOR_UNKNOWN without either; ORIGIN_FOREIGN when a page of another origin uses a session to write
 */
export function shownProof(request: FastifyRequest): Proof {
  const { authorization, cookie } = request.headers;
  const token = /^Bearer (\S{1,200})$/i.exec(authorization ?? '')?.[1];
  if (token !== undefined) return { kind: 'token', secret: token };
  const name = cookieName(request);
  const pairs = (cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  const secret = pairs.find(([key]) => key === name)?.[1];
  if (secret === undefined)
    throw new AppError(
      'OPERATOR_UNKNOWN',
      'sign in, or send the token of an operator as Authorization: Bearer (tillhub operators add NAME --tenant MERCHANT)',
    );
  if (request.method !== 'GET') requireSameOrigin(request);
  return { kind: 'session', secret };
}

/**
 * A browser names the origin of the page with every request that writes. The scheme is not compared: a proxy may end TLS.
 * @throws ORIGIN_FOREIGN
 */
export function requireSameOrigin({ headers: { origin, host } }: FastifyRequest): void {
  const from = /^https?:\/\/(.+)$/.exec(origin ?? '')?.[1];
  if (from === undefined || from !== host?.toLowerCase())
    throw new AppError('ORIGIN_FOREIGN', 'a session writes from the pages of this hub only');
}

/** @param secret null ends it */
export function sessionCookie(request: FastifyRequest, secret: string | null): string {
  const secure = isPlain(request) ? '' : '; Secure';
  const age = secret === null ? 0 : SESSION_MS / 1000;
  return `${cookieName(request)}=${secret ?? ''}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${secure}`;
}

/** Browsers take a `__Host-` cookie from this very host only, and over TLS. */
function cookieName(request: FastifyRequest): string {
  return isPlain(request) ? 'tillhub' : '__Host-tillhub';
}

/** Loopback needs no TLS, and a browser keeps no Secure cookie from it. */
function isPlain({ hostname }: FastifyRequest): boolean {
  return isLoopback(hostname);
}
