import { z } from 'zod';
import { text } from './text.ts';

/** The public half of an agent's Ed25519 key (RFC 8037). */
export const PublicKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
});
export type PublicKey = z.infer<typeof PublicKey>;

/** `POST /v1/enrolments`: a shop joins by the code of its invitation. The request is signed with the key that it names. */
export const Enrolment = z.object({
  code: text(40),
  key: PublicKey,
  version: text(40),
});

export const Enrolled = z.object({
  agent_id: z.uuid(),
  tenant: z.object({ id: z.uuid(), name: z.string() }),
  shop: z.object({ id: z.uuid(), name: z.string() }),
});
export type Enrolled = z.infer<typeof Enrolled>;
