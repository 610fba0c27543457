import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { IntegrationSettingsChange, IntegrationsApi } from '../../integration/integrations-api.ts';
import type { Api, RoutePlugin } from '../api.ts';
import {
  Done,
  Integration,
  SetAutoSend,
  SetInvoiceLookback,
  SetMappingPolicy,
  SetWebhookSecret,
  SyncStats,
  SyncStatsByResource,
  ToggleSync,
} from '../contract/integration.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import { renderIntegration, renderSyncCounters } from '../render/integration.ts';
import type { RefusalCode } from '../reply/refusals.ts';
import { ByProvider } from './integrations.ts';
import { VersionQuery } from './list-reply.ts';

const TAG = 'Integrations';
const ONE = '/v2/integrations/:provider';
const STORING = ['PROVIDER_UNKNOWN', 'STORAGE_FULL', 'STORAGE_FAILED'] as const;
const ByStats = z.strictObject({ provider: z.string(), id: Uuid });
const DONE = { success: true } as const;
const HOUR_MS = 3_600_000;
const OVERLAP_HOURS = 24;

/** Settings of an integration, and the counters of its syncs. */
export function integrationSettingRoutes(integrations: IntegrationsApi): RoutePlugin {
  return async (api) => {
    settingRoutes(api, integrations);
    webhookSecretRoutes(api, integrations);
    statsRoute(api, integrations);
    statsByResourceRoute(api, integrations);
  };
}

function settingRoutes(api: Api, integrations: IntegrationsApi): void {
  settingRoute(api, integrations, {
    path: 'sync-toggle',
    operationId: 'toggleIntegrationSync',
    summary: 'Switch the syncs of an integration on or off; credentials, mappings and cursors are kept.',
    body: ToggleSync,
    settings: ({ enabled }) => ({ syncEnabled: enabled }),
  });
  settingRoute(api, integrations, {
    path: 'invoice-lookback',
    operationId: 'setInvoiceLookback',
    summary: 'How many days of invoices the first full sync fetches.',
    body: SetInvoiceLookback,
    settings: ({ invoiceLookbackDays }) => ({ invoiceLookbackDays }),
  });
  settingRoute(api, integrations, {
    path: 'auto-send',
    operationId: 'setAutoSend',
    summary:
      'Whether imported invoices are finalised and sent, or stay drafts. It counts from the next sync.',
    body: SetAutoSend,
    settings: ({ autoSend }) => ({ autoSend }),
  });
  settingRoute(api, integrations, {
    path: 'product-mapping-policy',
    operationId: 'setProductMappingPolicy',
    summary: 'Whether products are imported only, and whether a line without a mapped product must wait.',
    body: SetMappingPolicy,
    refusals: ['MAPPING_POLICY_UNAVAILABLE'],
    settings: ({ productMappingMode, requireProductMappings }) => ({
      ...(productMappingMode === undefined ? {} : { productMappingMode }),
      ...(requireProductMappings === undefined ? {} : { requireProductMappings }),
    }),
  });
}

interface Setting<B extends z.ZodType> {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly body: B;
  readonly refusals?: readonly RefusalCode[];
  readonly settings: (body: z.output<B>) => IntegrationSettingsChange;
}

function settingRoute<B extends z.ZodType>(
  api: Api,
  integrations: IntegrationsApi,
  setting: Setting<B>,
): void {
  const { path, operationId, summary, body, refusals = [], settings } = setting;
  api.route({
    method: 'PUT',
    url: `${ONE}/${path}`,
    schema: { params: ByProvider, querystring: VersionQuery, body },
    config: {
      operationId,
      tag: TAG,
      access: 'settings:write',
      summary,
      replies: [{ status: 200, description: 'It is set.', schema: Done }],
      refusals: [...refusals, 'SLOT_MANAGED', ...STORING],
      refusesWithIssues: true,
      idempotent: 'with_its_writes',
    },
    handler: (request) => {
      integrations.configure(request.params.provider, settings(request.body as z.output<B>));
      return DONE;
    },
  });
}

const SECRET_REFUSALS = ['SLOT_NOT_CONFIGURED', 'OPERATION_NOT_SUPPORTED', ...STORING] as const;

function webhookSecretRoutes(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'PUT',
    url: `${ONE}/webhook-secret`,
    schema: { params: ByProvider, querystring: VersionQuery, body: SetWebhookSecret },
    config: {
      operationId: 'setWebhookSecret',
      tag: TAG,
      access: 'settings:write',
      summary: 'Keep the secret with which the provider signs its webhooks, sealed; it is never shown.',
      replies: [{ status: 200, description: 'The integration as it is now.', schema: dataOf(Integration) }],
      refusals: ['SEAL_KEY_UNUSABLE', ...SECRET_REFUSALS],
      refusesWithIssues: true,
      idempotent: 'with_its_writes',
    },
    handler: ({ params: { provider }, body: { secret, overlapHours = OVERLAP_HOURS } }) => {
      const integration = integrations.setWebhookSecret(provider, secret, overlapHours * HOUR_MS);
      return { data: renderIntegration(integration) };
    },
  });
  api.route({
    method: 'DELETE',
    url: `${ONE}/webhook-secret`,
    schema: { params: ByProvider, querystring: VersionQuery },
    config: {
      operationId: 'removeWebhookSecret',
      tag: TAG,
      access: 'settings:write',
      summary: 'Forget the secret: webhooks of the provider are refused from now on.',
      replies: [{ status: 200, description: 'The integration as it is now.', schema: dataOf(Integration) }],
      refusals: SECRET_REFUSALS,
      idempotent: 'with_its_writes',
    },
    handler: ({ params }) => ({ data: renderIntegration(integrations.removeWebhookSecret(params.provider)) }),
  });
}

function statsRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'GET',
    url: `${ONE}/sync-stats/:id`,
    schema: { params: ByStats, querystring: VersionQuery },
    config: {
      operationId: 'getSyncStats',
      tag: TAG,
      access: 'settings:read',
      summary: "Counters of an integration's syncs; `id` is that of its snapshot.",
      replies: [{ status: 200, description: 'Made up when it is asked for.', schema: SyncStats }],
      refusals: ['PROVIDER_UNKNOWN', 'SYNC_STATS_UNKNOWN'],
    },
    handler: ({ params: { provider, id } }) => {
      requireItsId(integrations, provider, id);
      return {
        success: true,
        data: { id, provider, ...renderSyncCounters(integrations.stats(provider)) },
      };
    },
  });
}

function statsByResourceRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'GET',
    url: `${ONE}/sync-stats/:id/resources`,
    schema: { params: ByStats, querystring: VersionQuery },
    config: {
      operationId: 'getSyncStatsByResource',
      tag: TAG,
      access: 'settings:read',
      summary: 'The same counters, by resource type.',
      replies: [{ status: 200, description: 'By the name of the resource.', schema: SyncStatsByResource }],
      refusals: ['PROVIDER_UNKNOWN', 'SYNC_STATS_UNKNOWN'],
    },
    handler: ({ params: { provider, id } }) => {
      requireItsId(integrations, provider, id);
      const rows = Object.entries(integrations.statsByResource(provider));
      const data = Object.fromEntries(rows.map(([resource, stats]) => [resource, renderSyncCounters(stats)]));
      return { success: true, data };
    },
  });
}

/** @throws PROVIDER_UNKNOWN, SYNC_STATS_UNKNOWN */
function requireItsId(integrations: IntegrationsApi, provider: string, id: string): void {
  if (integrations.get(provider).id === id) return;
  throw new AppError('SYNC_STATS_UNKNOWN', 'This integration has no sync stats with this id');
}
