import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { audit } from '../database/audit.ts';
import type { TenantTransaction } from '../database/connect.ts';
import type { Operator } from '../operators/authenticate.ts';
import { keyOf, pageOf } from '../operators/page.ts';
import { requireRoom } from './rules.ts';

const MOST_DESTINATIONS = 50;

/** As an administrator names it; a secret that is left out stays as it is. */
export interface DestinationInput {
  readonly name: string;
  readonly kind: 'webhook' | 'email';
  readonly url?: string | undefined;
  readonly secret?: string | undefined;
  readonly recipients?: readonly string[] | undefined;
  readonly language: 'en' | 'de' | 'fr';
}

const destinationRows = (transaction: TenantTransaction) =>
  transaction
    .selectFrom('alert_destination as t')
    .selectAll()
    .select(
      sql<number>`(SELECT count(*)::int FROM alert_delivery d WHERE d.destination_id = t.id
      AND d.delivered_at IS NULL AND d.next_at IS NOT NULL)`.as('waiting'),
    )
    .select(
      sql<number>`(SELECT count(*)::int FROM alert_delivery d WHERE d.destination_id = t.id
      AND d.delivered_at IS NULL AND d.next_at IS NULL)`.as('given_up'),
    )
    .select(
      sql<string | null>`(SELECT d.last_error FROM alert_delivery d WHERE d.destination_id = t.id
      AND d.delivered_at IS NULL AND d.last_error IS NOT NULL ORDER BY d.created_at DESC LIMIT 1)`.as(
        'last_error',
      ),
    );

type DestinationRow = Awaited<ReturnType<ReturnType<typeof destinationRows>['execute']>>[number];

/** By name. */
export async function listDestinations(
  transaction: TenantTransaction,
  { role }: Operator,
  { limit, starting_after }: { readonly limit: number; readonly starting_after?: string | undefined },
) {
  const after = keyOf(starting_after, z.tuple([z.string()]));
  const rows = await destinationRows(transaction)
    .where('t.name', '>', after?.[0] ?? '')
    .orderBy('t.name')
    .limit(limit + 1)
    .execute();
  return pageOf(
    rows,
    limit,
    ({ name }) => [name],
    (row) => viewOf(row, role),
  );
}

/** @throws RESOURCE_MISSING */
export async function readDestination(transaction: TenantTransaction, { role }: Operator, name: string) {
  return viewOf(await findDestination(transaction, name), role);
}

/** With its secret. @throws RESOURCE_MISSING */
export async function findDestination(transaction: TenantTransaction, name: string): Promise<DestinationRow> {
  const found = await destinationRows(transaction).where('t.name', '=', name).executeTakeFirst();
  if (found === undefined) throw new AppError('RESOURCE_MISSING', `there is no alert destination ${name}`);
  return found;
}

/**
 * The destination is as it was asked for afterwards; a repetition changes nothing. Messages that wait go there.
 * @throws DESTINATION_INVALID for a new webhook without a secret; ALERT_LIMIT
 */
export async function putDestination(
  transaction: TenantTransaction,
  operator: Operator,
  { name, kind, language, url, secret, recipients }: DestinationInput,
) {
  const before = await destinationRows(transaction).where('t.name', '=', name).executeTakeFirst();
  const row = {
    kind,
    language,
    url: url ?? null,
    secret: kind === 'webhook' ? (secret ?? before?.secret ?? null) : null,
    recipients: recipients === undefined ? null : [...recipients],
  };
  if (kind === 'webhook' && row.secret === null)
    throw new AppError(
      'DESTINATION_INVALID',
      'a new webhook needs a secret: it proves who sends the messages',
    );
  if (before === undefined) await requireRoom(transaction, 'alert_destination', MOST_DESTINATIONS);
  const isSame = before !== undefined && JSON.stringify(fieldsOf(before)) === JSON.stringify(fieldsOf(row));
  if (!isSame) {
    await transaction
      .insertInto('alert_destination')
      .values({ tenant_id: operator.tenant, name, ...row })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doUpdateSet(row))
      .execute();
    const { secret: _, url: address, ...shown } = row;
    const noted = { name, ...shown, ...(address === null ? {} : { host: hostOf(address) }) };
    const secretChanged = row.secret !== (before?.secret ?? null);
    const details = { ...noted, secret_changed: secretChanged };
    await audit(
      transaction,
      operator.tenant,
      `operator ${operator.name}`,
      'alert_destination_changed',
      details,
    );
  }
  return await readDestination(transaction, operator, name);
}

/** Its messages that wait are dropped with it. @throws RESOURCE_MISSING; DESTINATION_IN_USE while a rule leads there */
export async function removeDestination(
  transaction: TenantTransaction,
  { tenant, name: operator }: Operator,
  name: string,
): Promise<void> {
  const { id } = await findDestination(transaction, name);
  const rule = await transaction
    .selectFrom('alert_rule_destination as d')
    .innerJoin('alert_rule as r', 'r.id', 'd.rule_id')
    .select('r.name')
    .where('d.destination_id', '=', id)
    .executeTakeFirst();
  if (rule !== undefined)
    throw new AppError(
      'DESTINATION_IN_USE',
      `the alert rule ${rule.name} leads to ${name}: change the rule first`,
    );
  await transaction.deleteFrom('alert_destination').where('id', '=', id).execute();
  await audit(transaction, tenant, `operator ${operator}`, 'alert_destination_removed', { name });
}

function viewOf({ name, kind, url, recipients, language, ...row }: DestinationRow, role: Operator['role']) {
  const { waiting, given_up, last_error } = row;
  const shown = url === null || role === 'admin' ? url : `${new URL(url).origin}/…`;
  return { name, kind, url: shown, recipients, language, waiting, given_up, last_error };
}

function fieldsOf({
  kind,
  language,
  url,
  secret,
  recipients,
}: Pick<DestinationRow, 'kind' | 'language' | 'url' | 'secret' | 'recipients'>) {
  return [kind, language, url, secret, recipients];
}

function hostOf(url: string): string {
  return new URL(url).host;
}
