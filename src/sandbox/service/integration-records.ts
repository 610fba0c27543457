import { z } from 'zod';

/** The four integrations, in the order of the list. */
export const PROVIDERS = ['provider_a', 'provider_b', 'terminal', 'provider_d'] as const;
export const Provider = z.enum(PROVIDERS);
export type Provider = z.infer<typeof Provider>;

const Instant = z.int();
const Text = z.string().nullable();

/** Maps an external package to a product of the merchant. */
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

/** One requested sync; the sandbox has no provider, so each ends at once. */
const RunRecord = z.object({ at: Instant, full: z.boolean(), durationMs: z.int() }).readonly();

/** An integration as the merchant configured it. `id` is that of its snapshot. */
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
    /** Whether there is a credential; the sandbox stores no credential because it has no provider to send it to. */
    hasCredentials: z.boolean(),
    mappingMode: z.string(),
    requireMappings: z.boolean(),
    mappings: z.array(MappingRecord).readonly(),
    runs: z.array(RunRecord).readonly(),
    /** When the refresh of each external invoice was last requested. */
    refreshes: z.record(z.string(), Instant),
  })
  .readonly();
export type IntegrationRecord = z.infer<typeof IntegrationRecord>;
