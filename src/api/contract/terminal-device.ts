import { z } from 'zod';
import { CurrencyCode, Json, Timestamp, Uuid, Words } from './primitives.ts';

export const DeviceStatus = z.enum(['ready', 'busy', 'recovering', 'offline', 'wrong_terminal']);

/** A device: a place where cards are taken, and the terminal that serves it. */
export const TerminalDevice = z.object({
  id: Uuid,
  name: z.string(),
  driver: z.string(),
  currency: CurrencyCode,
  min_amount_minor: z.int(),
  max_amount_minor: z.int().describe('A larger amount is refused with `amount_out_of_range`.'),
  ask_above_minor: z
    .int()
    .describe('A till asks once more, with the amount in words, before it takes more than this.'),
  tip: z.enum(['none', 'ask']).describe('`ask`: the terminal asks the customer of each sale for a tip.'),
  terminal_serial: z.string().nullable(),
  terminal_id: z.string().nullable(),
  model: z.string().nullable(),
  firmware: z.string().nullable(),
  answering_serial: z
    .string()
    .nullable()
    .describe(
      'With the status wrong_terminal: the serial number of the terminal that answers there, which `adopt` would take.',
    ),
  answering_terminal_id: z.string().nullable().describe('The same, its terminal id.'),
  status: DeviceStatus,
  status_reason: z
    .string()
    .nullable()
    .describe('Why it is not ready and what to do, in words; null when it is.'),
  last_seen_at: Timestamp.nullable(),
  in_doubt_attempt_id: Uuid.nullable(),
  identity_grade: z.enum(['serial', 'tid', 'port']).nullable(),
  capabilities: z.record(z.string(), Json),
  shared_use: z.boolean(),
  needs: z
    .string()
    .nullable()
    .describe(
      'With the status offline: what a terminal that answers needs from a person before it sells, like `terminal_printer` (paper or cover); an open set. null: nothing, or it does not answer.',
    ),
  is_connected: z
    .boolean()
    .describe('Whether a terminal answers right now; with the status recovering, or with `needs`, too.'),
  waiting: z.int().describe('Payments waiting in the queue of the terminal, the running one not counted.'),
});
export type TerminalDevice = z.infer<typeof TerminalDevice>;

/** Body of `POST /v2/terminal-devices/{id}/adopt`: who confirms that the terminal that answers there is the right one. */
export const AdoptTerminal = z.strictObject({ by: Words });

/** Query of `GET /v2/terminal-devices`: offset pagination. */
export const ListTerminalDevices = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  offset: z.coerce.number().int().min(0).default(0),
  version: z.string().optional(),
});
