import type { MappingInput, ProductMapping } from '../api/contract/integration.ts';
import { canonicalId } from '../base/ids.ts';

/** A mapping with every field, for comparison. */
export type WholeMapping = Omit<ProductMapping, 'product'>;

export interface Difference {
  readonly added: readonly WholeMapping[];
  readonly changed: readonly { readonly before: WholeMapping; readonly after: WholeMapping }[];
  readonly removed: readonly WholeMapping[];
  readonly unchanged: number;
}

/** The mapping as tilld would store it. */
export function wholeMapping(input: MappingInput): WholeMapping {
  return {
    externalId: input.externalId,
    internalId: input.internalId ? canonicalId(input.internalId) : null,
    ignored: input.ignored ?? false,
    metadata: input.metadata ?? {},
    priceOverride: input.priceOverride ?? null,
  };
}

/** The changes when one set replaces another. */
export function differenceOf(kept: readonly ProductMapping[], wanted: readonly WholeMapping[]): Difference {
  const before = new Map(kept.map(({ product: _, ...mapping }) => [mapping.externalId, mapping]));
  const after = new Set(wanted.map(({ externalId }) => externalId));
  const both = wanted.flatMap((one) => {
    const old = before.get(one.externalId);
    return old ? [{ before: old, after: one }] : [];
  });
  const changed = both.filter((pair) => textOf(pair.before) !== textOf(pair.after));
  return {
    added: wanted.filter(({ externalId }) => !before.has(externalId)),
    changed,
    removed: [...before.values()].filter((one) => !after.has(one.externalId) && isDecided(one)),
    unchanged: both.length - changed.length,
  };
}

/** The list shows packages without a mapping, too: nothing of them is removed. */
function isDecided({ internalId, ignored, priceOverride }: WholeMapping): boolean {
  return internalId !== null || ignored || priceOverride !== null;
}

/** The same text for the same mapping, whatever the order of its fields. */
function textOf({ externalId, internalId, ignored, metadata, priceOverride }: WholeMapping): string {
  const { name, type, charge_type } = metadata;
  return JSON.stringify([externalId, internalId, ignored, name, type, charge_type, priceOverride]);
}
