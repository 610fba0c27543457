import type { Ids } from '../../base/ids.ts';
import { invariant } from '../../base/invariant.ts';
import type { Integration, Mapping, ProviderName } from '../../integration/integration.ts';
import { mapCustomer } from '../../integration/mapping/customer.ts';
import { mapInvoice } from '../../integration/mapping/invoice.ts';
import { MappingCache } from '../../integration/mapping/mapping-cache.ts';
import type { MappingRules } from '../../integration/mapping/mapping-rules.ts';
import { mapMembership } from '../../integration/mapping/membership.ts';
import { mapProduct } from '../../integration/mapping/product.ts';
import type { Mapped, Mapper, Sink, SinkWrite } from '../../integration/ports.ts';
import { ServiceIntegrations } from '../integrations.ts';
import type { SyncLine } from '../sync-line.ts';
import { CustomerSink } from './customer-sink.ts';
import { EntitlementSink } from './entitlement-sink.ts';
import { InvoiceSink } from './invoice-sink.ts';
import type { PlannedRequests, ResourceSink } from './ports.ts';
import { ProductSink } from './product-sink.ts';

export interface ServiceSinkDeps {
  /** `link.sync`. */
  readonly line: SyncLine;
  /** The integration as stored now: read for each page. */
  readonly integration: () => Integration;
  /** Customers, products, invoices; memberships or entitlements of `provider_d`. */
  readonly resource: string;
  /** All mappings of the integration as stored now. */
  readonly mappings: () => readonly Mapping[];
  readonly ids: Pick<Ids, 'nameBased'>;
  /**
   * Put before the ids of customers at the service; absent: none. Integrations with customers of different systems need different ones: the service
   * knows customers by this id alone.
   */
  readonly customerPrefix?: string;
  /** The service's time, or tilld's while that is not known. */
  readonly now: () => number;
}

/** The sink and the mapper of one stream. */
export interface ServiceSink {
  readonly sink: Sink;
  readonly map: Mapper;
  /** The requests for these writes. */
  requestsOf(writes: readonly SinkWrite[]): readonly PlannedRequests[];
}

type Kind = 'customers' | 'products' | 'invoices' | 'entitlements';
const KINDS: Readonly<Record<string, Kind>> = {
  customers: 'customers',
  products: 'products',
  invoices: 'invoices',
  memberships: 'entitlements',
  entitlements: 'entitlements',
};
const MAPPERS: Readonly<Record<Kind, (rules: MappingRules, record: Parameters<Mapper>[0]) => Mapped>> = {
  customers: mapCustomer,
  products: mapProduct,
  invoices: mapInvoice,
  entitlements: mapMembership,
};

/** For a resource that {@link sinkRefusal} has nothing against. */
export function createServiceSink(deps: ServiceSinkDeps): ServiceSink {
  const kind = kindOf(deps);
  const resource = sinkOf(kind, deps);
  const cached = new MappingCache(deps.mappings);
  const { name } = deps.integration();
  return {
    sink: { kind: 'remote', write: (batch, signal) => resource.write(batch, signal) },
    map: (record) => {
      const { requiresMappings, managedBy } = deps.integration();
      return MAPPERS[kind]({ provider: name, requiresMappings, managedBy, mappingOf: cached.of }, record);
    },
    requestsOf: (writes) => resource.requestsOf(writes),
  };
}

function sinkOf(
  kind: Kind,
  { line, integration, ids, now, customerPrefix = '' }: ServiceSinkDeps,
): ResourceSink {
  const { name, id } = integration();
  const keyOf = (words: string) => ids.nameBased(id, words);
  switch (kind) {
    case 'customers':
      return new CustomerSink({ line, prefix: customerPrefix }, now);
    case 'products':
      return new ProductSink(new ServiceIntegrations(line), name);
    case 'invoices':
      return new InvoiceSink({
        line,
        provider: name,
        keyOf,
        customerPrefix,
        autoSend: () => integration().autoSend,
      });
    case 'entitlements':
      return new EntitlementSink({ line, provider: name, keyOf, customerPrefix });
  }
}

function kindOf({ resource, integration }: ServiceSinkDeps): Kind {
  const kind = kindFor(integration().name, resource);
  invariant(kind, 'the configuration names no resource that the service does not take');
  return kind;
}

/** Why the service cannot store this resource of this integration, in words; null: it can. */
export function sinkRefusal(provider: ProviderName, resource: string): string | null {
  if (kindFor(provider, resource)) return null;
  return `the service has no place for ${resource} of ${provider}: it takes customers, products and invoices, of provider_d customers, products and memberships without money`;
}

function kindFor(provider: ProviderName, resource: string): Kind | null {
  const kind = Object.hasOwn(KINDS, resource) ? KINDS[resource] : undefined;
  const isD = provider === 'provider_d';
  if (kind === undefined || (kind === 'entitlements' && !isD) || (kind === 'invoices' && isD)) return null;
  return kind;
}
