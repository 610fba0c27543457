import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { AppError } from '../../base/errors.ts';
import { CommandClaims, FleetCommand, LONGEST_COMMAND_MS } from '../../fleet/contract/command.ts';
import type { TenantTransaction } from '../database/connect.ts';

/** A command that was put into the hands of the hub. */
export interface SentCommand {
  readonly id: string;
  readonly agentId: string;
  readonly kind: string;
  readonly expiresAt: Date;
}

/**
 * Keeps a signed command until its agent asks. The hub cannot prove the signature: the shop knows whom it trusts, and refuses what they have not signed.
 * @throws COMMAND_INVALID, AGENT_UNKNOWN; COMMAND_SENT for an id that is there already
 */
export async function sendCommand(
  transaction: TenantTransaction,
  tenant: string,
  envelope: string,
  actor: string,
  now: number,
): Promise<SentCommand> {
  const { jti: id, sub: agentId, iss: operator, iat, exp, command } = claimsOf(envelope);
  const known = FleetCommand.safeParse(command);
  if (!known.success) throw invalid('its kind is none that a hub may ask for');
  if ((exp - iat) * 1_000 > LONGEST_COMMAND_MS) throw invalid('it is good for more than seven days');
  if (exp * 1_000 <= now) throw invalid('it has expired');
  const { kind } = known.data;
  const agent = await transaction
    .selectFrom('agent')
    .select('id')
    .where('id', '=', agentId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (agent === undefined)
    throw new AppError('AGENT_UNKNOWN', 'no agent of this merchant is the one of the command');
  const expiresAt = new Date(exp * 1_000);
  const row = { id, tenant_id: tenant, agent_id: agentId, operator, kind, envelope, expires_at: expiresAt };
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('command')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n)
    throw new AppError('COMMAND_SENT', 'a command with this id was sent before');
  await transaction
    .insertInto('audit')
    .values({
      tenant_id: tenant,
      actor,
      action: 'command_sent',
      details: JSON.stringify({ command: id, agent: agentId, kind, operator }),
    })
    .execute();
  return { id, agentId, kind, expiresAt };
}

/** Commands of a merchant, newest first. */
export async function listCommands(transaction: TenantTransaction, most: number) {
  return await transaction
    .selectFrom('command')
    .innerJoin('agent', 'agent.id', 'command.agent_id')
    .innerJoin('shop', 'shop.id', 'agent.shop_id')
    .select(['command.id', 'shop.name as shop', 'command.kind', 'command.operator', 'command.created_at'])
    .select(['command.expires_at', 'command.details'])
    .select(sql<string>`coalesce(command.state, 'waiting')`.as('state'))
    .orderBy('command.created_at', 'desc')
    .limit(most)
    .execute();
}

function claimsOf(envelope: string): CommandClaims {
  try {
    return CommandClaims.parse(decodeJwt(envelope));
  } catch (cause) {
    throw invalid('it is no command that tillhub sign has made', cause);
  }
}

function invalid(why: string, cause?: unknown): AppError {
  return new AppError('COMMAND_INVALID', `the command was not sent: ${why}`, { cause });
}
