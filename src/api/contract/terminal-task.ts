import { z } from 'zod';
import { Cursor, Timestamp, Uuid, Words } from './primitives.ts';
import { Role } from './session.ts';

/** Who asks for a task of the fleet, and for what. */
const Asked = z.object({
  operator: z.string().describe('By the name that this shop gave to their key.'),
  command: z
    .string()
    .describe('`end_of_day`, `resolve`, `retry_report`, `drop_report`, `adopt`; an open set.'),
  role: Role.describe('The least role of a person who does or declines it.'),
  report_id: z.string().nullable(),
  reason: z.string().nullable().describe('What the operator says; null: nothing.'),
  expires_at: Timestamp,
  begun_by: z.string().nullable().describe('Who has begun it; null: no person.'),
});

/** Work that only a person can do. It stays open until a named person reports it done. Kinds are an open set. */
export const TerminalTask = z.object({
  id: Uuid,
  object: z.literal('terminal_task'),
  kind: z.string(),
  payment_id: Uuid.nullable().describe('What it is about: one of the three, or `asked.report_id`.'),
  settlement_id: Uuid.nullable(),
  device_id: Uuid.nullable(),
  message: z.string().describe('Whether the customer was charged and what to do now, in words.'),
  created_at: Timestamp,
  asked: Asked.nullable()
    .default(null)
    .describe(
      'An operator of the fleet asks for it: a person of this shop does or declines it. null: it is of this shop.',
    ),
  done: z.object({ by: z.string(), note: z.string(), at: Timestamp }).nullable(),
});
export type TerminalTask = z.infer<typeof TerminalTask>;

/** Query of `GET /v2/terminal-tasks`: oldest first; `open` true leaves out finished tasks. */
export const ListTerminalTasks = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  starting_after: Cursor.optional(),
  open: z.enum(['true', 'false']).default('false'),
  version: z.string().optional(),
});

/** Body of `POST /v2/terminal-tasks/{id}/done`: who did it, and the result. */
export const FinishTerminalTask = z.strictObject({ by: Words, note: Words });
export type FinishTerminalTask = z.infer<typeof FinishTerminalTask>;

/** Body of `POST /v2/terminal-tasks/{id}/perform`: who does it; why, for a report that is given up. */
export const PerformFleetTask = z.strictObject({ by: Words, reason: Words.optional() });
export type PerformFleetTask = z.infer<typeof PerformFleetTask>;

/** Body of `POST /v2/terminal-tasks/{id}/decline`. */
export const DeclineFleetTask = z.strictObject({ by: Words, reason: Words });
