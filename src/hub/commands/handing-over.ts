import { sql } from 'kysely';
import {
  type CommandOutcome,
  MOST_COMMANDS,
  NEEDS_PERSON,
  type SignedCommand,
} from '../../fleet/contract/command.ts';
import type { Agent } from '../agents/authenticate.ts';
import { audit } from '../database/audit.ts';
import type { TenantTransaction } from '../database/connect.ts';

/**
 * What an agent has to do still, oldest first: what has expired is not handed over, nor anything to an agent in quarantine. What belongs to a rollout is handed over
 * from its turn on, and not while the rollout is paused.
 */
export async function commandsFor(
  transaction: TenantTransaction,
  agent: string,
  quarantined: string | null,
  now: number,
): Promise<SignedCommand[]> {
  if (quarantined !== null) return [];
  const released = await takeTurn(transaction, agent);
  return await transaction
    .selectFrom('command')
    .select(['id', 'envelope'])
    .where('agent_id', '=', agent)
    .where('state', 'is', null)
    .where('expires_at', '>', new Date(now))
    .where(sql<boolean>`(NOT of_rollout OR id = ${released}::uuid)`)
    .orderBy('created_at')
    .limit(MOST_COMMANDS)
    .execute();
}

/** @returns the command of a rollout that this agent may have now; null: none */
async function takeTurn(transaction: TenantTransaction, agent: string): Promise<string | null> {
  const { rows } = await sql<{
    id: string;
  }>`UPDATE rollout_target t SET handed_at = coalesce(t.handed_at, now())
    FROM rollout r, command c WHERE r.id = t.rollout_id AND r.state = 'running' AND c.id = t.command_id AND c.state IS NULL
    AND t.agent_id = ${agent}::uuid AND t.started_at IS NOT NULL AND t.ended_at IS NULL RETURNING t.command_id AS id`.execute(
    transaction,
  );
  return rows[0]?.id ?? null;
}

/**
 * Notes what became of commands of this agent, each once, in the audit, too. That one waits for a person is followed by its end, and never follows it.
 */
export async function noteOutcomes(
  transaction: TenantTransaction,
  { tenant, agent }: Agent,
  outcomes: readonly CommandOutcome[],
  now: number,
): Promise<void> {
  for (const { id, state, details, by = null, at = null } of outcomes) {
    const waits = state === NEEDS_PERSON;
    const noted = await transaction
      .updateTable('command')
      .set({ state, details, decided_by: by, decided_at: at, ended_at: new Date(now) })
      .where('id', '=', id)
      .where('agent_id', '=', agent)
      .where(waits ? sql<boolean>`state IS NULL` : sql<boolean>`(state IS NULL OR state = ${NEEDS_PERSON})`)
      .returning(['kind', 'operator'])
      .executeTakeFirst();
    if (noted === undefined) continue;
    const action = waits ? 'command_waits' : 'command_ended';
    const words = { command: id, ...noted, state, details, ...(by === null ? {} : { by }) };
    await audit(transaction, tenant, `agent ${agent}`, action, words);
  }
}
