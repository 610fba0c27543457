import { type Attack, type Refusal, refused } from '../attack.ts';
import { DEVICE_ID } from '../device.ts';
import { DEVICES, PAYMENTS, request, STREAM, sale } from '../request.ts';

const JSON_TRICKS = 'hostile JSON';
const HEADER = 'hostile values';
const INVALID = { status: 400, code: 'validation_error' } as const;
const UNREADABLE = { status: 400, code: 'invalid_request_error' } as const;
const FLAT = { status: 400, code: 'IDEMPOTENCY_KEY_INVALID' } as const;
const UNKNOWN_CURSOR = { status: 400, code: 'resource_missing' } as const;

const fields = (amount: string, more = '') =>
  `{"device_id":"${DEVICE_ID}","currency":"EUR","amount_minor":${amount}${more}}`;

const body = (name: string, text: string, refusal: Refusal = UNREADABLE): Attack =>
  refused(JSON_TRICKS, name, refusal, (field) => sale(field, { body: text }));

/** Well-framed requests with values that no honest client sends. */
export const VALUES: readonly Attack[] = [
  body('64 kB of [', '['.repeat(64_000)),
  body('64 kB of {"a":', '{"a":'.repeat(12_800)),
  body('nested 33 levels deep', fields('1', `,"metadata":${'{"a":'.repeat(33)}1${'}'.repeat(33)}`)),
  body('__proto__ as a field', fields('1', ',"__proto__":{"caller":"socket"}')),
  body('__proto__ in the metadata', fields('1', ',"metadata":{"__proto__":{"a":1}}')),
  body('__proto__ written in escapes', fields('1', ',"metadata":{"\\u005f_proto__":1}')),
  body('the amount twice', fields('1', ',"amount_minor":66600')),
  body('the amount twice, once in escapes', fields('1', ',"\\u0061mount_minor":66600')),
  body('a field twice, deep inside', fields('1', ',"metadata":{"a":[{"b":1,"b":2}]}')),
  body('constructor as a field', fields('1', ',"constructor":{"prototype":{}}'), INVALID),
  body('1e400', fields('1e400'), INVALID),
  body('1e3', fields('1e3'), INVALID),
  body('-0', fields('-0'), INVALID),
  body('1.0000000000000000001', fields('1.0000000000000000001'), INVALID),
  body('9007199254740993', fields('9007199254740993'), INVALID),
  body('a number of 60,000 digits', fields('9'.repeat(60_000)), INVALID),
  body('an amount in words', fields('"66600"'), INVALID),
  body('an amount in a list', fields('[66600]'), INVALID),
  body('NaN', fields('NaN')),
  body('a lone surrogate as the reference', fields('1', ',"reference":"\\ud800"'), INVALID),
  body('text that turns its direction', fields('1', ',"reference":"\\u202e0001"'), INVALID),
  body('a NUL in the reference', fields('1', ',"reference":"a\\u0000b"'), INVALID),
  body(
    'a currency with a NUL',
    `{"device_id":"${DEVICE_ID}","currency":"EUR\\u0000","amount_minor":1}`,
    INVALID,
  ),
  body('a byte order mark', `\ufeff${fields('0')}`, { status: 400 }),
  body('UTF-16', Buffer.from(fields('1'), 'utf16le').toString('latin1')),
  body('comments', `/* */${fields('1')}`),
  body('two documents', `${fields('1')}${fields('2')}`),
  body('a name of 60,000 letters', `{"${'a'.repeat(60_000)}":1}`, { status: 400 }),
  body(
    '5,000 unknown fields',
    JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`f${i}`, 1]))),
    { status: 400 },
  ),

  ...[
    ['of 256 characters', 'a'.repeat(256)],
    ['that is empty', ''],
    ['with letters beyond ASCII', 'caf\u00e9'],
    ['with a tab', 'a\tb'],
  ].map(([name, key]) =>
    refused(HEADER, `an Idempotency-Key ${name}`, FLAT, (field) =>
      sale(field, { headers: [`Idempotency-Key: ${key}`] }),
    ),
  ),
  refused(HEADER, 'two Idempotency-Keys', { status: 400 }, (field) =>
    sale(field, { headers: ['Idempotency-Key: a', 'Idempotency-Key: b'] }),
  ),
  refused(HEADER, 'an Idempotency-Key named __proto__, and a broken body', UNREADABLE, (field) =>
    sale(field, { headers: ['Idempotency-Key: __proto__'], body: '{' }),
  ),
  ...[
    'latest',
    '9999-99-99',
    '2026-05-01\u00e9',
    `2026-05-01${'0'.repeat(8_000)}`,
    '2026-02-30',
    '__proto__',
  ].map((version) =>
    refused(HEADER, `Service-Version ${version.slice(0, 30)}`, UNREADABLE, (field) =>
      sale(field, { headers: [`Service-Version: ${version}`] }),
    ),
  ),
  ...['__proto__', 'constructor', 'hasOwnProperty', 'toString'].map((name) =>
    refused(HEADER, `a header named ${name}, twice`, { status: 401 }, (field) =>
      sale(field, { key: null, headers: [`${name}: a`, `${name}: b`] }),
    ),
  ),
  refused(HEADER, 'two versions', { status: 400 }, (field) =>
    sale(field, { headers: ['Service-Version: 2026-05-01', 'Service-Version: 2026-01-15'] }),
  ),
  ...['evt_0', '__proto__', "' OR 1=1 --", '\u00e9', 'a'.repeat(65), 'a'.repeat(8_000)].map((id) =>
    refused(HEADER, `Last-Event-ID ${id.slice(0, 30)}`, UNKNOWN_CURSOR, (field) =>
      request(field, { target: STREAM, headers: [`Last-Event-ID: ${id}`] }),
    ),
  ),
  ...['constructor', '__proto__', '%00', 'evt_%27'].map((cursor) =>
    refused(HEADER, `the cursor ${cursor}`, UNKNOWN_CURSOR, (field) =>
      request(field, { target: `/v2/events?starting_after=${cursor}` }),
    ),
  ),
  ...['limit=0', 'limit=101', 'limit=', 'limit=1&limit=2', '__proto__=1', 'limit[$gt]=1'].map((query) =>
    refused(HEADER, `${DEVICES}?${query}`, INVALID, (field) =>
      request(field, { target: `${DEVICES}?${query}` }),
    ),
  ),
  refused(HEADER, 'a cursor that is a payment of nobody', UNKNOWN_CURSOR, (field) =>
    request(field, { target: `${PAYMENTS}?starting_after=${DEVICE_ID}` }),
  ),
];
