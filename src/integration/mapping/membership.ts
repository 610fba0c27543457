import type { SourceRecord } from '../connector.ts';
import type { Mapped } from '../ports.ts';
import { fitted, metadataOf, minorIn, required, spoken, textIn, Unfit } from './fields.ts';
import { decisionOf, type MappingRules, mustBeFree, unmapped } from './mapping-rules.ts';
import { namesOf } from './vocabulary.ts';

const NAMED = namesOf('memberships');
const GRANTED = ['active', 'granted', 'trialing', 'open'];
const OVER = ['ended', 'expired', 'cancelled', 'canceled', 'revoked', 'paused', 'inactive'];

/** A membership of `provider_d` as an entitlement: `{state: "granted", …}` or `{state: "over"}`; one with a price is refused. */
export function mapMembership(rules: MappingRules, record: SourceRecord): Mapped {
  return fitted(() => {
    const { fields } = record;
    if (rules.provider !== 'provider_d') throw new Unfit('entitlements are taken from provider_d alone');
    mustBeFree('provider_d', [minorIn(fields, 'amount_minor')], textIn(fields, 'charge_type', 64) ?? null);
    const product = required(textIn(fields, 'product_external_id', 256), 'product_external_id');
    const fate = decisionOf(rules, product);
    if (fate.kind === 'ignored') return { kind: 'ignore' };
    const status = required(textIn(fields, 'status', 64), 'status').toLowerCase();
    if (OVER.includes(status)) return { kind: 'write', body: { state: 'over' } };
    if (!GRANTED.includes(status))
      throw new Unfit(`it is not known whether "${status}" means that it is valid`);
    if (fate.kind !== 'mapped') throw unmapped(product, null);
    return {
      kind: 'write',
      body: {
        state: 'granted',
        customer: required(textIn(fields, 'customer_external_id', 256), 'customer_external_id'),
        entitlement: spoken({
          benefit_id: fate.internalId,
          expires_at: textIn(fields, 'expires_at', 64) ?? undefined,
          metadata: metadataOf(rules.provider, record, NAMED),
        }),
      },
    };
  });
}
