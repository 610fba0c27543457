import { z } from 'zod';
import { CurrencyCode, Timestamp, Uuid } from './primitives.ts';

const Count = z.int().min(0);

/** A span of time in which the connection of a terminal did not change. */
export const ConnectionSpan = z.object({
  state: z
    .enum(['connected', 'not_connected', 'wrong_terminal'])
    .describe('`not_connected`: also a terminal that answers and needs a person first.'),
  since: Timestamp,
  until: Timestamp.nullable().describe('null: it lasts.'),
  reason: z.string().nullable().describe('Why the terminal was not reached, in words.'),
});

/** How well the terminal of a device works. */
export const TerminalActivity = z.object({
  object: z.literal('terminal_activity'),
  device_id: Uuid,
  from: Timestamp,
  to: Timestamp,
  connected_s: Count.describe('How long the terminal was connected, in seconds.'),
  known_s: Count.describe(
    'Of how many seconds that is known; tilld did not run, or was not installed yet, in the others.',
  ),
  uptime: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('`connected_s` as a share of `known_s`; null while nothing is known.'),
  payments: z.object({
    since: Timestamp.describe('Later than `from` where more payments are stored than are counted.'),
    succeeded: Count,
    declined: Count,
    decline_rate: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe(
        'Declined payments as a share of those that succeeded or were declined; null: there was none.',
      ),
    mean_ms: Count.nullable().describe(
      'From the command to the terminal until the outcome, on average, in ms; payments that were in doubt are left out.',
    ),
  }),
  connections: z.array(ConnectionSpan).describe('The newest 50, newest first.'),
});
export type TerminalActivity = z.infer<typeof TerminalActivity>;

/** What the sales of a device usually come to. */
export const UsualAmount = z.object({
  object: z.literal('usual_amount'),
  device_id: Uuid,
  currency: CurrencyCode,
  sales: Count.describe(
    'Sales that are counted: those that succeeded among the newest 400 payments of the device, by what was asked for.',
  ),
  at_most_minor: z
    .int()
    .nullable()
    .describe(
      '19 of 20 of these sales are of this amount or less, in minor units; null while there are fewer than 50.',
    ),
});
export type UsualAmount = z.infer<typeof UsualAmount>;
