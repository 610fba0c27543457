import { AppError } from '../../base/errors.ts';
import type { ProviderName } from '../integration.ts';
import type { KnownProduct, MappedProduct, ProductMapping, UnmappedPackage } from '../integrations-api.ts';
import { checkMappings, checkProducts } from '../settings/integration-rules.ts';
import type { IntegrationSettings } from '../settings/integration-settings.ts';
import { mustBeOurs } from '../settings/managed-integration.ts';
import type { ConfiguredIntegration, SyncRunner } from '../sync-runner-port.ts';
import {
  type ListedPackage,
  MOST_LOOKED_AT,
  mappedPackages,
  mappedProducts,
  unmappedPackages,
  waitingForMappings,
} from './external-packages.ts';
import { shownMapping, storedMapping } from './mapping-text.ts';

export interface ProductMappingsDeps {
  readonly settings: IntegrationSettings;
  readonly runner: SyncRunner;
  /** Integrations with a connector. */
  readonly configured: ReadonlyMap<ProviderName, ConfiguredIntegration>;
  /** The name of a product of the merchant; null: not known here. */
  readonly productName: (id: string) => string | null;
  /** Whether the mirrored list of products was read to its end once. */
  readonly hasProducts: () => boolean;
  /** The products of the merchant, for suggestions; absent: the products of the mappings. */
  readonly products?: () => readonly KnownProduct[];
  /** The packages that an integration's own product list shows; absent: none is known. */
  readonly listed?: (provider: ProviderName) => readonly ListedPackage[];
}

const MOST_PRODUCTS = 2000;

/**
 * Which product of the merchant a package of a provider is.
 *
 * INVARIANT: a set of mappings is replaced whole or not at all.
 */
export class ProductMappings {
  readonly #deps: ProductMappingsDeps;

  constructor(deps: ProductMappingsDeps) {
    this.#deps = deps;
  }

  all(name: ProviderName): readonly MappedProduct[] {
    const { settings, productName, listed } = this.#deps;
    const stored = settings.mappingsOf(name).map(shownMapping);
    return mappedPackages(stored, listed?.(name) ?? [], this.#waiting(name)).map((mapping) => {
      const { internalId: id } = mapping;
      return { ...mapping, product: id === null ? null : { id, name: productName(id) } };
    });
  }

  /** @throws SETTINGS_INVALID, SLOT_MANAGED */
  replace(name: ProviderName, mappings: readonly ProductMapping[]): number {
    const { settings, runner, configured, productName, hasProducts } = this.#deps;
    checkMappings(name, mappings);
    mustBeOurs(settings.get(name));
    checkProducts(settings.mappingsOf(name), mappings, { isComplete: hasProducts, name: productName });
    const changed = settings.replaceMappings(name, mappings.map(storedMapping));
    if (changed.length > 0 && configured.has(name)) runner.mappingsChanged(name, changed);
    return mappings.length;
  }

  /** @throws MAPPING_UNKNOWN, SLOT_MANAGED */
  remove(name: ProviderName, externalId: string): void {
    mustBeOurs(this.#deps.settings.get(name));
    if (this.#deps.settings.removeMapping(name, externalId)) return;
    throw new AppError('MAPPING_UNKNOWN', 'This provider has no mapping of that package');
  }

  unmapped(name: ProviderName, limit: number): readonly UnmappedPackage[] {
    const listed = this.#deps.listed?.(name) ?? [];
    return unmappedPackages(this.all(name), listed, this.#waiting(name)).slice(0, limit);
  }

  /** The products that a package can be mapped to. */
  products(): readonly KnownProduct[] {
    const { settings, productName, products } = this.#deps;
    const known = products
      ? products()
      : mappedProducts(
          settings.all().flatMap(({ name }) => settings.mappingsOf(name).map(shownMapping)),
          productName,
        );
    return known.slice(0, MOST_PRODUCTS);
  }

  /** The packages that quarantined records wait for, once for each record. */
  #waiting(name: ProviderName): readonly ListedPackage[] {
    const { runner, configured } = this.#deps;
    return configured.has(name) ? waitingForMappings(runner, name, MOST_LOOKED_AT) : [];
  }
}
