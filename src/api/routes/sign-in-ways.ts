import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Api, Caller, RoutePlugin } from '../api.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import {
  NewPasskey,
  PairDevice,
  PairedDevice,
  PairingCode,
  Passkey,
  PasskeyOptions,
  Pin,
  SignInOptions,
} from '../contract/sign-in.ts';
import type { LanAddress } from '../lan/lan-address.ts';
import type { PairedDevices } from '../people/paired-devices.ts';
import type { Passkeys } from '../people/passkeys.ts';
import type { People } from '../people/people.ts';
import { actOf } from '../people/person.ts';
import type { Pins } from '../people/pins.ts';
import { siteOf } from '../people/site.ts';
import type { PageSessionStore, Person, SignInStore } from '../ports.ts';
import { instant } from '../render/instant.ts';
import { renderPairedDevice, renderPasskey } from '../render/sign-in.ts';
import { setDeviceCookie, shownDeviceSecret, shownTokens } from '../sessions/cookie.ts';
import type { OneTimeCodes } from '../sessions/one-time-codes.ts';
import { hashOf } from '../sessions/sessions.ts';
import type { EventStreams } from '../stream/event-streams.ts';
import { listReply, listShape, VersionQuery } from './list-reply.ts';

const TAG = 'Pages';
/** Who changes how they sign in has just signed in: a till that was left alone must not give anyone a way in for ever. */
const FRESH_MS = 600_000;
const OF_CHANGE = ['PERSON_MISSING', 'SIGN_IN_NOT_FRESH'] as const;
const STORING = ['STORAGE_FULL', 'STORAGE_FAILED'] as const;

/** The ways in which named people sign in, beside codes. */
export interface SignInWays {
  readonly store: SignInStore;
  readonly people: People;
  readonly passkeys: Passkeys;
  readonly pins: Pins;
  readonly devices: PairedDevices;
  /** A code carries who made it. */
  readonly pairing: OneTimeCodes<string>;
}

export interface SignInWayDeps extends SignInWays {
  readonly sessions: Pick<PageSessionStore, 'endOthers' | 'paired'>;
  readonly clock: Clock;
  readonly urls: () => { readonly local: string };
  readonly lan: () => LanAddress | null;
  readonly streams: Pick<EventStreams, 'endRefused'>;
}

/** Passkeys and PINs of people, and the browsers on which a PIN is good. */
export function signInWayRoutes(deps: SignInWayDeps): RoutePlugin {
  return async (api) => {
    optionsRoute(api, deps);
    challengeRoutes(api, deps);
    passkeyRoutes(api, deps);
    pinRoute(api, deps);
    pairingRoutes(api, deps);
    pairedRoutes(api, deps);
  };
}

function optionsRoute(api: Api, { people, devices, store, lan }: SignInWayDeps): void {
  api.route({
    method: 'GET',
    url: '/v2/sign-in-options',
    schema: { querystring: VersionQuery },
    config: {
      operationId: 'getSignInOptions',
      tag: TAG,
      hidden: true,
      access: 'page',
      summary: 'How people may sign in at this browser.',
      replies: [{ status: 200, description: 'The ways.', schema: dataOf(SignInOptions) }],
      refusals: [],
    },
    handler: ({ header }) => {
      const device = devices.ofSecret(shownDeviceSecret(header));
      const withPin = device
        ? people.list().filter(({ id, disabledAt }) => disabledAt === null && store.pinOf(id))
        : [];
      const data: SignInOptions = {
        device: device && { id: device.id, name: device.name },
        people: withPin.map(({ id, name }) => ({ id, name })),
        shop_url: lan()?.url ?? null,
      };
      return { data };
    },
  });
}

function challengeRoutes(api: Api, { passkeys, clock }: SignInWayDeps): void {
  const shared = { tag: TAG, hidden: true } as const;
  api.route({
    method: 'POST',
    url: '/v2/sign-in-challenges',
    schema: { querystring: VersionQuery },
    config: {
      ...shared,
      operationId: 'createSignInChallenge',
      access: 'page',
      summary: 'What a browser needs to sign a person in with a passkey, once and within five minutes.',
      replies: [{ status: 201, description: 'Options of WebAuthn.', schema: dataOf(PasskeyOptions) }],
      refusals: [],
    },
    handler: async (request) => ({ data: await passkeys.authentication(siteOf(request)) }),
  });
  api.route({
    method: 'POST',
    url: '/v2/passkey-challenges',
    schema: { querystring: VersionQuery },
    config: {
      ...shared,
      operationId: 'createPasskeyChallenge',
      access: 'payments:read',
      summary: 'What a browser needs to make a passkey for the person who is signed in.',
      replies: [{ status: 201, description: 'Options of WebAuthn.', schema: dataOf(PasskeyOptions) }],
      refusals: [...OF_CHANGE, 'PASSKEYS_EXHAUSTED'],
    },
    handler: async (request) => ({
      data: await passkeys.registration(changing(request.caller, clock), siteOf(request)),
    }),
  });
}

function passkeyRoutes(api: Api, { passkeys, sessions, streams, clock }: SignInWayDeps): void {
  const shared = { tag: TAG, hidden: true } as const;
  api.route({
    method: 'POST',
    url: '/v2/passkeys',
    schema: { querystring: VersionQuery, body: NewPasskey },
    config: {
      ...shared,
      operationId: 'addPasskey',
      access: 'payments:read',
      summary: 'Add a passkey of the person who is signed in.',
      replies: [{ status: 201, description: 'The passkey.', schema: dataOf(Passkey) }],
      refusals: [...OF_CHANGE, 'PASSKEY_REFUSED', 'PASSKEYS_EXHAUSTED', ...STORING],
    },
    handler: async (request) => {
      const { caller, body } = request;
      const response = { ...body, clientExtensionResults: {} };
      const made = await passkeys.register(changing(caller, clock), response, siteOf(request), caller.from);
      return { data: renderPasskey(made) };
    },
  });
  api.route({
    method: 'GET',
    url: '/v2/passkeys',
    schema: { querystring: VersionQuery },
    config: {
      ...shared,
      operationId: 'listPasskeys',
      access: 'payments:read',
      summary: 'The passkeys of the person who is signed in, oldest first.',
      replies: [listShape(Passkey, 'All of them.')],
      refusals: ['PERSON_MISSING'],
    },
    handler: ({ caller, serviceVersion }) => {
      const items = passkeys.of(personOf(caller).id).map(renderPasskey);
      return listReply(serviceVersion, wholeList(items, '/v2/passkeys'));
    },
  });
  api.route({
    method: 'DELETE',
    url: '/v2/passkeys/:id',
    schema: { params: z.strictObject({ id: z.string().max(1_366) }), querystring: VersionQuery },
    config: {
      ...shared,
      operationId: 'removePasskey',
      access: 'payments:read',
      summary: 'Remove a passkey of the person who is signed in.',
      replies: [{ status: 200, description: 'The rest.', schema: dataOf(z.array(Passkey)) }],
      refusals: [...OF_CHANGE, 'PASSKEY_UNKNOWN', ...STORING],
    },
    handler: ({ params, caller }) => {
      const person = changing(caller, clock);
      passkeys.remove(person, params.id, caller.from);
      endOthers(caller, sessions, streams);
      return { data: passkeys.of(person.id).map(renderPasskey) };
    },
  });
}

function pinRoute(api: Api, { pins, sessions, streams, clock }: SignInWayDeps): void {
  api.route({
    method: 'PUT',
    url: '/v2/pin',
    schema: { querystring: VersionQuery, body: z.strictObject({ pin: Pin }) },
    config: {
      operationId: 'setPin',
      tag: TAG,
      hidden: true,
      access: 'payments:read',
      summary: 'Set the PIN of the person who is signed in; it is good on paired devices.',
      replies: [
        { status: 200, description: 'It is set.', schema: dataOf(z.object({ set: z.literal(true) })) },
      ],
      refusals: [...OF_CHANGE, 'PIN_WEAK', ...STORING],
    },
    handler: async ({ body, caller }) => {
      await pins.set(changing(caller, clock), body.pin, caller.from);
      endOthers(caller, sessions, streams);
      return { data: { set: true } };
    },
  });
}

function pairingRoutes(api: Api, { pairing, devices, sessions, urls, lan }: SignInWayDeps): void {
  api.route({
    method: 'POST',
    url: '/v2/pairing-codes',
    schema: { querystring: VersionQuery },
    config: {
      operationId: 'createPairingCode',
      tag: TAG,
      hidden: true,
      access: 'socket_only',
      role: 'lead',
      summary: 'Make a code that pairs one browser of the shop, once and within five minutes.',
      replies: [{ status: 201, description: 'The code, once.', schema: dataOf(PairingCode) }],
      refusals: [],
    },
    handler: ({ caller }) => {
      const { code, expiresAt } = pairing.make(actOf(caller).who);
      const shop = lan();
      const data: PairingCode = {
        code,
        url: `${shop?.url ?? urls().local}/#/pair`,
        trust: shop && { url: shop.trustUrl, fingerprint: shop.fingerprint },
        expires_at: instant(expiresAt),
      };
      return { data };
    },
  });
  api.route({
    method: 'POST',
    url: '/v2/paired-devices',
    schema: { querystring: VersionQuery, body: PairDevice },
    config: {
      operationId: 'pairDevice',
      tag: TAG,
      hidden: true,
      access: 'page',
      summary: 'Pair the browser that asks; its secret is in the cookie.',
      replies: [{ status: 201, description: 'The device.', schema: dataOf(PairedDevice) }],
      refusals: ['SIGN_IN_REFUSED', 'RATE_LIMITED', 'DEVICES_EXHAUSTED', ...STORING],
    },
    handler: ({ body, caller, header, protocol }, reply) => {
      const who = pairing.use(body.code, caller.from);
      const { device, secret } = devices.pair(body.name, { who, from: caller.from });
      const tokens = shownTokens(header);
      if (tokens) sessions.paired(hashOf(tokens), device.id);
      reply.header('set-cookie', setDeviceCookie(secret, protocol, header('host') ?? ''));
      return { data: renderPairedDevice(device) };
    },
  });
}

function pairedRoutes(api: Api, { devices, streams }: SignInWayDeps): void {
  const shared = { tag: TAG, hidden: true, access: 'socket_only', role: 'ops' } as const;
  api.route({
    method: 'GET',
    url: '/v2/paired-devices',
    schema: { querystring: VersionQuery },
    config: {
      ...shared,
      operationId: 'listPairedDevices',
      summary: 'Paired browsers, newest first.',
      replies: [listShape(PairedDevice, 'All of them.')],
      refusals: [],
    },
    handler: ({ serviceVersion }) =>
      listReply(serviceVersion, wholeList(devices.list().map(renderPairedDevice), '/v2/paired-devices')),
  });
  api.route({
    method: 'POST',
    url: '/v2/paired-devices/:id/withdraw',
    schema: { params: z.strictObject({ id: Uuid }), querystring: VersionQuery },
    config: {
      ...shared,
      operationId: 'withdrawPairedDevice',
      summary:
        'End what a browser may, at once and for good: PINs open nothing there, and the sessions on it end.',
      replies: [{ status: 200, description: 'The device as it is now.', schema: dataOf(PairedDevice) }],
      refusals: ['PAIRED_DEVICE_UNKNOWN', ...STORING],
      idempotent: 'with_its_writes',
    },
    handler: ({ params, caller }) => {
      const device = devices.withdraw(params.id, actOf(caller));
      streams.endRefused();
      return { data: renderPairedDevice(device) };
    },
  });
}

function wholeList(items: readonly unknown[], url: string) {
  return { items, hasMore: false, url, limit: items.length, offset: 0, total: items.length };
}

/** @throws PERSON_MISSING */
function personOf({ person, session }: Pick<FastifyRequest, 'caller'>['caller'] & Caller): Person {
  if (person && session) return person;
  throw new AppError(
    'PERSON_MISSING',
    'This is about people who are signed in at the pages under their names',
  );
}

/** The person who changes how they sign in. @throws PERSON_MISSING, SIGN_IN_NOT_FRESH */
function changing(caller: Caller, clock: Clock): Person {
  const person = personOf(caller);
  const age = Math.abs(clock.now() - (caller.session?.createdAt ?? 0));
  if (age <= FRESH_MS) return person;
  throw new AppError(
    'SIGN_IN_NOT_FRESH',
    'Passkeys and the PIN are changed within ten minutes of a sign-in. Nothing was changed: sign out, sign in again, and change it then.',
  );
}

/** What was opened by a way that is gone ends, wherever it is; this browser goes on. */
function endOthers(
  { person, session }: Caller,
  sessions: SignInWayDeps['sessions'],
  streams: SignInWayDeps['streams'],
): void {
  if (!person || !session) return;
  sessions.endOthers(person.id, session.id);
  streams.endRefused();
}
