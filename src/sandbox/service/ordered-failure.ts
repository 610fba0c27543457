import { z } from 'zod';
import { flat, type Refusal, refuse } from './errors.ts';
import { tooMany } from './rate-limit.ts';

/** Status → type and code of the envelope. */
const ENVELOPES = {
  402: ['card_error', 'payment_failed'],
  403: ['authorization_error', 'forbidden'],
  404: ['invalid_request_error', 'resource_missing'],
  409: ['idempotency_error', 'idempotency_conflict'],
  429: ['rate_limit_error', 'rate_limit_exceeded'],
  500: ['api_error', 'internal_error'],
  501: ['api_error', 'not_implemented'],
  502: ['api_error', 'gateway_error'],
  503: ['api_error', 'service_unavailable'],
  504: ['api_error', 'gateway_error'],
} as const;

/** Status → code of the flat body about an `Idempotency-Key`; those of 400 and 503 are our own. */
const FLAT_CODES = {
  400: 'IDEMPOTENCY_KEY_INVALID',
  409: 'IDEMPOTENCY_KEY_IN_PROGRESS',
  422: 'IDEMPOTENCY_KEY_MISMATCH',
  503: 'IDEMPOTENCY_UNAVAILABLE',
} as const;

/** A failure that a test injects: the envelope, or the flat body of idempotency. */
export const OrderedFailure = z.strictObject({
  code: z.literal([400, 402, 403, 404, 409, 422, 429, 500, 501, 502, 503, 504]),
  flat: z.boolean().optional(),
  retry_after_s: z.int().min(1).max(3600).optional(),
});
type OrderedFailure = z.infer<typeof OrderedFailure>;

/** Its error response; a status that the requested shape does not have in the interface gets the other shape. */
export function refusalOf(failure: OrderedFailure, requestId: string): Refusal {
  const { code, retry_after_s } = failure;
  if (code === 400 || code === 422 || (failure.flat && (code === 409 || code === 503)))
    return flat(code, FLAT_CODES[code], 'It fails, as it was told to.', requestId);
  if (code === 429) return tooMany(retry_after_s ?? 1);
  const [type, word] = ENVELOPES[code];
  return refuse(code, word, 'It fails, as it was told to.', {
    type,
    headers: retry_after_s === undefined ? {} : { 'Retry-After': String(retry_after_s) },
  });
}
