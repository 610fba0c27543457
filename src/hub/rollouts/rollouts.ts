import { sql } from 'kysely';
import { AppError } from '../../base/errors.ts';
import { type SentCommand, sendCommands } from '../commands/send.ts';
import { audit } from '../database/audit.ts';
import type { TenantTransaction } from '../database/connect.ts';
import { endPauseAlert } from './advance.ts';
import { FAILURES, targetState } from './targets.ts';

/** Most shops of one rollout. */
const MOST_TARGETS = 20_000;
/** Commands that are added at a time: the body of a request stays below what a hub takes. */
export const MOST_ADDED = 500;
/** Drafts and rollouts that are not over, of one merchant. */
const MOST_OPEN = 50;

export interface Ring {
  /** The part of all shops that it reaches, with the rings before. */
  readonly percent: number;
  /** The pause behind it. */
  readonly minutes: number;
}

/** 1 %, 10 %, 50 % and all, after an hour, a day and a day. */
export const RINGS: readonly Ring[] = [
  { percent: 1, minutes: 60 },
  { percent: 10, minutes: 1_440 },
  { percent: 50, minutes: 1_440 },
  { percent: 100, minutes: 0 },
];

/** Who asks, for the audit. */
export interface By {
  readonly tenant: string;
  readonly actor: string;
}

export interface NewRollout {
  readonly name: string;
  readonly rings: readonly Ring[];
  /** At so many failures it pauses; null: at 2 % of the shops that its rings have reached, no more than have kept the settings, at 5 at least. */
  readonly most_failures: number | null;
}

/** A rollout without shops yet. @throws ROLLOUT_EXISTS, ROLLOUT_LIMIT */
export async function createRollout(
  transaction: TenantTransaction,
  { tenant, actor }: By,
  { name, rings, most_failures }: NewRollout,
): Promise<void> {
  const { open } = await transaction
    .selectFrom('rollout')
    .select(sql<number>`count(*)::int`.as('open'))
    .where('state', 'in', ['draft', 'running', 'paused'])
    .executeTakeFirstOrThrow();
  if (open >= MOST_OPEN)
    throw new AppError('ROLLOUT_LIMIT', `${MOST_OPEN} rollouts are not over: stop one first`);
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('rollout')
    .values({
      ...{ tenant_id: tenant, name, created_by: actor, most_failures },
      ring_percents: rings.map(({ percent }) => percent),
      ring_minutes: rings.map(({ minutes }) => minutes),
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n)
    throw new AppError('ROLLOUT_EXISTS', `there is a rollout ${name} already; its name is its own for ever`);
  await audit(transaction, tenant, actor, 'rollout_created', { name, rings, most_failures });
}

/**
 * Adds signed settings, {@link MOST_ADDED} at most, each for one agent, in the order in which the shops get them: the first shops are the first ring.
 * @throws RESOURCE_MISSING, ROLLOUT_STATE, ROLLOUT_OVERLAPS, ROLLOUT_LIMIT, COMMAND_INVALID, COMMAND_SENT
 */
export async function addTargets(
  transaction: TenantTransaction,
  { tenant, actor }: By,
  name: string,
  envelopes: readonly string[],
  now: number,
): Promise<void> {
  const rollout = await locked(transaction, name);
  requireState(rollout, ['draft'], 'shops are added before it starts');
  const targets = await shopsOf(transaction, rollout.id);
  if (targets + envelopes.length > MOST_TARGETS)
    throw new AppError('ROLLOUT_LIMIT', `a rollout has ${MOST_TARGETS} shops at most`);
  const sent = await sendCommands(transaction, tenant, envelopes, actor, { now, of_rollout: true });
  if (sent.some(({ revision }) => revision === null))
    throw new AppError(
      'COMMAND_INVALID',
      'a rollout is of settings: tillhub configuration sign makes them, with --agents for many shops',
    );
  await insertTargets(transaction, tenant, rollout.id, sent, targets);
}

/** @param first the position of the first of them */
async function insertTargets(
  transaction: TenantTransaction,
  tenant: string,
  rollout: string,
  sent: readonly SentCommand[],
  first: number,
): Promise<void> {
  const agents = sent.map(({ agentId }) => agentId);
  // A rollout that was stopped keeps no shop from the next one, which may take its settings back.
  await sql`UPDATE rollout_target t SET outcome = 'superseded', ended_at = now() FROM rollout r
    WHERE r.id = t.rollout_id AND r.state = 'stopped' AND t.ended_at IS NULL AND t.agent_id = ANY (${agents}::uuid[])`.execute(
    transaction,
  );
  const { numAffectedRows } =
    await sql`INSERT INTO rollout_target (command_id, tenant_id, rollout_id, agent_id, revision, position)
      SELECT command, ${tenant}::uuid, ${rollout}::uuid, agent, revision, ${first}::int + no - 1
      FROM unnest(${sent.map(({ id }) => id)}::uuid[], ${agents}::uuid[], ${sent.map(({ revision }) => revision)}::bigint[])
        WITH ORDINALITY AS s (command, agent, revision, no)
      ON CONFLICT (agent_id) WHERE ended_at IS NULL DO NOTHING`.execute(transaction);
  if (numAffectedRows !== BigInt(sent.length)) throw await overlap(transaction, rollout, agents);
}

async function overlap(transaction: TenantTransaction, rollout: string, agents: readonly string[]) {
  const twice = agents.find((agent, index) => agents.indexOf(agent) !== index);
  const other = await transaction
    .selectFrom('rollout_target as t')
    .innerJoin('rollout as r', 'r.id', 't.rollout_id')
    .select(['r.name', 't.agent_id'])
    .where('t.ended_at', 'is', null)
    .where('r.id', '<>', rollout)
    .where(sql<boolean>`t.agent_id = ANY (${agents}::uuid[])`)
    .executeTakeFirst();
  if (other !== undefined)
    return new AppError(
      'ROLLOUT_OVERLAPS',
      `agent ${other.agent_id} is in rollout ${other.name}, which is not over: wait for its end, or stop it`,
    );
  return new AppError(
    'ROLLOUT_OVERLAPS',
    `agent ${twice ?? agents[0]} is in this rollout already: each agent has one line`,
  );
}

/** Its first ring begins. @throws RESOURCE_MISSING, ROLLOUT_STATE */
export async function startRollout(
  transaction: TenantTransaction,
  { tenant, actor }: By,
  name: string,
): Promise<void> {
  const rollout = await locked(transaction, name);
  requireState(rollout, ['draft'], 'it has started');
  const shops = await shopsOf(transaction, rollout.id);
  if (shops === 0) throw new AppError('ROLLOUT_STATE', 'it has no shops yet: add their commands first');
  await sql`UPDATE rollout_target SET ring = (
      SELECT count(*)::int FROM unnest(${rollout.ring_percents}::int[]) AS percent
      WHERE ceil(percent * ${shops}::int / 100.0) <= position) WHERE rollout_id = ${rollout.id}::uuid`.execute(
    transaction,
  );
  await setState(transaction, rollout.id, 'running');
  await audit(transaction, tenant, actor, 'rollout_started', { name, shops });
}

/** No further shop gets its settings; those that have them go on. @throws RESOURCE_MISSING, ROLLOUT_STATE */
export async function pauseRollout(
  transaction: TenantTransaction,
  { tenant, actor }: By,
  name: string,
): Promise<void> {
  const rollout = await locked(transaction, name);
  requireState(rollout, ['running'], 'only one that runs can be paused');
  await transaction
    .updateTable('rollout')
    .set({ state: 'paused', paused_by: actor })
    .where('id', '=', rollout.id)
    .execute();
  await audit(transaction, tenant, actor, 'rollout_paused', { name });
}

/** It goes on; failures until now do not count any more. @throws RESOURCE_MISSING, ROLLOUT_STATE */
export async function resumeRollout(
  transaction: TenantTransaction,
  { tenant, actor }: By,
  name: string,
): Promise<void> {
  const rollout = await locked(transaction, name);
  requireState(rollout, ['paused'], 'only one that is paused can go on');
  const { numAffectedRows: excused = 0n } =
    await sql`UPDATE rollout_target t SET excused = true FROM agent a WHERE a.id = t.agent_id
      AND t.rollout_id = ${rollout.id}::uuid AND NOT t.excused AND ${targetState} = ANY (${FAILURES}::text[])`.execute(
      transaction,
    );
  await setState(transaction, rollout.id, 'running');
  await endPauseAlert(transaction, name);
  await audit(transaction, tenant, actor, 'rollout_resumed', { name, excused: Number(excused) });
}

/** It is over: what no shop was given yet is withdrawn for good. Shops that have the settings keep them. @throws RESOURCE_MISSING, ROLLOUT_STATE */
export async function stopRollout(
  transaction: TenantTransaction,
  { tenant, actor }: By,
  name: string,
): Promise<void> {
  const rollout = await locked(transaction, name);
  requireState(rollout, ['draft', 'running', 'paused'], 'it is over');
  const withdrawn = await transaction
    .updateTable('rollout_target')
    .set({ outcome: 'withdrawn', ended_at: sql<Date>`now()` })
    .where('rollout_id', '=', rollout.id)
    .where('ended_at', 'is', null)
    .where('handed_at', 'is', null)
    .executeTakeFirstOrThrow();
  await setState(transaction, rollout.id, 'stopped');
  await endPauseAlert(transaction, name);
  await audit(transaction, tenant, actor, 'rollout_stopped', {
    name,
    withdrawn: Number(withdrawn.numUpdatedRows),
  });
}

async function shopsOf(transaction: TenantTransaction, rollout: string): Promise<number> {
  const { shops } = await transaction
    .selectFrom('rollout_target')
    .select(sql<number>`count(*)::int`.as('shops'))
    .where('rollout_id', '=', rollout)
    .executeTakeFirstOrThrow();
  return shops;
}

async function locked(transaction: TenantTransaction, name: string) {
  const rollout = await transaction
    .selectFrom('rollout')
    .select(['id', 'state', 'ring_percents'])
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst();
  if (rollout !== undefined) return rollout;
  throw new AppError('RESOURCE_MISSING', `there is no rollout ${name}`);
}

function requireState({ state }: { readonly state: string }, wanted: readonly string[], why: string): void {
  if (wanted.includes(state)) return;
  throw new AppError('ROLLOUT_STATE', `this rollout is ${state}: ${why}`, { context: { state } });
}

async function setState(transaction: TenantTransaction, id: string, state: 'running' | 'stopped') {
  await transaction.updateTable('rollout').set({ state, paused_by: null }).where('id', '=', id).execute();
}
