import { userInfo } from 'node:os';
import { sql } from 'kysely';
import { AppError } from '../base/errors.ts';
import { asTenant, connect, type Database, type TenantTransaction } from './database/connect.ts';
import { migrate } from './database/migrate.ts';
import { addOperator, ROLES, removeOperator } from './operators/operators.ts';
import { print, printable, printJson, printRow } from './printing.ts';
import { databaseUrl } from './serve.ts';
import { invite, tenantId } from './shops/invite.ts';

interface DatabaseOption {
  readonly database?: string;
}
export interface OfTenant extends DatabaseOption {
  readonly tenant: string;
  readonly json?: boolean;
}

export async function runMigrations(options: DatabaseOption): Promise<void> {
  await withDatabase(options, async (database) => {
    const ran = await migrate(database);
    print(ran.length === 0 ? 'The tables are up to date.' : `Done: ${ran.join(', ')}.`);
  });
}

/** @throws TENANT_EXISTS */
export async function addTenant(name: string, options: DatabaseOption): Promise<void> {
  await withDatabase(options, async (database) => {
    const added = await database
      .insertInto('tenant')
      .values({ name })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows !== 1n)
      throw new AppError('TENANT_EXISTS', `there is a tenant ${name} already`);
    print(`Tenant ${printable(name)} was added. Next: tillhub shops invite NAME --tenant ${quoted(name)}`);
  });
}

export async function inviteShop(shop: string, options: OfTenant): Promise<void> {
  await withDatabase(options, async (database) => {
    const { code, expiresAt } = await invite(database, { tenant: options.tenant, shop }, actor(), Date.now());
    if (options.json) printJson({ data: { code, expires_at: expiresAt.toISOString() } });
    else print(`${code}\nIt is good for 15 minutes, once, for the shop ${printable(shop)}.`);
  });
}

export async function listShops(options: OfTenant & { readonly agents?: boolean }): Promise<void> {
  await ofTenant(options, async (transaction) => {
    if (options.agents) return await listAgents(transaction);
    const { rows } =
      await sql<ShopRow>`SELECT s.name AS shop, a.id AS agent_id, a.version, a.seen_at, a.quarantined,
      a.revoked_at FROM shop s LEFT JOIN agent a ON a.shop_id = s.id ORDER BY s.name, a.created_at`.execute(
        transaction,
      );
    if (options.json) printJson({ data: rows });
    else if (rows.length === 0)
      print(
        `${printable(options.tenant)} has no shops. Next: tillhub shops invite NAME --tenant ${quoted(options.tenant)}`,
      );
    else for (const row of rows) printRow(...shopCells(row));
  });
}

/** The newest agent of each shop that is joined, as `configuration sign --agents` takes them. */
async function listAgents(transaction: TenantTransaction): Promise<void> {
  const { rows } = await sql<{
    id: string;
    shop: string;
  }>`SELECT DISTINCT ON (s.name) a.id, s.name AS shop FROM agent a JOIN shop s ON s.id = a.shop_id
    WHERE a.revoked_at IS NULL ORDER BY s.name, a.created_at DESC`.execute(transaction);
  for (const { id, shop } of rows) printRow(id, `# ${shop}`);
}

interface ShopRow {
  readonly shop: string;
  readonly agent_id: string | null;
  readonly version: string | null;
  readonly seen_at: Date | null;
  readonly quarantined: string | null;
  readonly revoked_at: Date | null;
}

function shopCells({
  shop,
  agent_id,
  version,
  seen_at,
  quarantined,
  revoked_at,
}: ShopRow): readonly string[] {
  if (agent_id === null) return [shop, 'no agent has joined yet'];
  const seen = seen_at === null ? 'never seen' : `seen ${seen_at.toISOString()}`;
  const state =
    revoked_at !== null ? ['revoked'] : quarantined !== null ? [`no commands: ${quarantined}`] : [];
  return [shop, agent_id, version ?? '', seen, ...state];
}

export async function addOperatorOf(
  name: string,
  options: OfTenant & { readonly role: string },
): Promise<void> {
  const role = ROLES.find((one) => one === options.role);
  if (role === undefined) throw new AppError('ROLE_UNKNOWN', `--role is one of ${ROLES.join(', ')}`);
  await ofTenant(options, async (transaction, tenant) => {
    const token = await addOperator(transaction, tenant, { name, role }, actor());
    if (options.json) printJson({ data: { name, role, token } });
    else
      print(
        `${token}\nIt is shown once: ${printable(name)} signs in with it, and scripts send it as Authorization: Bearer.`,
      );
  });
}

export async function listOperators(options: OfTenant): Promise<void> {
  await ofTenant(options, async (transaction) => {
    const rows = await transaction
      .selectFrom('operator')
      .select(['name', 'role', 'created_at'])
      .orderBy('name')
      .execute();
    if (options.json) printJson({ data: rows });
    else for (const { name, role } of rows) printRow(name, role);
  });
}

/** @throws OPERATOR_UNKNOWN */
export async function removeOperatorOf(name: string, options: OfTenant): Promise<void> {
  await ofTenant(options, async (transaction, tenant) => {
    await removeOperator(transaction, tenant, name, actor());
    print(`${printable(name)} was removed, and is signed out everywhere.`);
  });
}

/** Work in the rows of one merchant. @throws TENANT_UNKNOWN */
export async function ofTenant(
  options: OfTenant,
  work: (transaction: TenantTransaction, tenant: string) => Promise<void>,
): Promise<void> {
  await withDatabase(options, async (database) => {
    const tenant = await tenantId(database, options.tenant);
    await asTenant(database, tenant, (transaction) => work(transaction, tenant));
  });
}

async function withDatabase(
  options: DatabaseOption,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const database = connect(databaseUrl(options), { connections: 2 });
  try {
    await work(database);
  } finally {
    await database.destroy();
  }
}

/** Who works at the machine of the hub, for the audit. */
export function actor(): string {
  return `${userInfo().username} at the machine of the hub`;
}

/** As an argument to be copied: a shell reads nothing in it. */
export function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${printable(name).replaceAll("'", String.raw`'\''`)}'`;
}
