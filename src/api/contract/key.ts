import { z } from 'zod';
import { AddressRange } from './address-range.ts';
import { Timestamp, Uuid, Words } from './primitives.ts';

export const Scope = z.enum([
  'payments:read',
  'payments:write',
  'webhooks:read',
  'webhooks:write',
  'invoices:read',
  'customers:read',
  'products:read',
  'subscriptions:read',
  'finance:read',
  'settings:read',
  'settings:write',
]);
export type Scope = z.infer<typeof Scope>;

/** State of a key: usable, past its expiry, or revoked by a person. An open set. */
export const KeyStatus = z.enum(['active', 'expired', 'revoked']);
export type KeyStatus = z.infer<typeof KeyStatus>;

/** The name of a key: 1–64 printable characters. */
const KeyName = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[\P{C}]+$/u, 'must hold printable characters only');

/** Body of `POST /v2/keys`, on the unix socket only. */
export const CreateKey = z.strictObject({
  name: KeyName.default('till'),
  scopes: z.array(Scope).min(1).max(32),
  expires_in_days: z.int().min(1).max(3650).optional(),
  allow: z
    .array(AddressRange)
    .max(32)
    .default([])
    .describe('Addresses the key may be used from, as IP or CIDR; empty: any.'),
  by: Words.optional().describe('Who does it, for the audit trail.'),
});
export type CreateKey = z.infer<typeof CreateKey>;

/** Body of `POST /v2/keys/{id}/roll`: how long the previous secret stays valid beside the new one; 0: it ends at once. */
export const RollKey = z.strictObject({
  overlap_hours: z.int().min(0).max(168).default(24),
  by: Words.optional(),
});
export type RollKey = z.infer<typeof RollKey>;

/** Body of `POST /v2/keys/{id}/revoke`. */
export const RevokeKey = z.strictObject({ by: Words.optional() });
export type RevokeKey = z.infer<typeof RevokeKey>;

/** A key at its creation: the only time its secret is shown. */
export const CreatedKey = z.object({
  id: Uuid,
  key: z.string(),
  name: z.string(),
  scopes: z.array(Scope),
  created_at: Timestamp,
  expires_at: Timestamp.nullable(),
});
export type CreatedKey = z.infer<typeof CreatedKey>;

/** A key with its new secret: the only time this secret is shown. */
export const RolledKey = CreatedKey.extend({
  overlap_ends_at: Timestamp.nullable().describe('When the secret before ends; null: it has ended.'),
});
export type RolledKey = z.infer<typeof RolledKey>;

/** A key in the list: never its secret, never its hash. */
export const KeySummary = z.object({
  id: Uuid,
  object: z.literal('api_key'),
  name: z.string(),
  scopes: z.array(Scope),
  allow: z.array(z.string()),
  status: KeyStatus,
  stale: z
    .boolean()
    .describe('It is active and was not used for 90 days; one that was never used counts from its creation.'),
  created_at: Timestamp,
  expires_at: Timestamp.nullable(),
  overlap_ends_at: Timestamp.nullable().describe(
    'It was rolled, and the secret before opens the door until then; null: only the newest one does.',
  ),
  revoked_at: Timestamp.nullable(),
  last_used_at: Timestamp.nullable().describe('To the minute.'),
});
export type KeySummary = z.infer<typeof KeySummary>;

/** Query of `GET /v2/keys`: newest first. */
export const ListKeys = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  offset: z.coerce.number().int().min(0).default(0),
  status: KeyStatus.optional(),
  stale: z.enum(['true', 'false']).optional(),
  version: z.string().optional(),
});
export type ListKeys = z.infer<typeof ListKeys>;

/** One entry of a key's audit trail. The trail is append-only. */
export const KeyAudit = z.object({
  object: z.literal('api_key_audit'),
  key_id: Uuid,
  event: z.enum(['created', 'rolled', 'revoked']),
  at: Timestamp,
  caller: z.string().describe('How it was asked for: socket.'),
  by: z.string().nullable().describe('Who says to have done it.'),
  overlap_ends_at: Timestamp.nullable().describe('rolled: when the secret before ends; null: at once.'),
});
export type KeyAudit = z.infer<typeof KeyAudit>;
