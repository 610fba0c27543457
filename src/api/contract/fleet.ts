import { z } from 'zod';
import { Timestamp, Uuid } from './primitives.ts';

const Operator = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .refine((name) => !/\p{C}/u.test(name), 'must have no control characters'),
  key: z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be a public Ed25519 key, base64url'),
});

/** Body of `PUT /v2/fleet`: the hub of the fleet, and the code of an invitation. */
export const JoinFleet = z.strictObject({
  hub_url: z.string().min(1).max(500),
  code: z.string().trim().min(1).max(40),
  operators: z
    .array(Operator)
    .max(16)
    .refine(
      (all) =>
        (['name', 'key'] as const).every(
          (field) => new Set(all.map((one) => one[field])).size === all.length,
        ),
      'must name each operator and each key once',
    )
    .default([])
    .describe('Whose commands this shop takes, by name and public key; none: it takes no commands.'),
});

/**
 * `needs_person`: a person at the shop does it or declines it (`done`, `declined`), or it ends by itself (`expired`, `not_needed`); `refused`: not signed by a
 * named operator, for another shop, expired, or too many wait.
 */
const CommandState = z.enum([
  'begun',
  'done',
  'failed',
  'refused',
  'needs_person',
  'unsupported',
  'interrupted',
  'declined',
  'expired',
  'not_needed',
]);
export type FleetCommandState = z.infer<typeof CommandState>;

const Membership = z.object({
  hub_url: z.string(),
  tenant: z.string(),
  shop: z.string(),
  agent_id: Uuid,
  state: z
    .enum(['connecting', 'connected', 'unreachable', 'refused'])
    .describe('`refused`: the hub does not know this agent, or has revoked it.'),
  trouble: z.string().nullable().describe('What went wrong last, for people; null: nothing.'),
  last_exchange_at: Timestamp.nullable().describe('When the hub last answered; null: not since the start.'),
  commands_withheld: z
    .string()
    .nullable()
    .describe('Why the hub gives this shop no commands; null: it gives them.'),
  journal: z.object({
    end: z.int().describe('The newest entry of this shop; 0: there is none.'),
    waiting: z.int().nullable().describe('Entries that the hub does not have yet; null: not known yet.'),
  }),
  operators: z.array(Operator),
  configuration: z
    .object({
      running: z.int().nullable().describe('null: the files of the shop alone.'),
      attempted: z
        .object({
          revision: z.int(),
          state: z
            .enum(['waiting', 'judged'])
            .describe('`waiting`: for idle terminals, and the window of the shop.'),
        })
        .nullable(),
      failed: z
        .object({ revision: z.int(), why: z.string(), at: Timestamp })
        .nullable()
        .describe('The newest that this shop gave up by itself; null: none since the last good one.'),
    })
    .describe('Settings of the hub, by their revisions.'),
  commands: z
    .array(
      z.object({
        id: z.string(),
        at: Timestamp,
        kind: z.string(),
        operator: z
          .string()
          .describe('The owner of the key that signed it; `unknown`: of no key of this shop.'),
        state: CommandState,
        details: z.string().nullable(),
        by: z.string().nullable().describe('The person who did or declined it.'),
      }),
    )
    .describe('What the hub asked for, the newest 20, newest first.'),
});

/** The fleet that this shop belongs to. */
export const Fleet = z.object({
  membership: Membership.nullable().describe('null: this shop belongs to no fleet.'),
});
export type Fleet = z.infer<typeof Fleet>;
