import { AppError } from '../../base/errors.ts';
import { dataOf } from '../contract/primitives.ts';
import { CreateSession, CreateSignInCode, OpenedSession, Session, SignInCode } from '../contract/session.ts';
import type { PageSession, StatusSource } from '../ports.ts';
import { instant } from '../render/instant.ts';
import { type DocumentReply, json } from '../reply/reply.ts';
import { setCookie } from '../sessions/cookie.ts';
import { lifeOf } from '../sessions/role.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { SignInCodes } from '../sessions/sign-in-codes.ts';
import type { EventStreams } from '../stream/event-streams.ts';
import { NoParams, VersionQuery } from './list-reply.ts';
import { defineRoute, type RequestContext, type Route } from './route.ts';

const TAG = 'Pages';

export interface SessionDeps {
  readonly sessions: Sessions;
  readonly codes: SignInCodes;
  readonly status: Pick<StatusSource, 'status'>;
  readonly streams: Pick<EventStreams, 'endRefused'>;
  readonly scheme: 'http' | 'https';
}

/** Signing in and out at the pages. Not for tills: they have API keys. */
export function sessionRoutes(deps: SessionDeps): readonly Route[] {
  return [codeRoute(deps), signInRoute(deps), whoRoute(), signOutRoute(deps)];
}

function codeRoute({ codes, status }: SessionDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/v2/sign-in-codes',
    operationId: 'createSignInCode',
    tag: TAG,
    access: 'socket_only',
    summary: 'Make a code that signs one person in at the pages, once and within five minutes.',
    params: NoParams,
    query: VersionQuery,
    body: CreateSignInCode,
    replies: [{ status: 201, description: 'The code, once.', schema: dataOf(SignInCode) }],
    refusals: [],
    handler: ({ body: { role } }) => {
      const { code, expiresAt } = codes.make(role);
      const url = status.status().urls.local;
      return json(201, { data: { code, role, url, expires_at: instant(expiresAt) } satisfies SignInCode });
    },
  });
}

function signInRoute({ codes, sessions, scheme }: SessionDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/v2/sessions',
    operationId: 'createSession',
    tag: TAG,
    access: 'page',
    summary: 'Sign in with a one-time code.',
    params: NoParams,
    query: VersionQuery,
    body: CreateSession,
    replies: [{ status: 201, description: 'The session, and its cookie.', schema: dataOf(OpenedSession) }],
    refusals: ['SIGN_IN_REFUSED', 'RATE_LIMITED', 'STORAGE_FULL', 'STORAGE_FAILED'],
    handler: ({ body }, { header }) => {
      const { session, tokens } = sessions.open(codes.use(body.code));
      const data: OpenedSession = { ...shown(session), proof: tokens.proof };
      const cookie = setCookie(tokens.cookie, lifeOf(session.role), scheme, header('host') ?? '');
      return json(201, { data }, { 'set-cookie': cookie });
    },
  });
}

function whoRoute(): Route {
  return defineRoute({
    method: 'GET',
    path: '/v2/sessions/current',
    operationId: 'getSession',
    tag: TAG,
    access: 'payments:read',
    summary: 'Who is signed in.',
    params: NoParams,
    query: VersionQuery,
    body: null,
    replies: [{ status: 200, description: 'The session.', schema: dataOf(Session) }],
    refusals: ['SESSION_ENDED'],
    handler: (_input, context) => json(200, { data: shown(sessionOf(context)) }),
  });
}

function signOutRoute({ sessions, streams, scheme }: SessionDeps): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/v2/sessions/current',
    operationId: 'endSession',
    tag: TAG,
    access: 'payments:read',
    summary: 'Sign out: the session and its event streams end at once.',
    params: NoParams,
    query: VersionQuery,
    body: null,
    replies: [{ status: 200, description: 'The session that ended.', schema: dataOf(Session) }],
    refusals: ['SESSION_ENDED', 'STORAGE_FULL', 'STORAGE_FAILED'],
    handler: (_input, context): DocumentReply => {
      const session = sessionOf(context);
      sessions.end(session.id);
      streams.endRefused();
      const cookie = setCookie('', 0, scheme, context.header('host') ?? '');
      return json(200, { data: shown(session) }, { 'set-cookie': cookie });
    },
  });
}

function shown({ id, role, expiresAt }: PageSession): Session {
  return { id, role, expires_at: instant(expiresAt) };
}

/** @throws SESSION_ENDED for a caller with an API key */
function sessionOf({ caller }: RequestContext): PageSession {
  if (caller.session) return caller.session;
  throw new AppError('SESSION_ENDED', 'This is about people who are signed in at the pages');
}
