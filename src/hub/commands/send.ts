import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import {
  CLOCKS_APART_MS,
  CommandClaims,
  FleetCommand,
  LONGEST_COMMAND_MS,
  NEEDS_PERSON,
} from '../../fleet/contract/command.ts';
import { refusalOfConfiguration } from '../../fleet/contract/configuration.ts';
import type { TenantTransaction } from '../database/connect.ts';
import { Moment, momentOf } from '../operators/alerts.ts';
import { instant, keyOf, pageOf } from '../operators/page.ts';

/** A command that was put into the hands of the hub. */
export interface SentCommand {
  readonly id: string;
  readonly agentId: string;
  readonly kind: string;
  readonly expiresAt: Date;
  /** Of settings; null: it is of another kind. */
  readonly revision: number | null;
}

/**
 * Keeps a signed command until its agent asks. The hub cannot prove the signature: the shop has the keys that it trusts, and refuses what none of them has signed.
 * @throws COMMAND_INVALID, RESOURCE_MISSING; COMMAND_SENT for an id that is there already
 */
export async function sendCommand(
  transaction: TenantTransaction,
  tenant: string,
  envelope: string,
  actor: string,
  now: number,
): Promise<SentCommand> {
  const [sent] = await sendCommands(transaction, tenant, [envelope], actor, { now, of_rollout: false });
  if (sent === undefined) throw new Error('a command that was kept is there');
  return sent;
}

/** The same for at most 500, all or none; those of a rollout until it gives them their turn. */
export async function sendCommands(
  transaction: TenantTransaction,
  tenant: string,
  envelopes: readonly string[],
  actor: string,
  { now, of_rollout }: { readonly now: number; readonly of_rollout: boolean },
): Promise<readonly SentCommand[]> {
  const commands = envelopes.map((envelope) => checkedCommand(envelope, now));
  const known = await transaction
    .selectFrom('agent')
    .select('id')
    .where(sql<boolean>`id = ANY (${commands.map(({ agentId }) => agentId)}::uuid[])`)
    .where('revoked_at', 'is', null)
    .execute();
  const ids = new Set(known.map(({ id }) => id));
  const strange = commands.find(({ agentId }) => !ids.has(agentId.toLowerCase()));
  if (strange !== undefined)
    throw new AppError(
      'RESOURCE_MISSING',
      `no agent of this merchant is the one of the command: ${strange.agentId}`,
    );
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('command')
    .values(
      commands.map(({ id, agentId, operator, kind, envelope, expiresAt, reason }) => ({
        ...{ id, tenant_id: tenant, agent_id: agentId, operator, kind, envelope, expires_at: expiresAt },
        ...{ of_rollout, ...(reason === undefined ? {} : { reason }) },
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== BigInt(commands.length))
    throw new AppError('COMMAND_SENT', 'a command with this id was sent before');
  const noted = commands.map(({ id, agentId, kind, operator }) =>
    JSON.stringify({ command: id, agent: agentId, kind, operator }),
  );
  await sql`INSERT INTO audit (tenant_id, actor, action, details)
    SELECT ${tenant}::uuid, ${actor}::text, 'command_sent', details FROM unnest(${noted}::text[]) AS details`.execute(
    transaction,
  );
  return commands;
}

/** @throws COMMAND_INVALID */
function checkedCommand(envelope: string, now: number) {
  const { jti: id, sub: agentId, iss: operator, iat, exp, command } = claimsOf(envelope);
  const known = FleetCommand.safeParse(command);
  if (!known.success)
    throw invalid(refusalOfConfiguration(command) ?? 'its kind is none that a hub may ask for');
  if ((exp - iat) * 1_000 > LONGEST_COMMAND_MS) throw invalid('it is good for more than seven days');
  if (iat * 1_000 > now + CLOCKS_APART_MS)
    throw invalid('it was signed in the future by the clock of the hub');
  if (exp <= iat || exp * 1_000 <= now) throw invalid('it has expired');
  const { kind } = known.data;
  const reason = 'reason' in known.data ? known.data.reason : undefined;
  const revision = known.data.kind === 'configuration' ? known.data.revision : null;
  return { id, agentId, operator, kind, envelope, reason, revision, expiresAt: new Date(exp * 1_000) };
}

const commandRows = (transaction: TenantTransaction) =>
  transaction
    .selectFrom('command')
    .innerJoin('agent', 'agent.id', 'command.agent_id')
    .innerJoin('shop', 'shop.id', 'agent.shop_id')
    .select(['command.id', 'shop.name as shop', 'command.agent_id', 'command.kind', 'command.operator'])
    .select(['command.created_at', 'command.expires_at', 'command.details', 'command.reason'])
    .select(['command.decided_by', 'command.decided_at', 'command.ended_at'])
    .select(sql<string>`coalesce(command.state, 'waiting')`.as('state'))
    .select(momentOf('command.created_at'));

/** Commands of a merchant, the newest first. */
export async function listCommands(
  transaction: TenantTransaction,
  { limit, starting_after }: { readonly limit: number; readonly starting_after?: string | undefined },
) {
  const before = keyOf(starting_after, Moment);
  let rows = commandRows(transaction)
    .orderBy('command.created_at', 'desc')
    .orderBy('command.id', 'desc')
    .limit(limit + 1);
  if (before !== null)
    rows = rows.where(
      sql<boolean>`(command.created_at, command.id) < (${before[0]}::text::timestamptz, ${before[1]}::uuid)`,
    );
  return pageOf(await rows.execute(), limit, ({ moment, id }) => [moment, id], commandView);
}

/** @throws RESOURCE_MISSING */
export async function readCommand(transaction: TenantTransaction, id: string) {
  const row = await commandRows(transaction).where('command.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('RESOURCE_MISSING', 'there is no such command');
  return commandView(row);
}

function commandView({ created_at, expires_at, ended_at: _, moment: __, ...command }: CommandRow) {
  return { ...command, created_at: instant(created_at), expires_at: instant(expires_at) };
}

/** Commands that wait for a person of their shop and have not expired, the longest first. */
export async function listTasks(
  transaction: TenantTransaction,
  { limit, starting_after, shop }: TaskFilter,
  now: number,
) {
  const after = keyOf(starting_after, Moment);
  let rows = transaction
    .selectFrom('command')
    .innerJoin('agent', 'agent.id', 'command.agent_id')
    .innerJoin('shop', 'shop.id', 'agent.shop_id')
    .select(['command.id', 'shop.name as shop', 'command.agent_id', 'command.kind', 'command.operator'])
    .select(['command.reason', 'command.created_at', 'command.expires_at', 'command.ended_at'])
    .select(momentOf('command.ended_at'))
    .where(sql<boolean>`command.state = ${sql.lit(NEEDS_PERSON)}`)
    .where('agent.revoked_at', 'is', null)
    .where('command.expires_at', '>', new Date(now))
    .orderBy('command.ended_at')
    .orderBy('command.id')
    .limit(limit + 1);
  if (shop !== undefined) rows = rows.where('shop.name', '=', shop);
  if (after !== null)
    rows = rows.where(
      sql<boolean>`(command.ended_at, command.id) > (${after[0]}::text::timestamptz, ${after[1]}::uuid)`,
    );
  return pageOf(
    await rows.execute(),
    limit,
    ({ moment, id }) => [moment, id],
    ({ moment: _, created_at, expires_at, ended_at, ...task }) => ({
      ...task,
      created_at: instant(created_at),
      expires_at: instant(expires_at),
      since: instant(ended_at ?? created_at),
    }),
  );
}

export interface TaskFilter {
  readonly limit: number;
  readonly starting_after?: string | undefined;
  readonly shop?: string | undefined;
}

type CommandRow = Awaited<ReturnType<ReturnType<typeof commandRows>['execute']>>[number];

function claimsOf(envelope: string): CommandClaims {
  let payload: unknown;
  try {
    payload = decodeJwt(envelope);
  } catch (cause) {
    throw invalid('it is no command that tillhub sign has made', cause);
  }
  const claims = CommandClaims.safeParse(payload);
  if (claims.success) return claims.data;
  throw invalid(z.prettifyError(claims.error).slice(0, 500), claims.error);
}

function invalid(why: string, cause?: unknown): AppError {
  return new AppError('COMMAND_INVALID', `the command was not sent: ${why}`, { cause });
}
