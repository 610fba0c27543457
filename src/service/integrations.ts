import { z } from 'zod';
import type { ProviderName } from '../integration/integration.ts';
import type { Answer, NotApplied } from '../outbox/report-port.ts';
import type { SyncLine } from './sync-line.ts';

/** An entry of an integration's mappings at the service; other fields belong to the service. */
const Entry = z.object({
  externalId: z.string().min(1).max(256),
  internalId: z.string().nullish(),
  ignored: z.boolean().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  priceOverride: z.int().nullish(),
});
export type MappingEntry = z.infer<typeof Entry>;
/** All of them: the list is never paged. */
const Entries = z.looseObject({ data: z.array(Entry).max(100_000), has_more: z.literal(false).optional() });

/** The snapshot of an integration; the interface does not give its field names, these are tilld's decision, and each may be absent. */
const Snapshot = z.looseObject({
  data: z.looseObject({
    provider: z.string().optional(),
    sync_enabled: z.boolean().optional(),
    auto_send: z.boolean().optional(),
    invoice_lookback_days: z.int().min(1).max(3650).optional(),
    product_mapping_mode: z
      .string()
      .regex(/^[a-z_]{1,64}$/)
      .optional(),
    require_product_mappings: z.boolean().optional(),
  }),
});
export type IntegrationSnapshot = z.infer<typeof Snapshot>['data'];

const Success = z.looseObject({ success: z.literal(true) });
/** The interface does not show the answer to a delete: it may have no body. */
const Removed = z.union([z.undefined(), Success]);

/** The integrations at the service. No call throws for an error of the service or the line. */
export class ServiceIntegrations {
  readonly #line: SyncLine;

  constructor(line: SyncLine) {
    this.#line = line;
  }

  async snapshot(provider: ProviderName, signal: AbortSignal): Promise<Answer<IntegrationSnapshot>> {
    const reads = Snapshot.refine(({ data }) => (data.provider ?? provider) === provider).transform(
      ({ data }) => data,
    );
    return (await this.#line.ask({ method: 'GET', path: pathOf(provider), reads }, signal)).answer;
  }

  /** All of them: the list is never paged. */
  async mappings(provider: ProviderName, signal: AbortSignal): Promise<readonly MappingEntry[] | NotApplied> {
    const call = { method: 'GET', path: mappingsPath(provider), reads: Entries } as const;
    const { answer } = await this.#line.ask(call, signal);
    return answer.kind === 'applied' ? answer.value.data : answer;
  }

  /** The whole set; the service deletes an entry that is not in it. */
  async replaceMappings(
    provider: ProviderName,
    mappings: readonly MappingEntry[],
    signal: AbortSignal,
  ): Promise<Answer> {
    const call = { method: 'PUT', path: mappingsPath(provider), body: { mappings }, reads: Success } as const;
    return (await this.#line.ask(call, signal)).answer;
  }

  async removeMapping(provider: ProviderName, externalId: string, signal: AbortSignal): Promise<Answer> {
    const path = `${mappingsPath(provider)}/${encodeURIComponent(externalId)}`;
    return (await this.#line.ask({ method: 'DELETE', path, reads: Removed }, signal)).answer;
  }
}

export function mappingsPath(provider: ProviderName): string {
  return `${pathOf(provider)}/product-mappings`;
}

function pathOf(provider: ProviderName): string {
  return `/integrations/${provider}`;
}
