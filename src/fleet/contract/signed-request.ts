import { z } from 'zod';

/**
 * How an agent proves who it is: a JWT (RFC 7519) in `Authorization: Bearer`, signed with its key (EdDSA), for exactly one request. It says nothing of
 * time, because a shop's clock may be wrong by years; what a repeated request would do is decided by its sequence numbers.
 */
export const RequestClaims = z.object({
  /** The tenant and the agent, `<uuid>/<uuid>`; absent in an enrolment. */
  iss: z.string().max(73).optional(),
  /** The method, `POST`. */
  htm: z.string().max(10),
  /** The path, like `/v1/journal`. */
  htu: z.string().max(200),
  /** SHA-256 of the body, base64url. */
  digest: z.string().max(43),
});
export type RequestClaims = z.infer<typeof RequestClaims>;
