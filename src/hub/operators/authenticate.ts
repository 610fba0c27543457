import { sql } from 'kysely';
import { AppError } from '../../base/errors.ts';
import { audit } from '../database/audit.ts';
import { type Database, ROLE, seeTenant, type TenantTransaction } from '../database/connect.ts';
import { hashOfSecret, newSecret, ROLES, type Role } from './operators.ts';

export const SESSION_MS = 12 * 3_600_000;

/** What a request shows: the token of a script, or the session of a page. */
export interface Proof {
  readonly kind: 'token' | 'session';
  readonly secret: string;
}

export interface Operator {
  readonly id: string;
  readonly tenant: string;
  readonly name: string;
  readonly role: Role;
}

/**
 * One transaction with the rows of the operator's tenant. Token and session are looked at in every request, so a removal counts at once.
 * @throws OPERATOR_UNKNOWN, ROLE_TOO_SMALL
 */
export async function asOperator<T>(
  database: Database,
  proof: Proof,
  least: Role,
  now: number,
  work: (transaction: TenantTransaction, operator: Operator) => Promise<T>,
): Promise<T> {
  return await database.transaction().execute(async (transaction) => {
    const operator = await operatorOf(transaction, proof, now);
    if (ROLES.indexOf(operator.role) < ROLES.indexOf(least))
      throw new AppError(
        'ROLE_TOO_SMALL',
        `this needs the role ${least}; ${operator.name} is ${operator.role}`,
      );
    return await work(transaction, operator);
  });
}

async function operatorOf(
  transaction: TenantTransaction,
  { kind, secret }: Proof,
  now: number,
): Promise<Operator> {
  const hash = hashOfSecret(secret);
  await sql`SELECT set_config('role', ${ROLE}, true), set_config(${`tilld.operator_${kind}`}, ${hash}, true)`.execute(
    transaction,
  );
  const found =
    kind === 'token'
      ? await transaction
          .selectFrom('operator')
          .select(['id', 'tenant_id'])
          .where('token_hash', '=', hash)
          .executeTakeFirst()
      : await transaction
          .selectFrom('operator_session')
          .select(['operator_id as id', 'tenant_id'])
          .where('session_hash', '=', hash)
          .where('expires_at', '>', new Date(now))
          .executeTakeFirst();
  if (found === undefined)
    throw new AppError('OPERATOR_UNKNOWN', 'no operator has this token, or the session has ended: sign in');
  await seeTenant(transaction, found.tenant_id);
  const { name, role } = await transaction
    .selectFrom('operator')
    .select(['name', 'role'])
    .where('id', '=', found.id)
    .executeTakeFirstOrThrow();
  return { id: found.id, tenant: found.tenant_id, name, role };
}

/** @returns the secret of a new session, which ends by itself after twelve hours */
export async function openSession(
  transaction: TenantTransaction,
  { id, tenant, name }: Operator,
  now: number,
): Promise<string> {
  const secret = newSecret('ths_');
  await transaction.deleteFrom('operator_session').where('expires_at', '<', new Date(now)).execute();
  await transaction
    .insertInto('operator_session')
    .values({
      session_hash: hashOfSecret(secret),
      tenant_id: tenant,
      operator_id: id,
      expires_at: new Date(now + SESSION_MS),
    })
    .execute();
  await audit(transaction, tenant, `operator ${name}`, 'signed_in', {});
  return secret;
}

export async function endSession(transaction: TenantTransaction, secret: string): Promise<void> {
  await transaction.deleteFrom('operator_session').where('session_hash', '=', hashOfSecret(secret)).execute();
}
