/**
 * CORS for browser tills: a page of an origin of `listen.allowed_origins` may call `/v2` with a key. No cookie is ever allowed across origins, so a
 * page can do nothing without a key of its own.
 * Why not `@fastify/cors`: it answers preflights as a route of its own, which would need an exception in the rule that every route says who may call it.
 */

/** Response headers that a page's script may read. */
const EXPOSED = [
  'Retry-After',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
  'Idempotent-Replayed',
  'Service-Version',
  'Sunset',
  'Deprecation',
  'Age',
  'Location',
  'Payment-Status',
].join(', ');

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'authorization, x-api-key, x-service-key, content-type, idempotency-key, service-version, last-event-id, traceparent',
  'access-control-max-age': '600',
} as const;

/** Whether a page of another origin may ask for this address at all. */
export function isOfApi(url: string): boolean {
  return url.startsWith('/v2/');
}

/** The headers of every response to a page of this origin. */
export function crossOriginHeaders(origin: string) {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED,
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'Origin',
  };
}

/** The headers of the response to a preflight; null: the request is none. A preflight needs no key and does nothing. */
export function preflightHeaders(
  method: string | undefined,
  header: (name: string) => string | undefined,
): typeof PREFLIGHT | null {
  return method === 'OPTIONS' && header('access-control-request-method') !== undefined ? PREFLIGHT : null;
}
