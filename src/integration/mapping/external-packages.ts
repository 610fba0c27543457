import type { ProviderName } from '../integration.ts';
import type { KnownProduct, ProductMapping, UnmappedPackage } from '../integrations-api.ts';
import { joined, NO_LABEL, type PackageLabel } from '../page/package-label.ts';
import type { SyncRunner } from '../sync-runner-port.ts';

const PAGE = 500;
/** How many quarantined records one call reads, so that no payment waits for it. */
export const MOST_LOOKED_AT = 2000;

/** A package that the provider lists, or that a quarantined record waits for. */
export interface ListedPackage extends PackageLabel {
  readonly externalId: string;
}

/** The packages that quarantined records wait for, once for each record, among the first `most` of them. */
export function waitingForMappings(
  runner: Pick<SyncRunner, 'parked'>,
  provider: ProviderName,
  most = Number.POSITIVE_INFINITY,
): readonly ListedPackage[] {
  const waiting: ListedPackage[] = [];
  let after: string | null = null;
  for (let looked = 0; looked < most; looked += PAGE) {
    const page = runner.parked(provider, after, PAGE);
    for (const { why, needs, label } of page)
      if (why === 'mapping' && needs !== null) waiting.push({ externalId: needs, ...(label ?? NO_LABEL) });
    const last = page.at(-1);
    if (!last || page.length < PAGE) break;
    after = `${last.resource}/${last.key}`;
  }
  return waiting;
}

/** The mappings, and the packages without one that the provider lists or that records wait for; by external id (interface: `product-mappings`). */
export function mappedPackages(
  mappings: readonly ProductMapping[],
  listed: readonly ListedPackage[],
  waiting: readonly ListedPackage[],
): readonly ProductMapping[] {
  const labels = labelsOf([...listed, ...waiting]);
  const all = new Map([...labels].map(([id, { name }]) => [id, unmapped(id, name)]));
  for (const mapping of mappings) all.set(mapping.externalId, mapping);
  return [...all.values()].toSorted((one, other) => (one.externalId < other.externalId ? -1 : 1));
}

function unmapped(externalId: string, name: string | null): ProductMapping {
  const metadata = name === null ? {} : { name };
  return { externalId, internalId: null, ignored: false, metadata, priceOverride: null };
}

function labelsOf(packages: readonly ListedPackage[]): ReadonlyMap<string, PackageLabel> {
  const labels = new Map<string, PackageLabel>();
  for (const { externalId, name, codes } of packages)
    labels.set(externalId, joined([labels.get(externalId) ?? NO_LABEL, { name, codes }]));
  return labels;
}

/** Packages without a product: those that records wait for, and those whose mapping names no product. */
export function unmappedPackages(
  mappings: readonly ProductMapping[],
  listed: readonly ListedPackage[],
  waiting: readonly ListedPackage[],
): readonly UnmappedPackage[] {
  const held = new Map<string, number>();
  for (const { externalId } of waiting) held.set(externalId, (held.get(externalId) ?? 0) + 1);
  const labels = labelsOf([...listed, ...waiting]);
  const known = new Map(mappings.map((mapping) => [mapping.externalId, mapping]));
  const open = [...known.values()].filter(({ internalId, ignored }) => internalId === null && !ignored);
  const ids = [...new Set([...held.keys(), ...open.map(({ externalId }) => externalId)])];
  return ids
    .map((externalId) => {
      const named = { name: known.get(externalId)?.metadata.name ?? null, codes: [] };
      const label = joined([named, labels.get(externalId) ?? NO_LABEL]);
      return { externalId, ...label, waiting: held.get(externalId) ?? 0 };
    })
    .toSorted((one, other) => other.waiting - one.waiting || (one.externalId < other.externalId ? -1 : 1));
}

/** The products of the mappings, each with its codes at the providers. */
export function mappedProducts(
  mappings: readonly ProductMapping[],
  productName: (id: string) => string | null,
): readonly KnownProduct[] {
  const found = new Map<string, { name: string | null; codes: string[] }>();
  for (const { internalId, externalId, metadata } of mappings) {
    if (internalId === null) continue;
    const product = found.get(internalId) ?? { name: productName(internalId), codes: [] };
    product.name ??= metadata.name ?? null;
    product.codes.push(externalId);
    found.set(internalId, product);
  }
  return [...found].map(([id, { name, codes }]) => ({ id, name, codes }));
}
