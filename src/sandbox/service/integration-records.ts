import { z } from 'zod';

/** The four slots, in the order of the list. */
export const PROVIDERS = ['provider_a', 'provider_b', 'terminal', 'provider_d'] as const;
export const Provider = z.enum(PROVIDERS);
export type Provider = z.infer<typeof Provider>;

const Instant = z.int();
const Text = z.string().nullable();

/** What belongs to what: an external package and a product of the merchant. */
export const MappingRecord = z
  .object({
    externalId: z.string(),
    internalId: Text,
    ignored: z.boolean(),
    metadata: z.record(z.string(), z.string()),
    priceOverride: z.int().nullable(),
  })
  .readonly();
export type MappingRecord = z.infer<typeof MappingRecord>;

/** One sync that was asked for; the stand-in has no provider, so each ends at once. */
const RunRecord = z.object({ at: Instant, full: z.boolean(), durationMs: z.int() }).readonly();

/** A slot as the merchant set it up. `id` is that of its snapshot. */
export const IntegrationRecord = z
  .object({
    id: z.string(),
    provider: Provider,
    active: z.boolean(),
    syncEnabled: z.boolean(),
    lastSyncAt: Instant.nullable(),
    lookbackDays: z.int(),
    errorCount: z.int(),
    pausedReason: Text,
    /** Kept as a fact only: whether there is one. The stand-in has nobody to show it to. */
    hasCredentials: z.boolean(),
    mappingMode: z.string(),
    requireMappings: z.boolean(),
    mappings: z.array(MappingRecord).readonly(),
    runs: z.array(RunRecord).readonly(),
    /** When each external invoice was asked for again. */
    refreshes: z.record(z.string(), Instant),
  })
  .readonly();
export type IntegrationRecord = z.infer<typeof IntegrationRecord>;
