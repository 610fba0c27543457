import { z } from 'zod';
import { ConfigurationCommand } from './configuration.ts';
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

/** The agent does these by itself, while every terminal is idle, in the window of the shop. */
const ChangeCommand = z.discriminatedUnion('kind', [
  ConfigurationCommand,
  z.strictObject({ kind: z.literal('restart') }),
]);

/** Why the operator asks, for the person who decides. An older agent answers a command that has it with `unsupported`. */
const why = { reason: text(500).optional() };

/** These touch the books: each becomes a task, which a named person who is signed in at the shop does, never the agent by itself. */
export const BooksCommand = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('end_of_day'), device_id: z.uuid(), ...why }),
  z.strictObject({ kind: z.literal('resolve'), payment_id: z.uuid(), ...why }),
  z.strictObject({ kind: z.literal('retry_report'), report_id: z.uuid(), ...why }),
  z.strictObject({ kind: z.literal('drop_report'), report_id: z.uuid(), ...why }),
  z.strictObject({ kind: z.literal('adopt'), device_id: z.uuid(), ...why }),
]);
export type BooksCommand = z.infer<typeof BooksCommand>;

/** All that can be asked of a shop. **Pay, refund and void are no kinds of it**, so they can be expressed by no message. */
export const FleetCommand = z.discriminatedUnion('kind', [ReadCommand, BooksCommand, ChangeCommand]);
export type FleetCommand = z.infer<typeof FleetCommand>;

export function isBooksCommand(command: FleetCommand): command is BooksCommand {
  return BooksCommand.safeParse(command).success;
}

/** The end of the year 9999. */
const LAST_SECOND = 253_402_300_799;
const LAST_INSTANT_MS = LAST_SECOND * 1_000;
const Seconds = z.int().min(0).max(LAST_SECOND);

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

/** The one outcome that another one follows: the command is a task in the shop, and waits for a person. */
export const NEEDS_PERSON = 'needs_person';

/** How a task ends. `not_needed`: what it asks for was there by other means, or had no sense any more. */
export const TASK_ENDS = ['done', 'declined', 'expired', 'not_needed'] as const;

/**
 * What became of a command. `refused`: it is not signed by an operator that the shop trusts, is for another shop, has expired, or too many wait;
 * `needs_person`: it waits for a person at the shop, and one of `TASK_ENDS` follows; `unsupported`: this release does not know it; `interrupted`: the agent
 * ended while it ran, and does not run it again. A newer agent may have another word.
 */
export const CommandOutcome = z.object({
  id: z.uuid(),
  state: z
    .enum([
      'done',
      'failed',
      'refused',
      NEEDS_PERSON,
      'unsupported',
      'interrupted',
      'declined',
      'expired',
      'not_needed',
    ])
    .or(z.string().regex(/^[a-z_]{1,40}$/)),
  details: text(4_000).nullable(),
  /** Of a task: who did or declined it, as the shop knows them. */
  by: text(200).nullable().optional(),
  /** Of a task: when it ended, epoch ms by the shop's clock. */
  at: z.int().min(0).max(LAST_INSTANT_MS).optional(),
});
export type CommandOutcome = z.infer<typeof CommandOutcome>;

/** A command as the hub keeps it: it cannot make one, because the operator's key is not at the hub. */
export const SignedCommand = z.object({ id: z.uuid(), envelope: z.string().max(8_000) });
export type SignedCommand = z.infer<typeof SignedCommand>;

/** The most commands, and outcomes, of one exchange. */
export const MOST_COMMANDS = 20;
