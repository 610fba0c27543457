import type { DescribedRoute } from '../plugins/described-routes.ts';
import type { RefusalCode } from '../reply/refusals.ts';

const EVERYWHERE: readonly RefusalCode[] = [
  'VALIDATION_FAILED',
  'REQUEST_MALFORMED',
  'VERSION_UNSUPPORTED',
  'REQUEST_TOO_SLOW',
  'HEADERS_TOO_LARGE',
  'HOST_FOREIGN',
  'ORIGIN_FOREIGN',
  'SHUTTING_DOWN',
];
/** The body is read before a route rejects it: also where none is wanted, it must be JSON and small. */
const BODY: readonly RefusalCode[] = ['BODY_UNREADABLE', 'BODY_TOO_LARGE', 'CONTENT_TYPE_UNSUPPORTED'];
const KEYED: readonly RefusalCode[] = [
  'CREDENTIAL_MISSING',
  'CREDENTIAL_UNKNOWN',
  'CREDENTIAL_EXPIRED',
  'CREDENTIAL_REVOKED',
  'SCOPE_MISSING',
  'ADDRESS_NOT_ALLOWED',
  'RATE_LIMITED',
];
const IDEMPOTENT: readonly RefusalCode[] = ['IDEMPOTENCY_KEY_IN_PROGRESS', 'IDEMPOTENCY_KEY_MISMATCH'];

/** Every error that a request to this route can get: those of its kind, then its own. */
export function codesOf(route: DescribedRoute): readonly RefusalCode[] {
  return [
    ...new Set<RefusalCode>([
      ...EVERYWHERE,
      ...(route.access === 'socket_only' ? (['SOCKET_ONLY'] as const) : KEYED),
      // A parameter that cannot be decoded as an id is an unknown route.
      ...(route.path.includes('{') ? (['ROUTE_UNKNOWN'] as const) : []),
      ...(route.method === 'GET' ? [] : BODY),
      ...(route.refusesWithIssues ? (['SETTINGS_INVALID'] as const) : []),
      ...(route.body === null || route.refusesWithIssues ? [] : (['FIELD_MISSING'] as const)),
      ...(route.method === 'GET' ? [] : (['IDEMPOTENCY_KEY_INVALID'] as const)),
      ...(route.idempotent ? IDEMPOTENT : []),
      ...route.refusals,
    ]),
  ];
}
