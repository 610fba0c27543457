import { AppError } from '../../base/errors.ts';
import { canonicalId } from '../../base/ids.ts';
import type { JsonObject } from '../../integration/connector.ts';
import { CheckEntitlement } from '../contract/mirrored.ts';
import { hasAccess } from '../render/entitlement.ts';
import { instantOrNull } from '../render/instant.ts';
import type { MirrorSource } from './mirror-source.ts';
import { mirroredList } from './mirrored-table.ts';

/** Entitlements of one customer that are looked through. */
const MOST = 1_000;

/** A customer's access to a benefit, by its key. */
export interface Access {
  /** The entitlement that gives it; null: there is none. */
  readonly granting: JsonObject | null;
  /** One of this benefit that gives none; null: there is none, or access is given. */
  readonly other: JsonObject | null;
  /** Until when the mirrored list is complete, epoch ms; null: it never was. */
  readonly freshAt: number | null;
}

/** Access at `now` by the mirrored entitlements. @throws LIST_NOT_MIRRORED */
export function accessOf(source: MirrorSource, customerId: string, benefitKey: string, now: number): Access {
  const list = mirroredList('entitlements');
  const { rows } = source.page(list, { customerId, place: { offset: 0 }, limit: MOST });
  const ofKey = source.rendered(list, rows).filter((one) => keyOf(one) === benefitKey);
  const granting = ofKey.find((one) => hasAccess(one, now)) ?? null;
  return { granting, other: granting ? null : (ofKey.at(-1) ?? null), freshAt: source.freshAt(list.name) };
}

/** What a sale says of the entitlement that it needs. */
export interface NeedsAccess {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly invoiceId: string | null;
}

/**
 * Refuses a sale with `metadata.entitlement`, the key of a benefit, to a customer who has no access to it by the mirror. The customer is
 * `metadata.customer_id`, else that of the mirrored invoice.
 * @throws ENTITLEMENT_MISSING, FIELD_MISSING, VALIDATION_FAILED, LIST_NOT_MIRRORED
 */
export function requireAccess(source: MirrorSource, { metadata, invoiceId }: NeedsAccess, now: number): void {
  const benefitKey = metadata['entitlement'];
  if (benefitKey === undefined) return;
  const customerId = metadata['customer_id'] ?? customerOf(source, invoiceId);
  if (customerId === undefined)
    throw new AppError('FIELD_MISSING', CUSTOMER_MISSING, { context: { param: 'metadata.customer_id' } });
  const named = CheckEntitlement.safeParse({ benefitKey, customerId });
  if (!named.success)
    throw notText(named.error.issues[0]?.path[0] === 'benefitKey' ? 'entitlement' : 'customer_id');
  const { granting, freshAt } = accessOf(
    source,
    canonicalId(named.data.customerId),
    named.data.benefitKey,
    now,
  );
  if (granting !== null) return;
  const details = { entitlement: benefitKey, customer_id: customerId, fresh_at: instantOrNull(freshAt) };
  throw new AppError('ENTITLEMENT_MISSING', NO_ACCESS, {
    context: { param: 'metadata.entitlement', details },
  });
}

function customerOf(source: MirrorSource, invoiceId: string | null): unknown {
  if (invoiceId === null || !source.has('invoices')) return undefined;
  const list = mirroredList('invoices');
  const invoice = source.find(list, invoiceId);
  return invoice ? source.rendered(list, [invoice])[0]?.['customer_id'] : undefined;
}

function notText(field: string): AppError {
  return new AppError(
    'VALIDATION_FAILED',
    `metadata.${field} must be a text of 1 to 256 characters. Nothing was charged.`,
    { context: { param: `metadata.${field}` } },
  );
}

const CUSTOMER_MISSING =
  'metadata.customer_id is required with metadata.entitlement, where no mirrored invoice names the customer. Nothing was charged.';
const NO_ACCESS =
  'The customer has no access to what this sale needs. Nothing was charged. Look at the entitlements of the customer; grant one at the billing service, or sell without it.';

function keyOf({ benefit, benefit_key: own }: JsonObject): unknown {
  const isObject = typeof benefit === 'object' && benefit !== null && !Array.isArray(benefit);
  return isObject && 'benefit_key' in benefit ? benefit['benefit_key'] : own;
}
