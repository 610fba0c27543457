import { z } from 'zod';
import { Cursor, Timestamp, Uuid, Words } from './primitives.ts';

/** Work that only a person can do. It stays open until a named person reports it done. Kinds are an open set. */
export const TerminalTask = z.object({
  id: Uuid,
  object: z.literal('terminal_task'),
  kind: z.string(),
  payment_id: Uuid.nullable().describe('What it is about: one of the three.'),
  settlement_id: Uuid.nullable(),
  device_id: Uuid.nullable(),
  message: z.string().describe('Whether the customer was charged and what to do now, in words.'),
  created_at: Timestamp,
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
