import { z } from 'zod';
import { canonicalId } from '../../base/ids.ts';
import type { Api, RoutePlugin } from '../api.ts';
import { CheckEntitlement, CheckOfCustomer, EntitlementCheck, mirroredDataOf } from '../contract/mirrored.ts';
import { Uuid } from '../contract/primitives.ts';
import { instant, instantOrNull } from '../render/instant.ts';
import { accessOf } from './access.ts';
import { MirrorSource, type MirrorSourceDeps } from './mirror-source.ts';
import { requireCustomer } from './mirrored-lists.ts';

const ByCustomer = z.strictObject({ customerId: Uuid });
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
  reply: Parameters<MirrorSource['sendAge']>[0],
) {
  const { granting, other, freshAt } = accessOf(source, customerId, benefitKey, now);
  requireCustomer(source, customerId);
  source.sendAge(reply, freshAt);
  return {
    data: {
      object: 'entitlement_check',
      customer_id: customerId,
      benefit_key: benefitKey,
      has_access: granting !== null,
      entitlement: granting ?? other,
      checked_at: instant(now),
    },
    fresh_at: instantOrNull(freshAt),
  };
}
