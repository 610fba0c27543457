import { createHash, randomInt } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import { audit } from '../database/audit.ts';
import { asTenant, type Database, type TenantTransaction } from '../database/connect.ts';

const VALID_MS = 15 * 60_000;
/** Without 0, 1, I, L, O and U: a code is read out over the telephone. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

export interface Invitation {
  readonly code: string;
  readonly shopId: string;
  readonly expiresAt: Date;
}

/**
 * A code by which one agent joins as this shop, within 15 minutes, once. A shop of this name is made where there is none.
 * @throws TENANT_UNKNOWN, SHOP_NAME_INVALID
 */
export async function invite(
  database: Database,
  names: { readonly tenant: string; readonly shop: string },
  actor: string,
  now: number,
): Promise<Invitation> {
  const tenant = await tenantId(database, names.tenant);
  return await asTenant(database, tenant, async (transaction) => {
    await makeShop(transaction, tenant, names.shop);
    return await inviteInto(transaction, tenant, names.shop, actor, now);
  });
}

/** Names are a part of addresses, of files and of what a terminal shows. */
const SHOP_NAME = /^(?!\.{1,2}$)(?!\s)[^\p{C}\p{Zl}\p{Zp}/\\]{1,100}(?<!\s)$/u;

/**
 * @returns whether there was none of this name
 * @throws SHOP_NAME_INVALID for a new one
 */
export async function makeShop(
  transaction: TenantTransaction,
  tenant: string,
  name: string,
): Promise<boolean> {
  const known = await transaction.selectFrom('shop').select('id').where('name', '=', name).executeTakeFirst();
  if (known !== undefined) return false;
  if (!SHOP_NAME.test(name))
    throw new AppError(
      'SHOP_NAME_INVALID',
      'the name of a shop has 1 to 100 characters, no slash, backslash or control character, no blank at an end, and is not . or ..',
    );
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('shop')
    .values({ tenant_id: tenant, name })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** The same for a shop that is there. */
export async function inviteInto(
  transaction: TenantTransaction,
  tenant: string,
  name: string,
  actor: string,
  now: number,
): Promise<Invitation> {
  const code = newCode();
  const expiresAt = new Date(now + VALID_MS);
  const shop = await transaction
    .selectFrom('shop')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto('invitation')
    .values({ code_hash: hashOfCode(code), tenant_id: tenant, shop_id: shop.id, expires_at: expiresAt })
    .execute();
  await audit(transaction, tenant, actor, 'shop_invited', { shop: name });
  return { code, shopId: shop.id, expiresAt };
}

/** @throws TENANT_UNKNOWN */
export async function tenantId(database: Database, name: string): Promise<string> {
  const tenant = await database.selectFrom('tenant').select('id').where('name', '=', name).executeTakeFirst();
  if (tenant !== undefined) return tenant.id;
  throw new AppError(
    'TENANT_UNKNOWN',
    `there is no tenant ${name}: tillhub tenants add ${JSON.stringify(name)}`,
  );
}

/** What the database keeps of a code; spaces, hyphens and small letters make no difference. */
export function hashOfCode(code: string): string {
  return createHash('sha256').update(code.toUpperCase().replaceAll(/[\s-]/g, '')).digest('hex');
}

function newCode(): string {
  const letters = Array.from({ length: 12 }, () => LETTERS[randomInt(LETTERS.length)]);
  return [0, 4, 8].map((start) => letters.slice(start, start + 4).join('')).join('-');
}
