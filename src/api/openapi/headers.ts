import type { DescribedRoute } from '../plugins/described-routes.ts';

const HTTP_DATE = { type: 'string', examples: ['Sun, 15 Nov 2026 00:00:00 GMT'] } as const;
const WHOLE = { type: 'integer', minimum: 0 } as const;
const SECONDS = { type: 'integer', minimum: 1, examples: [2] } as const;

/** Response headers by their component names. */
export const HEADERS = {
  'X-Request-Id': {
    description: 'Names this request in the log: quote it when you report a problem.',
    required: true,
    schema: { type: 'string', pattern: '^req_', examples: ['req_0199c0de-0000-7000-8000-00000000000a'] },
  },
  'Service-Version': {
    description: 'The version that answered.',
    required: true,
    schema: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-05-01'] },
  },
  Sunset: {
    description: 'Under a deprecated version: the date from which a release may remove it.',
    schema: HTTP_DATE,
  },
  Deprecation: { description: 'Under a deprecated version: the same date as Sunset.', schema: HTTP_DATE },
  'X-RateLimit-Limit': { description: 'Requests a minute for this key.', schema: WHOLE },
  'X-RateLimit-Remaining': { description: 'Requests that are left right now.', schema: WHOLE },
  'X-RateLimit-Reset': {
    description: 'When all of them are there again: UNIX time in seconds.',
    schema: WHOLE,
  },
  'Retry-After': { description: 'Seconds to wait.', required: true, schema: SECONDS },
  'Retry-After-Soon': {
    description: 'Seconds to wait, where waiting helps. Sent as Retry-After.',
    schema: SECONDS,
  },
  'WWW-Authenticate': {
    description: 'The challenge.',
    required: true,
    schema: { type: 'string', pattern: '^Bearer realm=', examples: ['Bearer realm="tilld"'] },
  },
  Age: {
    description:
      'How old what the mirror holds is, in whole seconds: since `fresh_at`. Absent where that is null.',
    schema: WHOLE,
  },
  'Idempotent-Replayed': {
    description:
      'The stored answer to an earlier request with the same Idempotency-Key: it says how things were then.',
    schema: { type: 'string', const: 'true' },
  },
  Location: {
    description:
      'The address of the payment: GET it for what it is now. Absent in a replay once the payment is not stored any more, and in the first answer to a cancel or a decision.',
    schema: {
      type: 'string',
      pattern: '^/v2/terminal-payments/',
      examples: ['/v2/terminal-payments/0199c0de-0000-7000-8000-000000000101'],
    },
  },
  'Payment-Status': {
    description:
      'In a replay: the status that the payment has now, one of PaymentStatus. The body has the one of then: believe this header, and GET the payment.',
    schema: { type: 'string', examples: ['succeeded'] },
  },
} as const;

type HeaderName = keyof typeof HEADERS;

const ALWAYS: readonly HeaderName[] = ['X-Request-Id', 'Service-Version', 'Sunset', 'Deprecation'];
const LIMITED: readonly HeaderName[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
/** Sent before the request can be read: nothing is known of it. */
const UNREAD: readonly number[] = [408, 431];
/** Sent before the key is checked. */
const KEYLESS: readonly number[] = [401, 421];

/** The headers of a response with this status, each a reference into `components.headers`. */
export function headersOf(route: DescribedRoute, status: number): Readonly<Record<string, object>> {
  if (UNREAD.includes(status)) return {};
  const limited = route.access !== 'socket_only' && !KEYLESS.includes(status);
  const replayed = route.idempotent !== undefined && status < 300;
  const showsPayment = route.showsPayment || route.idempotent === 'with_its_payment';
  return {
    ...pointers(ALWAYS),
    ...(limited ? pointers(LIMITED) : {}),
    ...(status === 401 ? pointers(['WWW-Authenticate']) : {}),
    ...(status === 429 ? pointers(['Retry-After']) : {}),
    ...(status === 503 ? { 'Retry-After': pointer('Retry-After-Soon') } : {}),
    ...(route.isMirrored && status < 300 ? pointers(['Age']) : {}),
    ...(replayed ? pointers(['Idempotent-Replayed']) : {}),
    ...(showsPayment && status < 300 ? pointers(['Location', 'Payment-Status']) : {}),
  };
}

function pointers(names: readonly HeaderName[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, pointer(name)]));
}

function pointer(name: HeaderName) {
  return { $ref: `#/components/headers/${name}` };
}
