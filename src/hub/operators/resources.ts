import { z } from 'zod';
import { AgentState } from '../../fleet/contract/state.ts';
import { text } from '../../fleet/contract/text.ts';
import { SEVERITIES } from '../alerts/kinds.ts';
import { TARGET_STATES } from '../rollouts/targets.ts';
import { ROLES } from './operators.ts';

export const Role = z.enum(ROLES);
export const Name = text(100);
const Instant = z.iso.datetime();

export const ShopState = z
  .enum(['ready', 'cannot_sell', 'silent', 'revoked', 'not_joined'])
  .describe('`silent`: nothing came from its agent for 15 minutes. `cannot_sell`: by its own last report.');

export const ShopSummary = z.object({
  name: z.string(),
  state: ShopState,
  version: z.string().nullable(),
  seen_at: Instant.nullable().describe('By the clock of the hub.'),
  can_report: z
    .boolean()
    .nullable()
    .describe('Whether its payments reach the service, by its own last report; null: not reported.'),
  is_fresh: z.boolean().nullable().describe('The same of what it has of its providers.'),
  in_doubt: z.int().describe('Terminals with a payment whose outcome is not known yet.'),
  alerts: z.int().describe('Alerts that have not ended.'),
});

export const Chain = z.object({
  epoch: z.string(),
  branch: z.int().describe('0, and more for a history that contradicts it.'),
  first_seq: z.int(),
  next_seq: z.int(),
});

export const ChainBreak = z.object({
  epoch: z.string(),
  branch: z.int().describe('The history that leaves the others there.'),
  seq: z.int().describe('The first entry that is not the stored one.'),
  stored_hash: z.string().nullable().describe('Of the stored entry of this number; null: there was none.'),
  sent_hash: z.string().describe('Of the entry that contradicts it.'),
  found_at: Instant.describe('By the clock of the hub.'),
});

export const Release = z.object({
  released_at: Instant,
  actor: z.string(),
  reason: z.string(),
  quarantined: z.string().describe('Why it got no commands until then.'),
  epoch: z.string(),
  branch: z.int().describe('The history that its shop goes on with.'),
  seq: z.int().describe('The entry from which on it is trusted; 0: the hub had none.'),
  hash: z.string().describe('Of this entry.'),
});

export const AgentView = z.object({
  id: z.uuid(),
  version: z.string(),
  joined_at: Instant,
  seen_at: Instant.nullable(),
  revoked_at: Instant.nullable(),
  quarantined: z
    .string()
    .nullable()
    .describe('Why it gets no commands: `journal_contradicts`, `two_processes`; null: it gets them.'),
  clock_offset_ms: z.int().nullable().describe('How far its clock is ahead of that of the hub.'),
  journal: z.array(Chain),
  breaks: z
    .array(ChainBreak)
    .describe('Where its journal contradicts itself, for ever; a release removes none.'),
  releases: z.array(Release).describe('What ended a quarantine, for ever; the newest last.'),
});

export const AlertDelivery = z.object({
  destination: z.string(),
  event: z.enum(['raised', 'ended']),
  state: z
    .enum(['waiting', 'delivered', 'given_up'])
    .describe('`given_up`: none of the attempts of one day was taken.'),
  attempts: z.int(),
  error: z.string().nullable().describe('Of the last attempt, where it failed.'),
});

export const Alert = z.object({
  id: z.uuid(),
  shop: z.string().nullable(),
  agent_id: z.uuid().nullable(),
  kind: z.string(),
  rule: z.string().describe('The rule that raised it; it may have changed since.'),
  severity: z.string(),
  details: z.record(z.string(), z.unknown()),
  since: Instant.describe('Since when it was so.'),
  raised_at: Instant,
  ended_at: Instant.nullable(),
  deliveries: z.array(AlertDelivery),
});

export const AlertRule = z.object({
  name: z.string(),
  kind: z.string().describe('What it watches.'),
  shops: z.string().nullable(),
  minutes: z.int(),
  severity: z.enum(SEVERITIES),
  enabled: z.boolean(),
  destinations: z.array(z.string()).describe('By name.'),
});

export const AlertDestination = z.object({
  name: z.string(),
  kind: z.enum(['webhook', 'email']),
  url: z
    .string()
    .nullable()
    .describe('Administrators see all of it, others the host: for many receivers the address is the secret.'),
  recipients: z.array(z.string()).nullable(),
  language: z.string(),
  waiting: z.int().describe('Messages that were not taken yet.'),
  given_up: z.int().describe('Messages that it never took.'),
  last_error: z.string().nullable().describe('Of the newest message that waits or was given up.'),
});

export const TestedDestination = z.object({
  delivered: z.boolean(),
  error: z.string().nullable().describe('Why it was not taken, in words.'),
});

const Reason = z.string().nullable().describe('Why the operator asks; null: it was not said.');

export const CommandView = z.object({
  id: z.uuid(),
  shop: z.string(),
  agent_id: z.uuid(),
  kind: z.string(),
  operator: z.string().describe('Who says to have signed it; the shop proves it.'),
  reason: Reason,
  state: z
    .string()
    .describe(
      '`waiting` until the shop reports what became of it; `needs_person`: it is a task there, which ends as `done`, `declined`, `expired` or `not_needed`. An open set.',
    ),
  details: z.string().nullable(),
  decided_by: z.string().nullable().describe('The person of the shop who did or declined it.'),
  decided_at: z.int().nullable().describe('When its task ended: epoch ms by the clock of the shop.'),
  created_at: Instant,
  expires_at: Instant,
});

export const TaskView = z.object({
  id: z.uuid().describe('Of the command.'),
  shop: z.string(),
  agent_id: z.uuid(),
  kind: z.string(),
  operator: z.string(),
  reason: Reason,
  since: Instant.describe('When the shop reported that it waits for a person, by the clock of the hub.'),
  created_at: Instant,
  expires_at: Instant.describe('It ends then, if no person has done or declined it.'),
});

export const Ring = z.strictObject({
  percent: z.int().min(1).max(100).describe('The part of all shops that it reaches, with the rings before.'),
  minutes: z.int().min(0).max(10_080).describe('The pause behind it, once all of its shops have ended.'),
});

export const MostFailures = z
  .int()
  .min(1)
  .max(20_000)
  .nullable()
  .describe(
    'It pauses at so many failures, and no more shops are at it at a time; null: 2 % of the shops that its rings have reached, no more than have kept the settings, 5 at least.',
  );

export const RolloutView = z.object({
  name: z.string(),
  state: z
    .enum(['draft', 'running', 'paused', 'done', 'stopped'])
    .describe('`done`: every shop has ended. `stopped`: an operator has ended it.'),
  paused_by: z.string().nullable().describe('`failures`, or the operator; null: it is not paused.'),
  created_by: z.string(),
  created_at: Instant,
  rings: z.array(Ring),
  ring: z.int().describe('The ring that it is at, from 1 on.'),
  next_ring_at: Instant.nullable().describe('When the next ring begins, if nothing fails until then.'),
  most_failures: MostFailures,
  shops: z
    .partialRecord(z.enum(TARGET_STATES), z.int())
    .describe(
      'How many are how far. `absent`: not heard of for 5 min, it gets its turn when it is back. `failed`: it gave the settings up by itself. `silent`: it has them and was not heard of for 30 min. `superseded`: it has newer ones, or was given to another rollout after this one was stopped. `left`: its agent was revoked or replaced. `expired`: the command was. `withdrawn`: the rollout was stopped before.',
    ),
});

export const RolloutShop = z.object({
  shop: z.string(),
  agent_id: z.uuid(),
  command_id: z.uuid(),
  revision: z.int(),
  ring: z.int(),
  state: z.enum(TARGET_STATES),
  details: z.string().nullable().describe('Why it failed or was refused, in the words of the shop.'),
  handed_at: Instant.nullable().describe('When its agent was given the settings.'),
  ended_at: Instant.nullable(),
});

export const ReleaseView = z.object({
  version: z.string(),
  shops: z.int().describe('Shops that run it, by the last report of each.'),
  cannot_sell: z.int(),
  silent: z.int().describe('Nothing came from them for 15 minutes.'),
  in_doubt: z.int().describe('They have a payment in doubt.'),
  amiss: z.int().describe('Shops with one of these.'),
});

export const ShopView = ShopSummary.extend({
  created_at: Instant,
  agents: z.array(AgentView).describe('The newest first.'),
  status: AgentState.nullable().describe('What the newest agent reported last; null: nothing yet.'),
  open_alerts: z.array(Alert),
});

export const Entry = z.object({
  epoch: z.string(),
  branch: z.int(),
  seq: z.int(),
  at: z.int().describe('Epoch ms by the clock of the shop.'),
  event: z.string(),
  from_state: z.string(),
  to_state: z.string(),
  details: z.string().describe('JSON as the shop has stored it: the hash is over these bytes.'),
  hash: z.string(),
  damaged: z
    .string()
    .nullable()
    .describe(
      'Why the shop could not prove this entry; its other fields are what could be read. null: it is proved.',
    ),
  received_at: Instant,
});

export const PaymentSummary = z.object({
  id: z.string().describe('The id of the attempt in the shop.'),
  shop: z.string(),
  agent_id: z.uuid(),
  branch: z.int(),
  state: z.string().describe('The newest state in its journal, by the words of the shop: an open set.'),
  event: z.string().describe('What led to it.'),
  at: z.int().describe('Epoch ms by the clock of the shop.'),
  received_at: Instant,
});

export const PaymentView = z.object({
  id: z.string(),
  shop: z.string(),
  state: z.string().nullable().describe('That of its newest proved entry; null: none is proved.'),
  entries: z
    .array(Entry)
    .describe('In the order of their numbers; contradicting histories follow one another.'),
});

export const AuditEntry = z.object({
  id: z.uuid(),
  at: Instant,
  actor: z.string(),
  action: z.string(),
  details: z.record(z.string(), z.unknown()),
});

export const Invitation = z.object({
  code: z.string().describe('Shown once; the hub keeps a hash.'),
  expires_at: Instant,
});

/** `{data: …}`: one resource. */
export function dataOf<T extends z.ZodType>(resource: T) {
  return z.object({ data: resource });
}

/** One page of a list; `next_cursor` goes into `starting_after`. */
export function listOf<T extends z.ZodType>(resource: T) {
  return z.object({
    object: z.literal('list'),
    data: z.array(resource),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  });
}
