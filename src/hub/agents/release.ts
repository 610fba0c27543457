import { sql } from 'kysely';
import { AppError } from '../../base/errors.ts';
import { endAlerts } from '../alerts/raise.ts';
import { audit } from '../database/audit.ts';
import type { TenantTransaction } from '../database/connect.ts';

/** A place in the journal of an agent: an entry of one history of an epoch; `seq` 0 where the hub has none of the epoch. */
export interface JournalPosition {
  readonly epoch: string;
  readonly branch: number;
  readonly seq: number;
}

export interface ReleaseRequest extends JournalPosition {
  readonly id: string;
  /** What the person has found, for ever in the audit. */
  readonly reason: string;
}

/** Before the first entry of an epoch. */
const NO_HASH = '0'.repeat(64);

/**
 * Ends the quarantine of an agent: it gets commands again, and is trusted from this entry of this history on. Nothing of the journal changes: another history that
 * goes on, or a new one, puts it into quarantine again.
 * @throws RESOURCE_MISSING, AGENT_NOT_QUARANTINED, POSITION_UNKNOWN
 */
export async function release(
  transaction: TenantTransaction,
  tenant: string,
  { id, reason, epoch, branch, seq }: ReleaseRequest,
  actor: string,
  now: number,
): Promise<void> {
  const agent = await transaction
    .selectFrom('agent')
    .select(['quarantined', 'epoch'])
    .where(sql<boolean>`id::text = ${id}`)
    .forUpdate()
    .executeTakeFirst();
  if (agent === undefined) throw new AppError('RESOURCE_MISSING', `there is no agent ${id}`);
  const { quarantined } = agent;
  if (quarantined === null)
    throw new AppError('AGENT_NOT_QUARANTINED', `agent ${id} is not in quarantine: nothing was changed`);
  if (agent.epoch !== null && agent.epoch !== epoch)
    throw unknownPosition(`its journal is in the epoch ${agent.epoch} now`);
  const hash = await hashAt(transaction, id, { epoch, branch, seq });
  const position = { epoch, branch, seq, hash };
  await transaction
    .insertInto('agent_release')
    .values({
      ...{ tenant_id: tenant, agent_id: id, released_at: new Date(now), actor, reason, quarantined },
      ...position,
    })
    .execute();
  await transaction
    .updateTable('agent')
    .set({ quarantined: null, former_run_id: null, turns: 0 })
    .where('id', '=', id)
    .execute();
  await endAlerts(
    transaction,
    sql`a.agent_id = ${id}::uuid AND a.kind IN ('journal_contradicts', 'two_processes')`,
  );
  await audit(transaction, tenant, actor, 'agent_released', { agent: id, quarantined, ...position, reason });
}

/** The history of an epoch that the shop goes on with: the first one, unless a person has named another one. */
export async function trustedBranch(
  transaction: TenantTransaction,
  agent: string,
  epoch: string,
): Promise<number> {
  const newest = await transaction
    .selectFrom('agent_release')
    .select('branch')
    .where('agent_id', '=', agent)
    .where('epoch', '=', epoch)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.branch ?? 0;
}

/** @throws POSITION_UNKNOWN */
async function hashAt(
  transaction: TenantTransaction,
  agent: string,
  { epoch, branch, seq }: JournalPosition,
): Promise<string> {
  const entry = await transaction
    .selectFrom('journal')
    .select('hash')
    .where('agent_id', '=', agent)
    .where('epoch', '=', epoch)
    .where('branch', '=', branch)
    .where('seq', '=', seq)
    .executeTakeFirst();
  if (entry !== undefined) return entry.hash;
  const chain = await transaction
    .selectFrom('journal_cursor')
    .select('branch')
    .where('agent_id', '=', agent)
    .where('epoch', '=', epoch)
    .limit(1)
    .executeTakeFirst();
  if (chain === undefined && branch === 0 && seq === 0) return NO_HASH;
  throw unknownPosition(`the hub has no entry ${seq} in the history ${branch} of the epoch ${epoch}`);
}

function unknownPosition(why: string): AppError {
  return new AppError(
    'POSITION_UNKNOWN',
    `the agent was not released: ${why}. tillhub agents show AGENT names the histories and their entries`,
  );
}
