import { z } from 'zod';
import { Enrolled, PublicKey } from '../contract/enrolment.ts';
import { CommandRecord } from './command-records.ts';
import { NamedOperator } from './commands.ts';

/** The agent's Ed25519 key with its private part (RFC 8037). */
export const AgentKey = PublicKey.extend({ d: z.string().regex(/^[A-Za-z0-9_-]{43}$/) });
export type AgentKey = z.infer<typeof AgentKey>;

/** That this shop belongs to a fleet. `enrolled` is null while the hub's first answer is missing: the same key may ask again. */
export const Membership = z.object({
  hub_url: z.url(),
  key: AgentKey,
  enrolled: Enrolled.nullable(),
  /** The operators whose commands this shop takes; a person here named them. */
  operators: z.array(NamedOperator).default([]),
  /** What the hub asked for. It is beside the key, so it cannot be lost alone: without it there is no agent that a command is for. */
  commands: z.array(CommandRecord).default([]),
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
