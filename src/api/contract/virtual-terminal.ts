import { z } from 'zod';
import { Timestamp } from './primitives.ts';

const Key = z.enum(['approve', 'decline', 'wrong_pin', 'abort', 'walk_away']);
const Autopilot = z.enum([...Key.options, 'off']);
const Fault = z.strictObject({
  when: z.enum(['command', 'customer', 'result', 'result_acknowledged', 'print', 'completion', 'idle']),
  do: z.enum(['silence', 'cut', 'garbage', 'duplicate', 'delay', 'power_loss']),
  ms: z.int().min(0).max(600_000).default(1_000),
  times: z.int().min(1).max(1_000).default(1),
});

const LedgerLine = z.object({
  receipt_number: z.string(),
  kind: z.enum(['sale', 'refund', 'void']),
  amount_minor: z.int(),
  currency: z.string(),
  result: z.enum(['approved', 'declined', 'aborted']),
  is_reversed: z.boolean(),
  at: Timestamp,
});

/** A terminal of the sandbox: what it shows, and what it really charged (`ledger`, newest first). */
export const VirtualTerminal = z.object({
  object: z.literal('virtual_terminal'),
  name: z.string(),
  protocol: z.string(),
  address: z.string(),
  serial: z.string(),
  device_ids: z.array(z.string()),
  is_on: z.boolean(),
  is_plugged: z.boolean(),
  is_busy: z.boolean(),
  screen: z.string(),
  autopilot: Autopilot,
  cards: z.array(
    z.object({
      id: z.string(),
      label: z.string(),
      entry: z.enum(['chip', 'contactless']),
      verification: z.enum(['none', 'online_pin', 'signature']),
    }),
  ),
  faults: z.array(Fault),
  ledger: z.array(LedgerLine),
  earlier: z
    .array(z.object({ serial: z.string(), ledger: z.array(LedgerLine) }))
    .describe('What the terminals charged that stood here before they were exchanged, the newest first.'),
});
export type VirtualTerminal = z.infer<typeof VirtualTerminal>;

/** Body of `POST …/keys`: what the customer does, and with which card. */
export const PressKey = z.strictObject({ key: Key, card: z.string().max(64).optional() });
/** Body of `POST …/faults`. */
export const InjectFault = z.strictObject({ fault: Fault });
/** Body of `PATCH …`: cable, power, the action without a key, and another terminal in its place. */
export const SetVirtualTerminal = z.strictObject({
  is_on: z.boolean().optional(),
  is_plugged: z.boolean().optional(),
  autopilot: Autopilot.optional(),
  exchange: z.boolean().optional(),
});
