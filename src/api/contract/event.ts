import { z } from 'zod';
import { Cursor, Timestamp } from './primitives.ts';
import { TerminalPayment } from './terminal-payment.ts';
import { TerminalSettlement } from './terminal-settlement.ts';

/** One event of the list, oldest first; `data` is the resource as GET returns it. Types are an open set. */
export const Event = z.object({
  id: z.string().startsWith('evt_'),
  type: z.string(),
  created: Timestamp,
  data: z.union([TerminalPayment, TerminalSettlement]),
});
export type Event = z.infer<typeof Event>;

/** Query of `GET /v2/events`: oldest first; `starting_after` returns newer events. */
export const ListEvents = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  starting_after: Cursor.optional(),
  ending_before: Cursor.optional(),
  version: z.string().optional(),
});
export type ListEvents = z.infer<typeof ListEvents>;

/** Sent on the stream only, without an id and never stored: what the terminal shows right now. */
export const Progress = z.object({
  payment_id: z.string(),
  device_id: z.string(),
  text: z.string(),
  at: Timestamp,
});
export type Progress = z.infer<typeof Progress>;
