import { z } from 'zod';
import { Timestamp } from './primitives.ts';
import { TerminalDevice } from './terminal-device.ts';

/**
 * Why an indicator is off, or what a person must check; codes are an open set. About the disk: `disk_full`, `read_only`, `storage_failed`
 * (no payment is taken), `draining` (none either: a restart is near), `storage_quarantined`, `memory_lost`, `database_copied` (tilld takes no work from the service), `journal_broken`,
 * `archive_stopped` (a person must check), `mirror_replaced` (no person must do anything). `clock_wrong`: this machine's clock contradicts another clock; it labels payments and guards nothing.
 */
const Reason = z.object({ code: z.string(), message: z.string() });

/** Body of `/healthz`. */
export const Health = z.object({
  can_sell: z.boolean(),
  can_report: z.boolean(),
  is_fresh: z.boolean(),
  reasons: z.array(Reason),
});
export type Health = z.infer<typeof Health>;

/** The connection to the service. `clock_skew_ms`: how far its clock is ahead of this machine's; null before its first response. */
const Link = z.object({
  state: z.enum(['online', 'offline', 'off']),
  reason: z.string().nullable(),
  code: z.enum(['line', 'name_resolution', 'service', 'captive_portal', 'wrong_host', 'key']).nullable(),
  environment: z.enum(['live', 'sandbox', 'staging', 'mock']).nullable(),
  clock_skew_ms: z.int().nullable(),
});

/** One resource of a provider, or of the mirror (`service`); `fresh_at`: the instant up to which it is complete, null: it never was. */
const Stream = z.object({
  provider: z.string(),
  resource: z.string(),
  state: z.enum(['idle', 'queued', 'running']),
  rows: z.int(),
  fresh_at: Timestamp.nullable(),
  is_stale: z.boolean(),
  is_held: z.boolean(),
  parked: z.int(),
  errors: z.int(),
  paused: z.boolean(),
});
export type StreamStatus = z.infer<typeof Stream>;

/**
 * What a newer release still changes in the payments of an older one while the shop sells; a restart continues it. `step` is an open set,
 * `done` of `total` payments are processed.
 */
const Upgrade = z.object({ step: z.string(), done: z.int(), total: z.int() });

/** What `tillctl status` shows. `upgrade` is null where no work is left. */
export const Status = z.object({
  version: z.string(),
  environment: z.enum(['live', 'sandbox']),
  time_zone: z.string().describe('The zone in which people of the shop read times, like `Europe/Berlin`.'),
  urls: z.object({
    local: z.string(),
    lan: z.string().nullable().describe("Of the shop's network; null: tilld does not listen there."),
    receipts: z
      .string()
      .nullable()
      .describe("Where a customer's phone opens receipts; null: it reaches nothing here."),
    sandbox: z.string().nullable(),
    socket: z.string(),
  }),
  can_sell: z.boolean(),
  can_report: z.boolean(),
  is_fresh: z.boolean(),
  reasons: z.array(Reason),
  terminals: z.array(TerminalDevice),
  link: Link,
  outbox: z.object({ pending: z.int(), oldest_at: Timestamp.nullable(), parked: z.int() }),
  integrations: z.array(Stream),
  upgrade: Upgrade.nullable(),
});
export type Status = z.infer<typeof Status>;
