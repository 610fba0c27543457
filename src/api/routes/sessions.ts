import type { FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { Api, Caller, RoutePlugin } from '../api.ts';
import { dataOf } from '../contract/primitives.ts';
import {
  CreateSession,
  CreateSignInCode,
  OpenedSession,
  type Role,
  Session,
  SignInCode,
} from '../contract/session.ts';
import type { PasskeyAnswer } from '../contract/sign-in.ts';
import type { Status } from '../contract/status.ts';
import type { PairedDevices } from '../people/paired-devices.ts';
import type { People } from '../people/people.ts';
import { actOf, requireNamed } from '../people/person.ts';
import { siteOf } from '../people/site.ts';
import type { PageSession, Person } from '../ports.ts';
import { instant } from '../render/instant.ts';
import { setCookie, shownDeviceSecret } from '../sessions/cookie.ts';
import type { OneTimeCodes } from '../sessions/one-time-codes.ts';
import { lifeOf } from '../sessions/role.ts';
import type { NewSession, Sessions } from '../sessions/sessions.ts';
import type { EventStreams } from '../stream/event-streams.ts';
import { VersionQuery } from './list-reply.ts';
import type { SignInWays } from './sign-in-ways.ts';

const TAG = 'Pages';

/** What a code signs in: a role, and a named person or none. */
export interface CodeOpens {
  readonly role: Role;
  readonly personId: string | null;
  /** Who made it. */
  readonly madeBy: string;
}

export interface SignIn {
  readonly sessions: Sessions;
  readonly codes: OneTimeCodes<CodeOpens>;
}

export interface SessionDeps extends SignIn {
  readonly people: People | null;
  /** null: people sign in with codes alone. */
  readonly ways: SignInWays | null;
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
      role: 'ops',
      summary: 'Make a code that signs one person in at the pages, once and within five minutes.',
      replies: [{ status: 201, description: 'The code, once.', schema: dataOf(SignInCode) }],
      refusals: ['PERSON_UNKNOWN', 'PERSON_MISSING'],
    },
    handler: ({ body, caller }) => {
      if (body.person !== undefined) requireNamed(caller);
      const person = body.person === undefined ? null : named(people, body.person);
      const role = person?.role ?? body.role;
      const { code, expiresAt } = codes.make({
        role,
        personId: person?.id ?? null,
        madeBy: actOf(caller).who,
      });
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

function signInRoute(api: Api, deps: SessionDeps): void {
  const { sessions } = deps;
  api.route({
    method: 'POST',
    url: '/v2/sessions',
    schema: { querystring: VersionQuery, body: CreateSession },
    config: {
      operationId: 'createSession',
      tag: TAG,
      hidden: true,
      access: 'page',
      summary: 'Sign in with a one-time code, a passkey, or on a paired device with a PIN.',
      replies: [{ status: 201, description: 'The session, and its cookie.', schema: dataOf(OpenedSession) }],
      refusals: ['SIGN_IN_REFUSED', 'SIGN_IN_PAUSED', 'RATE_LIMITED', 'STORAGE_FULL', 'STORAGE_FAILED'],
    },
    handler: async (request, reply) => {
      const { body, caller, header, protocol } = request;
      const opened = await newSessionOf(body, request, deps);
      const { person } = opened;
      const { session, tokens } = sessions.open({ ...opened, from: caller.from });
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

/** @throws SIGN_IN_REFUSED, SIGN_IN_PAUSED, RATE_LIMITED */
async function newSessionOf(
  body: CreateSession,
  request: Pick<FastifyRequest, 'header' | 'protocol' | 'ips' | 'raw' | 'caller'>,
  { codes, people, ways }: SessionDeps,
): Promise<Omit<NewSession, 'from'>> {
  const secret = shownDeviceSecret(request.header);
  const device = ways?.devices.ofSecret(secret) ?? null;
  if ('code' in body) {
    const { role, personId, madeBy } = codes.use(body.code, request.caller.from);
    const person = personId === null ? null : (people?.active(personId) ?? null);
    if (personId !== null && !person) throw notOpened('This person may not sign in any more');
    return { role, person, device, way: 'code', codeBy: madeBy };
  }
  if (!ways) throw notOpened('People sign in with codes here');
  if ('passkey' in body) {
    const response = { ...answerOf(body.passkey), clientExtensionResults: {} };
    const person = await ways.passkeys.check(response, siteOf(request));
    if (device) requirePaired(ways.devices, secret);
    return { role: person.role, person, device, way: 'passkey', codeBy: null };
  }
  if (!device) throw notOpened('This browser is not paired: a PIN opens nothing here');
  const person = await ways.pins.check(body.person, body.pin, device, request.caller.from);
  requirePaired(ways.devices, secret);
  return { role: person.role, person, device, way: 'pin', codeBy: null };
}

/** A device may have been withdrawn while the answer was checked; what ends its sessions ran before this one. @throws SIGN_IN_REFUSED */
function requirePaired(devices: PairedDevices, secret: string): void {
  if (!devices.ofSecret(secret)) throw notOpened('This browser is not paired any more');
}

/** A missing user handle is left out. */
function answerOf({ response: { userHandle, ...response }, ...answer }: PasskeyAnswer) {
  return { ...answer, response: { ...response, ...(userHandle ? { userHandle } : {}) } };
}

function notOpened(message: string): AppError {
  return new AppError('SIGN_IN_REFUSED', message);
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
