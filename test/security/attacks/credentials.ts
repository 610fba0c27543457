import { type Attack, refused } from '../attack.ts';
import type { Field } from '../field.ts';
import type { Keys } from '../keys.ts';
import { DEVICES, PAYMENTS, type Parts, request, STREAM, sale } from '../request.ts';

const KEY = 'keys';
const SCOPE = 'scopes';
const NOBODY = '0199c0de-0000-7000-8000-00000000dead';
const CHALLENGE = ['www-authenticate', /^Bearer realm="[^"]+"$/] as const;

const unauthenticated = (code: string) => ({ status: 401, code, header: CHALLENGE });
const lacking = { status: 403, code: 'insufficient_permissions' } as const;

const none = unauthenticated('authentication_failed');
const unknown = unauthenticated('invalid_api_key');

/** Keys that are none, over, or too small. */
export const CREDENTIALS: readonly Attack[] = [
  refused(KEY, 'no key', none, (field) => sale(field, { key: null })),
  refused(KEY, 'an empty key', none, (field) => sale(field, { key: '' })),
  refused(KEY, 'another scheme', none, (field) =>
    sale(field, { key: null, headers: ['Authorization: Basic YTpi'] }),
  ),
  refused(KEY, 'Bearer and nothing', none, (field) =>
    sale(field, { key: null, headers: ['Authorization: Bearer '] }),
  ),
  refused(KEY, 'a key in the query', none, (field) =>
    sale(field, { key: null, target: `${PAYMENTS}?x-api-key=${field.keys.full}&api_key=${field.keys.full}` }),
  ),
  refused(KEY, 'a key in a cookie', none, (field) =>
    sale(field, { key: null, headers: [`Cookie: x-api-key=${field.keys.full}`] }),
  ),
  refused(KEY, 'two keys in two headers', none, (field) =>
    sale(field, { headers: [`Authorization: Bearer ${field.keys.other}`] }),
  ),
  refused(KEY, 'two keys in one header, twice', none, (field) =>
    sale(field, { headers: [`x-api-key: ${field.keys.other}`] }),
  ),
  refused(KEY, 'two Authorization headers', none, (field) =>
    sale(field, {
      key: null,
      headers: [`Authorization: Bearer ${field.keys.full}`, `Authorization: Bearer ${field.keys.other}`],
    }),
  ),
  ...malformed(),
  refused(KEY, 'unknown', unknown, (field) => sale(field, { key: field.keys.unknown })),
  refused(KEY, 'of the other environment, known here', unknown, (field) =>
    sale(field, { key: field.keys.live }),
  ),
  refused(KEY, 'expired', unauthenticated('expired_api_key'), (field) =>
    sale(field, { key: field.keys.expired }),
  ),
  refused(KEY, 'rolled away, without an overlap', unauthenticated('expired_api_key'), (field) =>
    sale(field, { key: field.keys.rolled }),
  ),
  refused(KEY, 'revoked', unauthenticated('api_key_revoked'), (field) =>
    sale(field, { key: field.keys.revoked }),
  ),
  refused(KEY, 'held to other addresses', { status: 403, code: 'ip_not_allowed' }, (field) =>
    sale(field, { key: field.keys.elsewhere }),
  ),
  ...[
    'X-Forwarded-For: 10.0.0.1',
    'Forwarded: for=10.0.0.1',
    'X-Real-IP: 10.0.0.1',
    'True-Client-IP: 10.0.0.1',
  ].map((header) =>
    refused(
      KEY,
      `held to other addresses, with ${header}`,
      { status: 403, code: 'ip_not_allowed' },
      (field) => sale(field, { key: field.keys.elsewhere, headers: [header] }),
    ),
  ),
  refused(KEY, 'as the name of a parameter, beside a good key', { status: 400 }, (field) =>
    request(field, { target: `${DEVICES}?${field.keys.other}=1` }),
  ),
  refused(KEY, 'as the name of a field, beside a good key', { status: 400 }, (field) =>
    sale(field, { body: JSON.stringify({ [field.keys.other]: 1 }) }),
  ),

  ...scopeRows(),
];

function malformed(): readonly Attack[] {
  const forms: readonly (readonly [string, (keys: Keys) => string])[] = [
    ['a word', () => 'sesame'],
    ['a key with a tail', ({ full }) => `${full}x`],
    ['a key cut short', ({ full }) => full.slice(0, -1)],
    ['in other case', ({ full }) => full.toUpperCase()],
    ['quoted', ({ full }) => `"${full}"`],
    ['with a blank inside', ({ full }) => `${full.slice(0, 20)} ${full.slice(20)}`],
    ['8,000 characters', ({ full }) => full + 'A'.repeat(8_000)],
    ['letters beyond ASCII', ({ full }) => `${full.slice(0, -1)}\u00e9`],
    ['percent-encoded', ({ full }) => full.replaceAll('_', '%5F')],
    ['SQL', () => "rk_sandbox_' OR 1=1 --"],
    ['a prototype name', () => '__proto__'],
  ];
  const rows = forms.map(([name, key]) =>
    refused(KEY, `malformed: ${name}`, unknown, (field) => sale(field, { key: key(field.keys) })),
  );
  const control = [
    ['a NUL', '\0'],
    ['a line feed', '\n'],
    ['a carriage return', '\r'],
    ['a bell', '\u0007'],
  ] as const;
  const broken = control.map(([name, mark]) =>
    refused(KEY, `with ${name} inside`, { status: 400, closes: true }, (field) =>
      sale(field, { key: `${field.keys.full.slice(0, 20)}${mark}${field.keys.full.slice(20)}` }),
    ),
  );
  return [...rows, ...broken];
}

function scopeRows(): readonly Attack[] {
  const post = (target: string): Parts => ({ method: 'POST', target });
  const rows: readonly (readonly [keyof Keys, Parts, RegExp])[] = [
    ['writer', { target: PAYMENTS }, /payments:read/],
    ['writer', { target: `${PAYMENTS}/${NOBODY}` }, /payments:read/],
    ['writer', { target: `${PAYMENTS}/${NOBODY}/explain` }, /payments:read/],
    ['writer', { target: DEVICES }, /payments:read/],
    ['reader', post(PAYMENTS), /payments:write/],
    ['reader', post(`${PAYMENTS}/${NOBODY}/cancel`), /payments:write/],
    ['reader', post(`${PAYMENTS}/${NOBODY}/refund`), /payments:write/],
    ['reader', post(`${PAYMENTS}/${NOBODY}/void`), /payments:write/],
    ['reader', post(`${PAYMENTS}/${NOBODY}/resolve`), /payments:write/],
    ['reader', post(`${DEVICES}/${NOBODY}/end-of-day`), /payments:write/],
    ['reader', { target: '/v2/events' }, /webhooks:read/],
    ['reader', { target: STREAM }, /webhooks:read/],
    ['listener', post(PAYMENTS), /payments:write/],
    ['listener', { target: PAYMENTS }, /payments:read/],
  ];
  const small = rows.map(([key, parts, required]) =>
    refused(
      SCOPE,
      `${key} at ${parts.method ?? 'GET'} ${parts.target}`,
      { ...lacking, body: required },
      (field) => request(field, { ...parts, key: field.keys[key] }),
    ),
  );
  const inner = ['/v2/status', '/v2/keys'].map((target) =>
    refused(
      SCOPE,
      `everything at ${target}, over TCP`,
      { status: 403, code: 'internal_only' },
      (field: Field) => request(field, { target }),
    ),
  );
  const made = refused(
    SCOPE,
    'a key that makes itself another',
    { status: 403, code: 'internal_only' },
    (field) => request(field, { method: 'POST', target: '/v2/keys', body: '{"scopes":["settings:write"]}' }),
  );
  return [...small, ...inner, made];
}
