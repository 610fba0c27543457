import { z } from 'zod';
import { JsonRecord } from './primitives.ts';

const Level = z.enum(['trace', 'debug', 'info', 'warn', 'error']);

/** A line of the daemon's log; `fields`: the facts beside the message. */
export const LogLine = z.object({
  id: z.string(),
  level: Level,
  at: z.string().nullable(),
  message: z.string(),
  fields: JsonRecord,
});
export type LogLine = z.infer<typeof LogLine>;

/** Query of `GET /v2/log`: the newest lines, the oldest of them first. */
export const ListLog = z.strictObject({
  level: Level.default('info'),
  limit: z.coerce.number().int().min(1).max(500).default(200),
  starting_after: z.string().max(64).optional(),
  version: z.string().optional(),
});
