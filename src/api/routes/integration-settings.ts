import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { IntegrationSettingsChange, IntegrationsApi } from '../../integration/integrations-api.ts';
import {
  Done,
  SetInvoiceLookback,
  SetMappingPolicy,
  SyncStats,
  SyncStatsByResource,
  ToggleSync,
} from '../contract/integration.ts';
import { Uuid } from '../contract/primitives.ts';
import { renderSyncCounters } from '../render/integration.ts';
import type { RefusalCode } from '../reply/refusals.ts';
import { json } from '../reply/reply.ts';
import { ByProvider } from './integrations.ts';
import { VersionQuery } from './list-reply.ts';
import { defineRoute, type Route } from './route.ts';

const TAG = 'Integrations';
const ONE = '/v2/integrations/{provider}';
const STORING = ['PROVIDER_UNKNOWN', 'STORAGE_FULL', 'STORAGE_FAILED'] as const;
const ByStats = z.strictObject({ provider: z.string(), id: Uuid });
const DONE = { success: true } as const;

/** Settings of an integration, and the counters of its syncs. */
export function integrationSettingRoutes(integrations: IntegrationsApi): readonly Route[] {
  return [...settingRoutes(integrations), statsRoute(integrations), statsByResourceRoute(integrations)];
}

function settingRoutes(integrations: IntegrationsApi): readonly Route[] {
  return [
    settingRoute(integrations, {
      path: 'sync-toggle',
      operationId: 'toggleIntegrationSync',
      summary: 'Switch the syncs of a slot on or off; credentials, mappings and cursors are kept.',
      body: ToggleSync,
      settings: ({ enabled }) => ({ syncEnabled: enabled }),
    }),
    settingRoute(integrations, {
      path: 'invoice-lookback',
      operationId: 'setInvoiceLookback',
      summary: 'How many days of invoices the first full sync fetches.',
      body: SetInvoiceLookback,
      settings: ({ invoiceLookbackDays }) => ({ invoiceLookbackDays }),
    }),
    settingRoute(integrations, {
      path: 'product-mapping-policy',
      operationId: 'setProductMappingPolicy',
      summary: 'Whether products are imported only, and whether a line without a mapped product must wait.',
      body: SetMappingPolicy,
      refusals: ['MAPPING_POLICY_UNAVAILABLE'],
      settings: ({ productMappingMode, requireProductMappings }) => ({
        ...(productMappingMode === undefined ? {} : { productMappingMode }),
        ...(requireProductMappings === undefined ? {} : { requireProductMappings }),
      }),
    }),
  ];
}

interface Setting<B extends z.ZodType> {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly body: B;
  readonly refusals?: readonly RefusalCode[];
  readonly settings: (body: z.output<B>) => IntegrationSettingsChange;
}

function settingRoute<B extends z.ZodType>(integrations: IntegrationsApi, setting: Setting<B>): Route {
  const { path, operationId, summary, body, refusals = [], settings } = setting;
  return defineRoute({
    method: 'PUT',
    path: `${ONE}/${path}`,
    operationId,
    tag: TAG,
    access: 'settings:write',
    summary,
    params: ByProvider,
    query: VersionQuery,
    body,
    replies: [{ status: 200, description: 'It is set.', schema: Done }],
    refusals: [...refusals, 'SLOT_MANAGED', ...STORING],
    refusesWithIssues: true,
    idempotent: 'with_its_writes',
    handler: (input) => {
      integrations.configure(input.params.provider, settings(input.body));
      return json(200, DONE);
    },
  });
}

function statsRoute(integrations: IntegrationsApi): Route {
  return defineRoute({
    method: 'GET',
    path: `${ONE}/sync-stats/{id}`,
    operationId: 'getSyncStats',
    tag: TAG,
    access: 'settings:read',
    summary: "Counters of a slot's syncs; `id` is that of its snapshot.",
    params: ByStats,
    query: VersionQuery,
    body: null,
    replies: [{ status: 200, description: 'Made up when it is asked for.', schema: SyncStats }],
    refusals: ['PROVIDER_UNKNOWN', 'SYNC_STATS_UNKNOWN'],
    handler: ({ params: { provider, id } }) => {
      requireItsId(integrations, provider, id);
      return json(200, {
        success: true,
        data: { id, provider, ...renderSyncCounters(integrations.stats(provider)) },
      });
    },
  });
}

function statsByResourceRoute(integrations: IntegrationsApi): Route {
  return defineRoute({
    method: 'GET',
    path: `${ONE}/sync-stats/{id}/resources`,
    operationId: 'getSyncStatsByResource',
    tag: TAG,
    access: 'settings:read',
    summary: 'The same counters, by resource type.',
    params: ByStats,
    query: VersionQuery,
    body: null,
    replies: [{ status: 200, description: 'By the name of the resource.', schema: SyncStatsByResource }],
    refusals: ['PROVIDER_UNKNOWN', 'SYNC_STATS_UNKNOWN'],
    handler: ({ params: { provider, id } }) => {
      requireItsId(integrations, provider, id);
      const rows = Object.entries(integrations.statsByResource(provider));
      const data = Object.fromEntries(rows.map(([resource, stats]) => [resource, renderSyncCounters(stats)]));
      return json(200, { success: true, data });
    },
  });
}

/** @throws PROVIDER_UNKNOWN, SYNC_STATS_UNKNOWN */
function requireItsId(integrations: IntegrationsApi, provider: string, id: string): void {
  if (integrations.get(provider).id === id) return;
  throw new AppError('SYNC_STATS_UNKNOWN', 'This slot has no sync stats with this id');
}
