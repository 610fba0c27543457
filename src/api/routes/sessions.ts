import { AppError } from '../../base/errors.ts';
import type { Api, Caller, RoutePlugin } from '../api.ts';
import { dataOf } from '../contract/primitives.ts';
import { CreateSession, CreateSignInCode, OpenedSession, Session, SignInCode } from '../contract/session.ts';
import type { Status } from '../contract/status.ts';
import type { People } from '../people/people.ts';
import type { PageSession, Person } from '../ports.ts';
import { instant } from '../render/instant.ts';
import { setCookie } from '../sessions/cookie.ts';
import { lifeOf } from '../sessions/role.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { SignInCodes } from '../sessions/sign-in-codes.ts';
import type { EventStreams } from '../stream/event-streams.ts';
import { VersionQuery } from './list-reply.ts';

const TAG = 'Pages';

export interface SignIn {
  readonly sessions: Sessions;
  readonly codes: SignInCodes;
}

export interface SessionDeps extends SignIn {
  readonly people: People | null;
  readonly urls: () => Status['urls'];
  readonly streams: Pick<EventStreams, 'endRefused'>;
}

/** Signing in and out at the pages. Not for tills: they have API keys. */
export function sessionRoutes(deps: SessionDeps): RoutePlugin {
  return async (api) => {
    codeRoute(api, deps);
    signInRoute(api, deps);
    whoRoute(api);
    signOutRoute(api, deps);
  };
}

function codeRoute(api: Api, { codes, people, urls }: SessionDeps): void {
  api.route({
    method: 'POST',
    url: '/v2/sign-in-codes',
    schema: { querystring: VersionQuery, body: CreateSignInCode },
    config: {
      operationId: 'createSignInCode',
      tag: TAG,
      hidden: true,
      access: 'socket_only',
      summary: 'Make a code that signs one person in at the pages, once and within five minutes.',
      replies: [{ status: 201, description: 'The code, once.', schema: dataOf(SignInCode) }],
      refusals: ['PERSON_UNKNOWN'],
    },
    handler: ({ body }) => {
      const person = body.person === undefined ? null : named(people, body.person);
      const role = person?.role ?? body.role;
      const { code, expiresAt } = codes.make({ role, personId: person?.id ?? null });
      const url = urls().local;
      return {
        data: {
          code,
          role,
          person: person?.name ?? null,
          url,
          expires_at: instant(expiresAt),
        } satisfies SignInCode,
      };
    },
  });
}

function signInRoute(api: Api, { codes, people, sessions }: SessionDeps): void {
  api.route({
    method: 'POST',
    url: '/v2/sessions',
    schema: { querystring: VersionQuery, body: CreateSession },
    config: {
      operationId: 'createSession',
      tag: TAG,
      hidden: true,
      access: 'page',
      summary: 'Sign in with a one-time code.',
      replies: [{ status: 201, description: 'The session, and its cookie.', schema: dataOf(OpenedSession) }],
      refusals: ['SIGN_IN_REFUSED', 'RATE_LIMITED', 'STORAGE_FULL', 'STORAGE_FAILED'],
    },
    handler: ({ body, caller, header, protocol }, reply) => {
      const { role, personId } = codes.use(body.code);
      const person = personId === null ? null : (people?.active(personId) ?? null);
      if (personId !== null && !person)
        throw new AppError('SIGN_IN_REFUSED', 'This person may not sign in any more');
      const { session, tokens } = sessions.open({ role, person, from: caller.from });
      const data: OpenedSession = { ...shown(session, person), proof: tokens.proof };
      const cookie = setCookie(tokens.cookie, lifeOf(session.role), protocol, header('host') ?? '');
      reply.header('set-cookie', cookie);
      return { data };
    },
  });
}

function whoRoute(api: Api): void {
  api.route({
    method: 'GET',
    url: '/v2/sessions/current',
    schema: { querystring: VersionQuery },
    config: {
      operationId: 'getSession',
      tag: TAG,
      hidden: true,
      access: 'payments:read',
      summary: 'Who is signed in.',
      replies: [{ status: 200, description: 'The session.', schema: dataOf(Session) }],
      refusals: ['SESSION_ENDED'],
    },
    handler: ({ caller }) => ({ data: shown(sessionOf(caller), caller.person) }),
  });
}

function signOutRoute(api: Api, { sessions, streams }: SessionDeps): void {
  api.route({
    method: 'DELETE',
    url: '/v2/sessions/current',
    schema: { querystring: VersionQuery },
    config: {
      operationId: 'endSession',
      tag: TAG,
      hidden: true,
      access: 'payments:read',
      summary: 'Sign out: the session and its event streams end at once.',
      replies: [{ status: 200, description: 'The session that ended.', schema: dataOf(Session) }],
      refusals: ['SESSION_ENDED', 'STORAGE_FULL', 'STORAGE_FAILED'],
    },
    handler: ({ caller, header, protocol }, reply) => {
      const session = sessionOf(caller);
      sessions.end(session.id);
      streams.endRefused();
      const cookie = setCookie('', 0, protocol, header('host') ?? '');
      reply.header('set-cookie', cookie);
      return { data: shown(session, caller.person) };
    },
  });
}

function shown({ id, role, expiresAt }: PageSession, person: Person | null): Session {
  const named = person && { id: person.id, name: person.name };
  return { id, role, person: named, expires_at: instant(expiresAt) };
}

/** @throws PERSON_UNKNOWN */
function named(people: People | null, name: string): Person {
  if (people) return people.named(name);
  throw new AppError('PERSON_UNKNOWN', 'This daemon has no named people');
}

/** @throws SESSION_ENDED for a caller with an API key */
function sessionOf(caller: Caller): PageSession {
  if (caller.session) return caller.session;
  throw new AppError('SESSION_ENDED', 'This is about people who are signed in at the pages');
}
