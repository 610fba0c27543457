import type { Integration, Mapping, ProviderName } from '../integration.ts';
import { Unfit } from './fields.ts';

/** The mapping rules of an integration; read again for each page. */
export interface MappingRules extends Pick<Integration, 'requiresMappings' | 'managedBy'> {
  readonly provider: ProviderName;
  mappingOf(externalId: string): Mapping | undefined;
}

/** The mapping of a product. `open`: there is none yet. */
export type MappingDecision =
  | { readonly kind: 'mapped'; readonly internalId: string }
  | { readonly kind: 'ignored' | 'open' };

export function decisionOf({ mappingOf }: MappingRules, externalId: string): MappingDecision {
  const mapping = mappingOf(externalId);
  if (mapping?.isIgnored) return { kind: 'ignored' };
  return mapping && mapping.internalId !== null
    ? { kind: 'mapped', internalId: mapping.internalId }
    : { kind: 'open' };
}

/** The error for a product that waits for a mapping. */
export function unmapped(externalId: string, name: string | null): Unfit {
  const called = name === null ? '' : ` (${name})`;
  return new Unfit(`its product ${externalId}${called} has no mapping yet`, externalId);
}

/** `provider_d` has memberships only, without prices. @throws Unfit */
export function mustBeFree(
  provider: ProviderName,
  amounts: readonly (number | null)[],
  chargeType: string | null,
): void {
  if (provider !== 'provider_d') return;
  if (amounts.some((minor) => minor !== null && minor !== 0))
    throw new Unfit('provider_d takes memberships without money only, and this has an amount');
  if (chargeType !== null && chargeType !== 'membership' && chargeType !== 'free')
    throw new Unfit(
      `provider_d takes memberships without money only, and this is charged as "${chargeType}"`,
    );
}
