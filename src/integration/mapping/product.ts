import type { SourceRecord } from '../connector.ts';
import type { Mapped } from '../ports.ts';
import { fitted, minorIn, required, spoken, textIn } from './fields.ts';
import { decisionOf, type MappingRules, mustBeFree, unmapped } from './mapping-rules.ts';

/**
 * A product as an entry of the integration's mappings at the service: its name, type and charge type, and its local mapping.
 * Where the service manages the integration, the service shows an unmapped one so that a person can map it; otherwise it waits here.
 */
export function mapProduct(rules: MappingRules, record: SourceRecord): Mapped {
  return fitted(() => {
    const { fields, id } = record;
    const name = required(textIn(fields, 'name', 256), 'name');
    const chargeType = textIn(fields, 'charge_type', 64) ?? null;
    mustBeFree(rules.provider, [minorIn(fields, 'amount_minor')], chargeType);
    const decision = decisionOf(rules, id);
    if (decision.kind === 'ignored') return { kind: 'ignore' };
    if (decision.kind === 'open' && rules.requiresMappings && rules.managedBy === 'local')
      throw unmapped(id, name);
    const type = textIn(fields, 'type', 64) ?? textIn(fields, 'kind', 64) ?? undefined;
    const metadata = spoken({ name, type, charge_type: chargeType ?? undefined });
    return {
      kind: 'write',
      body: { internalId: decision.kind === 'mapped' ? decision.internalId : null, metadata },
    };
  });
}
