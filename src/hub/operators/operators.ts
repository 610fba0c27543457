import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import { audit } from '../database/audit.ts';
import type { TenantTransaction } from '../database/connect.ts';

/** Each role may do what the one before it may. */
export const ROLES = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/**
 * @returns the operator's token, of which the database keeps a hash
 * @throws OPERATOR_EXISTS
 */
export async function addOperator(
  transaction: TenantTransaction,
  tenant: string,
  { name, role }: { readonly name: string; readonly role: Role },
  actor: string,
): Promise<string> {
  const token = newSecret('tho_');
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('operator')
    .values({ tenant_id: tenant, name, role, token_hash: hashOfSecret(token) })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n)
    throw new AppError('OPERATOR_EXISTS', `there is an operator ${name} already`);
  await audit(transaction, tenant, actor, 'operator_added', { operator: name, role });
  return token;
}

/** Ends the operator's token and sessions. @throws OPERATOR_UNKNOWN */
export async function removeOperator(
  transaction: TenantTransaction,
  tenant: string,
  name: string,
  actor: string,
): Promise<void> {
  const { numDeletedRows } = await transaction
    .deleteFrom('operator')
    .where('name', '=', name)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new AppError('OPERATOR_UNKNOWN', `there is no operator ${name}`);
  await audit(transaction, tenant, actor, 'operator_removed', { operator: name });
}

/** 256 random bits; the beginning shows what it is to those who find one. */
export function newSecret(beginning: string): string {
  return `${beginning}${randomBytes(32).toString('base64url')}`;
}

/** What the database keeps of a token or a session. */
export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
