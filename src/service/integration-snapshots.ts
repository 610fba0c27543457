import type { Json, JsonObject } from '../integration/connector.ts';
import type { Mapping } from '../integration/integration.ts';
import { canonical } from '../integration/page/canonical.ts';
import type { ManagedSettings } from '../integration/settings/managed-integration.ts';
import type { SnapshotSource } from '../integration/settings/snapshot-follower.ts';
import { type IntegrationSnapshot, type MappingEntry, ServiceIntegrations } from './integrations.ts';
import { sinkErrorOf } from './sync-answer.ts';
import type { SyncLine } from './sync-line.ts';

/** Settings and mappings of integrations at the service. Both reject with SINK_*. */
export function snapshotsOver(line: SyncLine): SnapshotSource {
  const service = new ServiceIntegrations(line);
  return {
    settings: async (provider, signal) => {
      const read = await service.snapshot(provider, signal);
      if (read.kind !== 'applied') throw sinkErrorOf(read);
      return settingsIn(read.value);
    },
    mappings: async (provider, signal) => {
      const entries = await service.mappings(provider, signal);
      if ('kind' in entries) throw sinkErrorOf(entries);
      return entries.map(mappingIn);
    },
  };
}

/** A setting that is absent at the service stays as it is here. */
function settingsIn(snapshot: IntegrationSnapshot): ManagedSettings {
  const settings = {
    isEnabled: snapshot.sync_enabled,
    autoSend: snapshot.auto_send,
    lookbackDays: snapshot.invoice_lookback_days,
    mappingMode: snapshot.product_mapping_mode,
    requiresMappings: snapshot.require_product_mappings,
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** A price override is stored with the other notes of the product. */
function mappingIn({ externalId, internalId, ignored, metadata, priceOverride }: MappingEntry): Mapping {
  const known: Record<string, Json> = {};
  for (const [name, value] of Object.entries(metadata ?? {}))
    if (typeof value === 'string') known[name] = value;
  const all: JsonObject =
    typeof priceOverride === 'number' ? { ...known, price_override: priceOverride } : known;
  return {
    externalId,
    internalId: internalId ?? null,
    isIgnored: ignored ?? false,
    metadata: canonical(all),
  };
}
