import { z } from 'zod';
import { Json } from './primitives.ts';

export const ErrorType = z.enum([
  'invalid_request_error',
  'authentication_error',
  'authorization_error',
  'card_error',
  'rate_limit_error',
  'idempotency_error',
  'api_error',
]);
export type ErrorType = z.infer<typeof ErrorType>;

/** The envelope of every error response except the idempotency ones. Branch on `code`. */
export const ErrorEnvelope = z.object({
  error: z.object({
    type: ErrorType,
    code: z.string(),
    message: z.string(),
    param: z.string().optional(),
    details: z.record(z.string(), Json).optional(),
    request_id: z.string().optional(),
    doc_url: z.string().optional(),
  }),
});
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;

/** The flat shape of idempotency errors. */
export const IdempotencyError = z.object({
  error: z.string(),
  code: z.enum(['IDEMPOTENCY_KEY_IN_PROGRESS', 'IDEMPOTENCY_KEY_MISMATCH', 'IDEMPOTENCY_KEY_INVALID']),
  originalRequestId: z.string(),
});
export type IdempotencyError = z.infer<typeof IdempotencyError>;

/** The flat shape of an unknown route, and of some look-ups. */
export const FlatError = z.object({ error: z.string(), request_id: z.string().optional() });
export type FlatError = z.infer<typeof FlatError>;
