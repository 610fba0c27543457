import { z } from 'zod';
import { baseUrlObjection } from './base-url.ts';
import { Timestamp, Uuid } from './primitives.ts';

/** Webhooks of a provider, which wake its syncs; counts are since the start. */
const IntegrationWebhook = z.object({
  url: z
    .string()
    .nullable()
    .describe(
      'Where they are taken on this machine, for the proxy or tunnel in front; null: `listen.webhooks` is not set, or nothing listens there yet.',
    ),
  secret_stored: z.boolean().describe('Without a secret all are refused.'),
  previous_secret_until: Timestamp.nullable().describe('Until when the secret before it is valid, too.'),
  accepted: z.int(),
  refused: z.int(),
  last_accepted_at: Timestamp.nullable(),
  last_refused_at: Timestamp.nullable(),
  last_refusal: z
    .string()
    .nullable()
    .describe(
      '`no_secret`, `secret_unreadable`, `unsigned`, `wrong_signature`, `wrong_time`, `too_large` or `too_many`; an open set.',
    ),
});

/** An integration: its settings and the state of its syncs. */
export const Integration = z.object({
  id: Uuid,
  object: z.literal('integration'),
  provider: z.string().describe('provider_a, provider_b, terminal or provider_d.'),
  connector: z.string().nullable().describe('What serves the integration; null: the config names nothing.'),
  title: z.string().nullable().describe('The title of its recipe; null: it has none.'),
  configured: z.boolean(),
  refused_reason: z
    .string()
    .nullable()
    .describe(
      "Why the config's integration does not run: file, line and column, what is wrong there; null: it is not refused.",
    ),
  missing_credentials: z
    .array(z.string())
    .describe(
      'Parts of a credential that its provider needs and that are not stored: `apiKey`, `baseUrl`, `appName`, `appEmail`.',
    ),
  authorised_by: z
    .enum(['key', 'person'])
    .describe(
      'How it gets a new credential: `key`, or a `person` authorises it in a browser (`tillctl authorize`).',
    ),
  webhook: IntegrationWebhook.nullable().describe(
    'Null: its settings do not say how its webhooks are signed.',
  ),
  active: z.boolean(),
  sync_enabled: z.boolean(),
  last_sync_at: Timestamp.nullable().describe('End of the last complete run.'),
  complete_until: Timestamp.nullable().describe(
    'Up to when the data of all its resources are complete; null: one of them never was.',
  ),
  next_sync_at: Timestamp.nullable().describe(
    'Null while nothing is scheduled. Of an integration that an outage has paused: when it tries again by itself.',
  ),
  sync_interval_s: z.int(),
  auto_send: z.boolean(),
  invoice_lookback_days: z.int(),
  error_count: z.int().describe('Runs that failed in a row.'),
  max_errors: z.int().describe('That many in a row pause it.'),
  paused_reason: z
    .string()
    .nullable()
    .describe('`credentials`: the provider refuses them; `errors`: too many runs in a row have failed.'),
  managed_by: z.string().describe('`local`, or `service` where the settings come from the billing service.'),
  changed_recipe: z
    .string()
    .nullable()
    .describe(
      'Path of its recipe file, where that has changed since tilld started: a restart reads it. Null: it has not.',
    ),
  product_mapping_mode: z.string().describe('`import_only` is known; an open set.'),
  require_product_mappings: z.boolean().describe('Whether a line without a mapped product waits.'),
});
export type Integration = z.infer<typeof Integration>;

const BaseUrl = z.string().superRefine((text, context) => {
  const objection = baseUrlObjection(text);
  if (objection !== null) context.addIssue({ code: 'custom', message: objection });
});

/** A provider's credential; no response contains it. The address and the names stay as they are stored where they are absent. */
export const Credentials = z.strictObject({
  apiKey: z
    .string()
    .min(1)
    .max(4096)
    .regex(/^[\x20-\x7e]+$/, 'must hold printable ASCII characters only'),
  baseUrl: BaseUrl.optional(),
  appName: z.string().max(100).optional(),
  appEmail: z.string().max(254).includes('@').optional(),
});
export type Credentials = z.infer<typeof Credentials>;

/** Body of `POST …/activate`. */
export const ActivateIntegration = z.strictObject({ credentials: Credentials.optional() });
/** Body of `POST …/rotate` and `POST …/test`. */
export const WithCredentials = z.strictObject({ credentials: Credentials });
/** Answer of `POST …/test`. */
export const TestedCredentials = z.object({
  valid: z.boolean(),
  error: z.string().describe("The provider's own words; empty where the credential is valid."),
});
export type TestedCredentials = z.infer<typeof TestedCredentials>;

/** Body of `PUT …/webhook-secret`: an addition of tilld. No response contains it. */
export const SetWebhookSecret = z.strictObject({
  secret: z
    .string()
    .min(1)
    .max(512)
    .regex(/^[\x21-\x7e]+$/, 'must be one line of visible ASCII characters'),
  overlapHours: z
    .int()
    .min(0)
    .max(168)
    .optional()
    .describe('How long the secret before it stays valid, too; default 24.'),
});

const Resource = z.string().min(1).max(64).describe('One resource of the provider; absent: all of them.');

/** Body of `POST …/sync`; the flag may be in the query instead. */
export const SyncIntegration = z.strictObject({
  fullResync: z.boolean().optional().describe('Ignores the cursor and reads everything again.'),
  resource: Resource.optional(),
});
export type SyncIntegration = z.infer<typeof SyncIntegration>;
/** Query of `POST …/sync`. */
export const SyncQuery = z.strictObject({
  fullResync: z.enum(['true', 'false']).optional(),
  version: z.string().optional(),
});
export const SyncQueued = z.object({ success: z.literal(true), fullResync: z.boolean() });
export const Done = z.object({ success: z.literal(true) });

/** Body of `PUT …/sync-toggle`. */
export const ToggleSync = z.strictObject({ enabled: z.boolean() });
/** Body of `PUT …/invoice-lookback`. */
export const SetInvoiceLookback = z.strictObject({
  invoiceLookbackDays: z.int().min(1).max(3650).describe('Days fetched by the first full sync only.'),
});
/** Body of `PUT …/auto-send`: an addition of tilld, for the interface shows the setting and no operation for it. */
export const SetAutoSend = z.strictObject({
  autoSend: z
    .boolean()
    .describe('Finalise and send imported invoices. False: they stay drafts, which no till can charge.'),
});
/** Body of `PUT …/product-mapping-policy`: at least one of them. */
export const SetMappingPolicy = z
  .strictObject({
    productMappingMode: z
      .string()
      .regex(/^[a-z_]{1,64}$/, 'must be small letters and underscores, at most 64')
      .optional()
      .describe('`import_only` is known; an open set.'),
    requireProductMappings: z.boolean().optional(),
  })
  .refine(
    (body) => Object.keys(body).length > 0,
    'must hold productMappingMode, requireProductMappings, or both',
  );

const ExternalId = z.string().min(1).max(256);
const PriceOverride = z.int().min(0).describe('Minor currency units.');

/** A mapping of a provider's package to a product, as a response shows it. */
export const ProductMapping = z.object({
  externalId: z.string(),
  internalId: z.string().nullable(),
  ignored: z.boolean(),
  metadata: z.object({
    name: z.string().optional(),
    type: z.string().optional(),
    charge_type: z.string().optional(),
  }),
  product: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  priceOverride: PriceOverride.nullable(),
});
export type ProductMapping = z.infer<typeof ProductMapping>;

const MappingInput = z.strictObject({
  externalId: ExternalId,
  internalId: Uuid.nullish(),
  ignored: z.boolean().optional(),
  metadata: z
    .strictObject({
      name: z.string().max(256).optional(),
      type: z.string().max(64).optional(),
      charge_type: z.string().max(64).optional(),
    })
    .optional(),
  priceOverride: PriceOverride.nullish(),
});
export type MappingInput = z.infer<typeof MappingInput>;

/** Body of `PUT …/product-mappings`: the whole set; a mapping that is absent is deleted. */
export const ReplaceMappings = z.strictObject({ mappings: z.array(MappingInput).max(5000) });
export type ReplaceMappings = z.infer<typeof ReplaceMappings>;
export const MappingsReplaced = z.object({ success: z.literal(true), count: z.int() });

/** The result of fetching one external invoice again. */
export const InvoiceRefresh = z.object({
  object: z.literal('invoice_refresh'),
  external_invoice_id: z.string(),
  status: z.enum(['queued', 'running', 'succeeded', 'failed']),
  requested_at: Timestamp,
  finished_at: Timestamp.nullable(),
  error: z.string().nullable(),
});
export type InvoiceRefresh = z.infer<typeof InvoiceRefresh>;

const WindowCounts = z.object({ '1h': z.int(), '24h': z.int(), '7d': z.int() });
const COUNTERS = {
  runs: WindowCounts,
  success: WindowCounts,
  failure: WindowCounts,
  conflict: WindowCounts.describe('Records that were parked or rejected.'),
  average_duration_ms: z.int().nullable(),
  next_run_at: Timestamp.nullable(),
  last_run_at: Timestamp.nullable(),
  freshness_s: z.int().nullable().describe('Seconds since the end of the last complete window.'),
  lateness_s: z.int().nullable().describe('How late rows of the source have come (p99.9).'),
};
/** Counters of one resource's syncs, computed at each request. */
export const SyncCounters = z.object(COUNTERS);
export type SyncCounters = z.infer<typeof SyncCounters>;
/** The counters of a whole integration. */
export const IntegrationSyncStats = z.object({ id: Uuid, provider: z.string(), ...COUNTERS });
export const ResourceSyncStats = z.record(z.string(), SyncCounters);
export const SyncStats = z.object({ success: z.literal(true), data: IntegrationSyncStats });
export const SyncStatsByResource = z.object({ success: z.literal(true), data: ResourceSyncStats });

/** The error response of these PUTs; it is not the envelope. */
export const IssueList = z.object({
  success: z.literal(false),
  error: z.object({
    name: z.literal('ValidationError'),
    issues: z.array(z.object({ path: z.array(z.union([z.string(), z.int()])), message: z.string() })),
    request_id: z.string().optional(),
  }),
});
export type IssueList = z.infer<typeof IssueList>;
