import { z } from 'zod';
import { Timestamp, Uuid } from './primitives.ts';

export const Scope = z.enum([
  'payments:read',
  'payments:write',
  'webhooks:read',
  'webhooks:write',
  'settings:read',
  'settings:write',
]);
export type Scope = z.infer<typeof Scope>;

/** One IP address or a CIDR range, version 4 or 6. */
export const AddressRange = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

/** Body of `POST /v2/keys`, on the unix socket only. */
export const CreateKey = z.strictObject({
  name: z.string().min(1).max(64).default('till'),
  scopes: z.array(Scope).min(1),
  expires_in_days: z.int().min(1).max(3650).optional(),
  /** Addresses the key may be used from, as IP or CIDR; empty: any. */
  allow: z.array(AddressRange).max(32).default([]),
});
export type CreateKey = z.infer<typeof CreateKey>;

/** A key at the moment of its creation: the only time its secret is shown. */
export const CreatedKey = z.object({
  id: Uuid,
  key: z.string(),
  name: z.string(),
  scopes: z.array(Scope),
  created_at: Timestamp,
  expires_at: Timestamp.nullable(),
});
export type CreatedKey = z.infer<typeof CreatedKey>;

/** A key as the list shows it: never its secret, never its hash. */
export const KeySummary = z.object({
  id: Uuid,
  name: z.string(),
  scopes: z.array(Scope),
  allow: z.array(z.string()),
  created_at: Timestamp,
  expires_at: Timestamp.nullable(),
  revoked_at: Timestamp.nullable(),
  last_used_at: Timestamp.nullable(),
});
export type KeySummary = z.infer<typeof KeySummary>;
