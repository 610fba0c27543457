import { z } from 'zod';
import { text } from './text.ts';

/** The longest time for which a command is good. */
export const LONGEST_COMMAND_MS = 7 * 86_400_000;

/** Clocks of operator, hub and shop may differ by so much. */
export const CLOCKS_APART_MS = 300_000;

/** The agent does these by itself: they read, or make good what stands still. */
const ReadCommand = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('doctor') }),
  z.strictObject({ kind: z.literal('resync'), provider: text(100), resource: text(100).optional() }),
  z.strictObject({ kind: z.literal('resume'), provider: text(100) }),
]);
export type ReadCommand = z.infer<typeof ReadCommand>;

/** These touch the books: a named person who is signed in at the shop does them, never the agent by itself. */
const BooksCommand = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('end_of_day'), device_id: z.uuid() }),
  z.strictObject({ kind: z.literal('resolve'), payment_id: z.uuid() }),
  z.strictObject({ kind: z.literal('retry_report'), report_id: z.uuid() }),
  z.strictObject({ kind: z.literal('drop_report'), report_id: z.uuid() }),
  z.strictObject({ kind: z.literal('adopt'), device_id: z.uuid() }),
]);

/** All that can be asked of a shop. **Pay, refund and void are no kinds of it**, so they can be expressed by no message. */
export const FleetCommand = z.discriminatedUnion('kind', [ReadCommand, BooksCommand]);
export type FleetCommand = z.infer<typeof FleetCommand>;

export function isReadCommand(command: FleetCommand): command is ReadCommand {
  return ReadCommand.safeParse(command).success;
}

/** Up to the end of the year 9999. */
const Seconds = z.int().min(0).max(253_402_300_799);

/**
 * What an operator signs, as a JWT (RFC 7519, EdDSA): this command for this agent, until `exp`. Instants in seconds since 1970. A field that is not known here is
 * refused, in the command, too: it may be a condition.
 */
export const CommandClaims = z.strictObject({
  /** The command's own id: it runs once at most. */
  jti: z.uuid(),
  /** The agent. */
  sub: z.uuid(),
  /** The operator's name: that by which the shop knows the key. */
  iss: text(100),
  iat: Seconds,
  exp: Seconds,
  command: z.record(z.string(), z.unknown()),
});
export type CommandClaims = z.infer<typeof CommandClaims>;

/**
 * What became of a command. `refused`: it is not signed by an operator that the shop trusts, is for another shop, or has expired; `needs_person`: a person at
 * the shop must do it; `unsupported`: this release does not know the kind; `interrupted`: the agent ended while it ran, and does not run it again. A newer agent
 * may have another word.
 */
export const CommandOutcome = z.object({
  id: z.uuid(),
  state: z
    .enum(['done', 'failed', 'refused', 'needs_person', 'unsupported', 'interrupted'])
    .or(z.string().regex(/^[a-z_]{1,40}$/)),
  details: text(4_000).nullable(),
});
export type CommandOutcome = z.infer<typeof CommandOutcome>;

/** A command as the hub keeps it: it cannot make one, because the operator's key is not at the hub. */
export const SignedCommand = z.object({ id: z.uuid(), envelope: z.string().max(8_000) });
export type SignedCommand = z.infer<typeof SignedCommand>;

/** The most commands, and outcomes, of one exchange. */
export const MOST_COMMANDS = 20;
