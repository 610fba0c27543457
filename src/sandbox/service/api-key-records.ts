import { z } from 'zod';

const Instant = z.int();
const MaybeInstant = Instant.nullable();

/** An API key of the account; its text is not stored. Instants in epoch ms of the service's clock. */
export const ApiKeyRecord = z
  .object({
    id: z.string(),
    /** SHA-256 of the key's text, hex. */
    hash: z.string(),
    name: z.string(),
    scopes: z.array(z.string()),
    /** IP addresses and CIDR ranges; empty: all. */
    allow: z.array(z.string()),
    /** True: the settings name it; it is deleted when they no longer do. */
    configured: z.boolean(),
    createdAt: Instant,
    expiresAt: MaybeInstant,
    revokedAt: MaybeInstant,
    /** When the overlap after a roll ends. */
    overlapEndsAt: MaybeInstant,
    /** The key that replaces this one. */
    replacedBy: z.string().nullable(),
    /** Rounded to the minute. */
    lastUsedAt: MaybeInstant,
  })
  .readonly();
export type ApiKeyRecord = z.infer<typeof ApiKeyRecord>;

/** A line of the audit trail. */
export const KeyEventRecord = z
  .object({
    id: z.string(),
    type: z.enum(['created', 'rolled', 'revoked']),
    keyId: z.string(),
    at: Instant,
  })
  .readonly();
export type KeyEventRecord = z.infer<typeof KeyEventRecord>;
