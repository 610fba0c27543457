/** Headers that a page's script may read on answers below `/v2`. The interface does not name the origins; no key is a cookie. */
export const CROSS_ORIGIN_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Retry-After, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
} as const;

/** The headers of a preflight response below `/v2`; a preflight needs no key and does nothing. */
export const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'GET, POST, PATCH, DELETE',
  'Access-Control-Allow-Headers':
    'authorization, x-api-key, x-service-key, content-type, idempotency-key, service-version',
  'Access-Control-Max-Age': '600',
} as const;

/** True for a path that pages of other origins may request; false for the control routes. */
export function isCrossOrigin(path: string): boolean {
  return path.startsWith('/v2/');
}
