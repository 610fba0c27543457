import { z } from 'zod';
import type {
  IntegrationsApi,
  ProductMapping as Mapping,
  PackageNotes,
} from '../../integration/integrations-api.ts';
import {
  Done,
  type MappingInput,
  MappingsReplaced,
  ProductMapping,
  ReplaceMappings,
} from '../contract/integration.ts';
import { renderMapping } from '../render/integration.ts';
import { json } from '../reply/reply.ts';
import { ByProvider } from './integrations.ts';
import { listReply, listShape, VersionQuery } from './list-reply.ts';
import { defineRoute, type Route } from './route.ts';

const TAG = 'Product mappings';
const MAPPINGS = '/v2/integrations/{provider}/product-mappings';
const STORING = ['PROVIDER_UNKNOWN', 'STORAGE_FULL', 'STORAGE_FAILED'] as const;
/** The size of a set of 5,000 mappings with long names. */
const MAPPINGS_BYTES = 2 * 1024 * 1024;
const ByMapping = z.strictObject({ provider: z.string(), externalId: z.string().max(256) });

/** Routes that map a provider's packages to the merchant's products. */
export function integrationMappingRoutes(integrations: IntegrationsApi): readonly Route[] {
  return [mappingsRoute(integrations), replaceRoute(integrations), removeRoute(integrations)];
}

function mappingsRoute(integrations: IntegrationsApi): Route {
  return defineRoute({
    method: 'GET',
    path: MAPPINGS,
    operationId: 'listProductMappings',
    tag: TAG,
    access: 'settings:read',
    summary: 'List all mappings of a slot, by external package id.',
    params: ByProvider,
    query: VersionQuery,
    body: null,
    replies: [listShape(ProductMapping, 'All of them, on one page.')],
    refusals: ['PROVIDER_UNKNOWN'],
    handler: ({ params: { provider } }, { version }) => {
      const items = integrations.mappings(provider).map(renderMapping);
      const url = `/v2/integrations/${provider}/product-mappings`;
      const total = items.length;
      return listReply(version, { items, hasMore: false, url, limit: Math.max(1, total), offset: 0, total });
    },
  });
}

function replaceRoute(integrations: IntegrationsApi): Route {
  return defineRoute({
    method: 'PUT',
    path: MAPPINGS,
    operationId: 'replaceProductMappings',
    tag: TAG,
    access: 'settings:write',
    summary: 'Replace the whole set at once: mappings that are absent are deleted.',
    params: ByProvider,
    query: VersionQuery,
    body: ReplaceMappings,
    replies: [{ status: 200, description: 'How many there are now.', schema: MappingsReplaced }],
    refusals: ['SLOT_MANAGED', ...STORING],
    refusesWithIssues: true,
    maxBodyBytes: MAPPINGS_BYTES,
    idempotent: 'with_its_writes',
    handler: ({ params, body }) => {
      const count = integrations.replaceMappings(params.provider, body.mappings.map(mappingOf));
      return json(200, { success: true, count });
    },
  });
}

function removeRoute(integrations: IntegrationsApi): Route {
  return defineRoute({
    method: 'DELETE',
    path: `${MAPPINGS}/{externalId}`,
    operationId: 'removeProductMapping',
    tag: TAG,
    access: 'settings:write',
    summary: 'Remove one mapping.',
    params: ByMapping,
    query: VersionQuery,
    body: null,
    replies: [{ status: 200, description: 'It is removed.', schema: Done }],
    refusals: ['MAPPING_UNKNOWN', 'SLOT_MANAGED', ...STORING],
    idempotent: 'with_its_writes',
    handler: ({ params }) => {
      integrations.removeMapping(params.provider, params.externalId);
      return json(200, { success: true });
    },
  });
}

function mappingOf({ externalId, internalId, ignored, metadata, priceOverride }: MappingInput): Mapping {
  return {
    externalId,
    internalId: internalId ?? null,
    ignored: ignored ?? false,
    metadata: notesOf(metadata ?? {}),
    priceOverride: priceOverride ?? null,
  };
}

/** Copies field by field: an absent field stays absent instead of undefined. */
function notesOf({ name, type, charge_type }: NonNullable<MappingInput['metadata']>): PackageNotes {
  return {
    ...(name === undefined ? {} : { name }),
    ...(type === undefined ? {} : { type }),
    ...(charge_type === undefined ? {} : { charge_type }),
  };
}
