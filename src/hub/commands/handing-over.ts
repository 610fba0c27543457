import { sql } from 'kysely';
import { type CommandOutcome, MOST_COMMANDS, type SignedCommand } from '../../fleet/contract/command.ts';
import type { Agent } from '../agents/authenticate.ts';
import { audit } from '../database/audit.ts';
import type { TenantTransaction } from '../database/connect.ts';

/** What an agent has to do still, oldest first: what has expired is not handed over, nor anything to an agent in quarantine. */
export async function commandsFor(
  transaction: TenantTransaction,
  agent: string,
  quarantined: string | null,
  now: number,
): Promise<SignedCommand[]> {
  if (quarantined !== null) return [];
  return await transaction
    .selectFrom('command')
    .select(['id', 'envelope'])
    .where('agent_id', '=', agent)
    .where('state', 'is', null)
    .where('expires_at', '>', new Date(now))
    .orderBy('created_at')
    .limit(MOST_COMMANDS)
    .execute();
}

/** Notes what became of commands of this agent, each once, in the audit, too. */
export async function noteOutcomes(
  transaction: TenantTransaction,
  { tenant, agent }: Agent,
  outcomes: readonly CommandOutcome[],
  now: number,
): Promise<void> {
  for (const { id, state, details } of outcomes) {
    const ended = await transaction
      .updateTable('command')
      .set({ state, details, ended_at: new Date(now) })
      .where('id', '=', id)
      .where('agent_id', '=', agent)
      .where(sql<boolean>`state IS NULL`)
      .returning(['kind', 'operator'])
      .executeTakeFirst();
    if (ended === undefined) continue;
    const { kind, operator } = ended;
    await audit(transaction, tenant, `agent ${agent}`, 'command_ended', {
      command: id,
      kind,
      operator,
      state,
      details,
    });
  }
}
