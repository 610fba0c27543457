import { AppError } from '../../base/errors.ts';
import type { Caller, RouteConfig } from '../api.ts';
import type { People } from '../people/people.ts';
import { requireRole, scopesOf } from '../sessions/role.ts';
import type { Sessions, SessionTokens } from '../sessions/sessions.ts';
import type { RateLimiter } from './rate-limiter.ts';

interface Admitted {
  readonly caller: Omit<Caller, 'from' | 'user' | 'hasPeople'>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Authenticates a user of the pages. All pages share one caller id in the database: a user who signs in again during a payment still gets
 * its response, not a second payment. Each session has its own rate limit and event streams.
 * @throws SESSION_ENDED, RATE_LIMITED, ROLE_MISSING
 */
export function signedIn(
  sessions: Sessions | null,
  people: Pick<People, 'active'> | null,
  limiter: RateLimiter,
  { access, role = 'staff' }: Pick<RouteConfig, 'access' | 'role'>,
  tokens: SessionTokens,
): Admitted {
  if (!sessions) throw new AppError('SESSION_ENDED', 'This daemon has no sign-in');
  const session = sessions.find(tokens);
  const person = session.personId === null ? null : (people?.active(session.personId) ?? null);
  if (session.personId !== null && !person)
    throw new AppError('SESSION_ENDED', 'This session has ended: sign in again');
  const headers = limiter.take(session.id);
  requireRole(session.role, role);
  const scopes = scopesOf(session.role);
  const wanted = access === 'open' ? 'settings:read' : access;
  if (wanted !== 'socket_only' && !scopes.some((scope) => scope === wanted)) requireRole(session.role, 'ops');
  const stillAllowed = () => sessions.isOpen(tokens);
  return { caller: { id: 'pages', scopes, session, person, stillAllowed }, headers };
}
