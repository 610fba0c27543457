import { z } from 'zod';
import { Enrolled, PublicKey } from '../contract/enrolment.ts';

/** The agent's Ed25519 key with its private part (RFC 8037). */
export const AgentKey = PublicKey.extend({ d: z.string().regex(/^[A-Za-z0-9_-]{43}$/) });
export type AgentKey = z.infer<typeof AgentKey>;

/** That this shop belongs to a fleet. `enrolled` is null while the hub's first answer is missing: the same key may ask again. */
export const Membership = z.object({
  hub_url: z.url(),
  key: AgentKey,
  enrolled: Enrolled.nullable(),
  /** Public Ed25519 keys of the operators whose commands this shop takes, base64url; a person here named them. */
  operator_keys: z.array(PublicKey.shape.x).default([]),
});
export type Membership = z.infer<typeof Membership>;

/** Where the membership is kept: with the credentials, because it holds a key. */
export interface MembershipPlace {
  /** null: there is none. @throws when it exists and cannot be read */
  read(): Membership | null;
  /** It is on disk when this returns. */
  keep(membership: Membership): void;
  remove(): void;
}
