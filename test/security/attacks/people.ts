import { type Attack, type Refusal, refused } from '../attack.ts';
import type { Field } from '../field.ts';
import { type Parts, request } from '../request.ts';

const PEOPLE = 'people';
const ID = '0199c0de-0000-7000-8000-00000000dead';
const INTERNAL: Refusal = { status: 403, code: 'internal_only' };
const NO_KEY: Refusal = { status: 401, code: 'authentication_failed' };
const INVALID: Refusal = { status: 400 };
const NOTHING_OPENS: Refusal = { status: 401, code: 'sign_in_code_invalid' };
const NO_PERSON: Refusal = { status: 403, code: 'person_required' };

const json = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) });
const row = (name: string, refusal: Refusal, parts: Parts | ((field: Field) => Parts)) =>
  refused(PEOPLE, name, refusal, (field) =>
    request(field, typeof parts === 'function' ? parts(field) : parts),
  );
const signIn = (name: string, refusal: Refusal, body: unknown, headers: readonly string[] = []) =>
  row(name, refusal, { ...json(body), target: '/v2/sessions', key: null, headers });

/** What is for the unix socket and for people who are signed in as ops, asked for with an API key that may do everything. */
const NOT_FOR_KEYS: readonly (readonly [string, Parts])[] = [
  ['adds a person', { ...json({ name: 'Eve', role: 'ops' }), target: '/v2/people' }],
  ['lists people', { target: '/v2/people' }],
  ['ends the sign-in of a person', { ...json({}), target: `/v2/people/${ID}/disable` }],
  ['reads the audit trail', { target: '/v2/audit' }],
  ['makes a code to sign in', { ...json({ role: 'ops' }), target: '/v2/sign-in-codes' }],
  ['makes a code for a person', { ...json({ person: 'Anna' }), target: '/v2/sign-in-codes' }],
  ['makes a pairing code', { ...json({}), target: '/v2/pairing-codes' }],
  ['lists paired browsers', { target: '/v2/paired-devices' }],
  ['withdraws a paired browser', { ...json({}), target: `/v2/paired-devices/${ID}/withdraw` }],
];

/** What a person who is signed in does to their own sign-in. */
const OF_A_PERSON: readonly (readonly [string, Parts])[] = [
  ['sets a PIN', { method: 'PUT', body: '{"pin":"402917"}', target: '/v2/pin' }],
  ['asks for the challenge of a new passkey', { ...json({}), target: '/v2/passkey-challenges' }],
  ['lists passkeys', { target: '/v2/passkeys' }],
  ['removes a passkey', { method: 'DELETE', target: '/v2/passkeys/AAAA' }],
];

const ANSWER = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' },
};
const withResponse = (more: object) => ({
  passkey: { ...ANSWER, response: { ...ANSWER.response, ...more } },
});
const COOKIE = 'tilld-device';

/** People, their passkeys and PINs, for a caller who is none of them. */
export const PEOPLE_ATTACKS: readonly Attack[] = [
  ...NOT_FOR_KEYS.map(([name, parts]) => row(`a key that ${name}`, INTERNAL, parts)),
  ...NOT_FOR_KEYS.slice(0, 7).map(([name, parts]) =>
    row(`the user header over TCP ${name}`, INTERNAL, { ...parts, headers: ['X-Tilld-User: root'] }),
  ),
  ...OF_A_PERSON.map(([name, parts]) => row(`a key that ${name}`, NO_PERSON, parts)),
  ...OF_A_PERSON.map(([name, parts]) => row(`a stranger who ${name}`, NO_KEY, { ...parts, key: null })),
  signIn('a PIN at a browser that is not paired', NOTHING_OPENS, { person: ID, pin: '402917' }),
  ...['', 'x', "' OR 1=1 --", 'A'.repeat(43), 'A'.repeat(4_000)].map((secret) =>
    refused(PEOPLE, `a PIN with the forged device secret ${secret.slice(0, 12)}`, NOTHING_OPENS, (field) =>
      request(field, {
        ...json({ person: ID, pin: '402917' }),
        target: '/v2/sessions',
        key: null,
        headers: [`Cookie: ${COOKIE}-${field.daemon.port}=${secret}`],
      }),
    ),
  ),
  signIn('a PIN of no person', INVALID, { pin: '402917' }),
  signIn('a PIN of a person that is none', INVALID, { person: '__proto__', pin: '402917' }),
  signIn('a PIN of 100,000 digits', INVALID, { person: ID, pin: '1'.repeat(60_000) }),
  signIn('a PIN that is a number', INVALID, { person: ID, pin: 402_917 }),
  signIn('a PIN beside a code', INVALID, { person: ID, pin: '402917', code: '12345678' }),
  signIn('a passkey that is not known', NOTHING_OPENS, { passkey: ANSWER }),
  signIn('a passkey with another type', INVALID, { passkey: { ...ANSWER, type: 'password' } }),
  signIn('a passkey without an answer', INVALID, { passkey: { ...ANSWER, response: {} } }),
  signIn('a passkey whose bytes are none', INVALID, withResponse({ signature: '<script>' })),
  signIn('a passkey of 60,000 bytes', INVALID, withResponse({ authenticatorData: 'A'.repeat(60_000) })),
  signIn('a passkey with the id __proto__', NOTHING_OPENS, { passkey: { ...ANSWER, id: '__proto__' } }),
  signIn('a passkey with an empty id', INVALID, { passkey: { ...ANSWER, id: '' } }),
  signIn('a code that is not known', NOTHING_OPENS, { code: '00000000' }),
  signIn('a code in other digits', INVALID, { code: '１２３４５６７８' }),
  signIn('nothing', INVALID, {}),
  row('pairing with a code that is not known', NOTHING_OPENS, {
    ...json({ code: '00000000', name: 'tablet' }),
    target: '/v2/paired-devices',
    key: null,
  }),
  row('pairing under a name with control characters', INVALID, {
    ...json({ code: '00000000', name: 'a\u0000b' }),
    target: '/v2/paired-devices',
    key: null,
  }),
  row(
    'a sign-in from a foreign page',
    { status: 403, code: 'origin_not_allowed' },
    {
      ...json({ passkey: ANSWER }),
      target: '/v2/sessions',
      key: null,
      headers: ['Origin: https://evil.example'],
    },
  ),
  row(
    'a sign-in challenge for a foreign host',
    { status: 421 },
    {
      ...json({}),
      target: '/v2/sign-in-challenges',
      key: null,
      host: 'evil.example',
    },
  ),
];
