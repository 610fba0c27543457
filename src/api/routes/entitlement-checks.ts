import { z } from 'zod';
import { canonicalId } from '../../base/ids.ts';
import type { JsonObject } from '../../integration/connector.ts';
import type { Api, RoutePlugin } from '../api.ts';
import { CheckEntitlement, CheckOfCustomer, EntitlementCheck, mirroredDataOf } from '../contract/mirrored.ts';
import { Uuid } from '../contract/primitives.ts';
import { hasAccess } from '../render/entitlement.ts';
import { instant, instantOrNull } from '../render/instant.ts';
import { MirrorSource, type MirrorSourceDeps } from './mirror-source.ts';
import { requireCustomer } from './mirrored-lists.ts';
import { mirroredList } from './mirrored-table.ts';

const ByCustomer = z.strictObject({ customerId: Uuid });
/** Entitlements of one customer that are looked through. */
const MOST = 1_000;
const REPLIES = [
  {
    status: 200,
    description: 'Whether the customer has access now.',
    schema: mirroredDataOf(EntitlementCheck),
  },
];
const SUMMARY =
  'Whether a customer has access to a benefit now, computed from the mirror, also offline: `fresh_at` and `Age` say how old it is.';

/** Whether a customer may have something, by the key of the benefit. */
export function entitlementCheckRoutes(deps: MirrorSourceDeps): RoutePlugin {
  const source = new MirrorSource(deps);
  return async (api) => {
    checkRoute(api, source, deps);
    customerCheckRoute(api, source, deps);
  };
}

function checkRoute(api: Api, source: MirrorSource, { clock }: MirrorSourceDeps): void {
  api.route({
    method: 'GET',
    url: '/v2/entitlements/check',
    schema: { querystring: CheckEntitlement },
    config: {
      operationId: 'checkEntitlement',
      tag: 'Entitlements',
      access: 'customers:read',
      summary: SUMMARY,
      replies: REPLIES,
      refusals: ['LIST_NOT_MIRRORED', 'CUSTOMER_UNKNOWN'],
      isMirrored: true,
    },
    handler: ({ query }, reply) => {
      const { customerId, benefitKey } = query;
      return checked(source, { customerId: canonicalId(customerId), benefitKey, now: clock.now() }, reply);
    },
  });
}

function customerCheckRoute(api: Api, source: MirrorSource, { clock }: MirrorSourceDeps): void {
  api.route({
    method: 'GET',
    url: '/v2/customers/:customerId/entitlements/check',
    schema: { params: ByCustomer, querystring: CheckOfCustomer },
    config: {
      operationId: 'checkCustomerEntitlement',
      tag: 'Customers',
      access: 'customers:read',
      summary: SUMMARY,
      replies: REPLIES,
      refusals: ['LIST_NOT_MIRRORED', 'CUSTOMER_UNKNOWN'],
      isMirrored: true,
    },
    handler: ({ params, query }, reply) =>
      checked(source, { ...params, benefitKey: query.benefitKey, now: clock.now() }, reply),
  });
}

interface Asked {
  readonly customerId: string;
  readonly benefitKey: string;
  readonly now: number;
}

function checked(
  source: MirrorSource,
  { customerId, benefitKey, now }: Asked,
  reply: Parameters<MirrorSource['tellAge']>[0],
) {
  const list = mirroredList('entitlements');
  const { rows } = source.page(list, { customerId, place: { offset: 0 }, limit: MOST });
  requireCustomer(source, customerId);
  const ofKey = source.rendered(list, rows).filter((one) => keyOf(one) === benefitKey);
  const granting = ofKey.find((one) => hasAccess(one, now));
  const freshAt = source.freshAt(list.name);
  source.tellAge(reply, freshAt);
  return {
    data: {
      object: 'entitlement_check',
      customer_id: customerId,
      benefit_key: benefitKey,
      has_access: granting !== undefined,
      entitlement: granting ?? ofKey.at(-1) ?? null,
      checked_at: instant(now),
    },
    fresh_at: instantOrNull(freshAt),
  };
}

function keyOf({ benefit, benefit_key: own }: JsonObject): unknown {
  const isObject = typeof benefit === 'object' && benefit !== null && !Array.isArray(benefit);
  return isObject && 'benefit_key' in benefit ? benefit['benefit_key'] : own;
}
