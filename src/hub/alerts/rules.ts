import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { audit } from '../database/audit.ts';
import type { TenantTransaction } from '../database/connect.ts';
import type { Operator } from '../operators/authenticate.ts';
import { keyOf, pageOf } from '../operators/page.ts';
import type { AlertRule } from '../operators/resources.ts';
import type { AlertKind } from './kinds.ts';

/** Most rules of a tenant: each is evaluated every minute. */
const MOST_RULES = 100;

type AlertRuleView = z.infer<typeof AlertRule>;
export interface AlertRuleInput extends AlertRuleView {
  readonly kind: AlertKind;
}

interface Paged {
  readonly limit: number;
  readonly starting_after?: string | undefined;
}

const ruleRows = (transaction: TenantTransaction) =>
  transaction
    .selectFrom('alert_rule as r')
    .select(['r.name', 'r.kind', 'r.shops', 'r.minutes', 'r.severity', 'r.enabled'])
    .select(
      sql<
        string[]
      >`array(SELECT t.name FROM alert_rule_destination d JOIN alert_destination t ON t.id = d.destination_id
        WHERE d.rule_id = r.id ORDER BY t.name)`.as('destinations'),
    );

/** By name. */
export async function listRules(transaction: TenantTransaction, { limit, starting_after }: Paged) {
  const after = keyOf(starting_after, z.tuple([z.string()]));
  const rows = await ruleRows(transaction)
    .where('r.name', '>', after?.[0] ?? '')
    .orderBy('r.name')
    .limit(limit + 1)
    .execute();
  return pageOf(
    rows,
    limit,
    ({ name }) => [name],
    (row) => row,
  );
}

/** @throws RESOURCE_MISSING */
export async function readRule(transaction: TenantTransaction, name: string): Promise<AlertRuleView> {
  const rule = await ruleRows(transaction).where('r.name', '=', name).executeTakeFirst();
  if (rule === undefined) throw new AppError('RESOURCE_MISSING', `there is no alert rule ${name}`);
  return rule;
}

/**
 * The rule is as it was asked for afterwards; a repetition changes nothing. Alerts that it has raised end where they do not fit it any more.
 * @throws DESTINATION_UNKNOWN, ALERT_LIMIT
 */
export async function putRule(
  transaction: TenantTransaction,
  { tenant, name: operator }: Operator,
  input: AlertRuleInput,
): Promise<AlertRuleView> {
  const { destinations, ...rule } = input;
  const wanted = { ...rule, destinations: [...new Set(destinations)].sort() };
  const before = await ruleRows(transaction).where('r.name', '=', rule.name).executeTakeFirst();
  if (before && isSame(before, wanted)) return before;
  if (before === undefined) await requireRoom(transaction, 'alert_rule', MOST_RULES);
  const { id } = await transaction
    .insertInto('alert_rule')
    .values({ tenant_id: tenant, ...rule })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doUpdateSet(rule))
    .returning('id')
    .executeTakeFirstOrThrow();
  await transaction.deleteFrom('alert_rule_destination').where('rule_id', '=', id).execute();
  for (const destination of wanted.destinations) await lead(transaction, tenant, id, destination);
  await audit(transaction, tenant, `operator ${operator}`, 'alert_rule_changed', wanted);
  return await readRule(transaction, rule.name);
}

/** Ends nothing that a request of an agent has shown; alerts of conditions end within a minute or so. @throws RESOURCE_MISSING */
export async function removeRule(
  transaction: TenantTransaction,
  { tenant, name: operator }: Operator,
  name: string,
): Promise<void> {
  const rule = await readRule(transaction, name);
  await transaction.deleteFrom('alert_rule').where('name', '=', name).execute();
  await audit(transaction, tenant, `operator ${operator}`, 'alert_rule_removed', rule);
}

/** @throws ALERT_LIMIT */
export async function requireRoom(
  transaction: TenantTransaction,
  table: 'alert_rule' | 'alert_destination',
  most: number,
): Promise<void> {
  const { count } = await transaction
    .selectFrom(table)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  if (count >= most) throw new AppError('ALERT_LIMIT', `there are ${most} already, and more are not kept`);
}

/** @throws DESTINATION_UNKNOWN */
async function lead(transaction: TenantTransaction, tenant: string, rule: string, destination: string) {
  const found = await transaction
    .selectFrom('alert_destination')
    .select('id')
    .where('name', '=', destination)
    .executeTakeFirst();
  if (found === undefined)
    throw new AppError(
      'DESTINATION_UNKNOWN',
      `there is no alert destination ${destination}: PUT /v1/alert-destinations/{name} makes it`,
    );
  await transaction
    .insertInto('alert_rule_destination')
    .values({ tenant_id: tenant, rule_id: rule, destination_id: found.id })
    .execute();
}

function isSame(one: AlertRuleView, other: AlertRuleView): boolean {
  const fields = ({ kind, shops, minutes, severity, enabled, destinations }: AlertRuleView) =>
    JSON.stringify([kind, shops, minutes, severity, enabled, [...destinations].sort()]);
  return fields(one) === fields(other);
}
