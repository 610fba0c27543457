import { z } from 'zod';
import { Uuid } from './primitives.ts';

/** What became of a request to repeat the last receipt of a terminal. It decides nothing: a person compares it. */
export const TerminalReprint = z.object({
  object: z.literal('terminal_reprint'),
  device_id: Uuid,
  result: z
    .enum(['printed', 'received', 'refused'])
    .describe(
      'printed: the terminal prints it, where it has a printer and paper; received: it is in `text`; refused: there is no copy, see `reason`.',
    ),
  text: z.string().nullable().describe('The receipt, where it comes to the till.'),
  reason: z.string().nullable().describe('Why there is no copy, in words.'),
});
export type TerminalReprint = z.infer<typeof TerminalReprint>;
