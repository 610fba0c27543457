import { z } from 'zod';
import { Timestamp, Uuid } from './primitives.ts';
import { Role } from './session.ts';

const Name = z
  .string()
  .max(64)
  .regex(/^(?! )[\P{C}]+(?<! )$/u, 'must be 1 to 64 printable characters, without a blank at either end');

/** Body of `POST /v2/people`. */
export const AddPerson = z.strictObject({
  name: Name,
  role: Role,
  system_user: z
    .string()
    .regex(/^[a-z_][a-z0-9_.-]{0,31}\$?$/i, 'must be the name of a user of this machine')
    .optional(),
});
export type AddPerson = z.infer<typeof AddPerson>;

/** A named person of the shop. */
export const Person = z.object({
  id: Uuid,
  object: z.literal('person'),
  name: z.string(),
  role: Role,
  status: z.enum(['active', 'disabled']),
  system_user: z.string().nullable(),
  created_at: Timestamp,
  disabled_at: Timestamp.nullable(),
});
export type Person = z.infer<typeof Person>;

/** Query of the lists of people and of the audit trail: offset pagination. */
export const ListPeople = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  offset: z.coerce.number().int().min(0).default(0),
  version: z.string().optional(),
});

export const AuditEvent = z.enum([
  'person_added',
  'person_disabled',
  'signed_in',
  'pin_set',
  'pin_refused',
  'passkey_added',
  'passkey_removed',
  'device_paired',
  'device_withdrawn',
  'refund_requested',
  'void_requested',
  'task_confirmed',
  'task_declined',
  'key_created',
  'key_rolled',
  'key_revoked',
  'trail_cut',
]);

/** An entry of the audit trail of people and keys. */
export const AuditTrailEntry = z.object({
  object: z.literal('audit_entry'),
  seq: z.int().describe('Its number in the chain.'),
  at: Timestamp,
  event: AuditEvent,
  subject: z.string().describe('Id of the person, key, browser, sale or task.'),
  name: z.string().nullable().describe('Of the person, key or browser.'),
  who: z
    .string()
    .describe('The person, the user of this machine, the key or, for a wrong PIN, the browser that did it.'),
  from: z.string().describe('An address, or `socket`.'),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
});
export type AuditTrailEntry = z.infer<typeof AuditTrailEntry>;
