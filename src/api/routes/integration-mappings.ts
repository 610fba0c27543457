import { z } from 'zod';
import type {
  IntegrationsApi,
  ProductMapping as Mapping,
  PackageNotes,
} from '../../integration/integrations-api.ts';
import type { Api, RoutePlugin } from '../api.ts';
import {
  Done,
  type MappingInput,
  MappingsReplaced,
  ProductMapping,
  ReplaceMappings,
} from '../contract/integration.ts';
import { renderMapping } from '../render/integration.ts';
import { ByProvider } from './integrations.ts';
import { listShape, VersionQuery, wholeList } from './list-reply.ts';

const TAG = 'Product mappings';
const MAPPINGS = '/v2/integrations/:provider/product-mappings';
const STORING = ['PROVIDER_UNKNOWN', 'STORAGE_FULL', 'STORAGE_FAILED'] as const;
/** The size of a set of 5,000 mappings with long names. */
const MAPPINGS_BYTES = 2 * 1024 * 1024;
const ByMapping = z.strictObject({ provider: z.string(), externalId: z.string().max(256) });

/** Routes that map a provider's packages to the merchant's products. */
export function integrationMappingRoutes(integrations: IntegrationsApi): RoutePlugin {
  return async (api) => {
    mappingsRoute(api, integrations);
    replaceRoute(api, integrations);
    removeRoute(api, integrations);
  };
}

function mappingsRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'GET',
    url: MAPPINGS,
    schema: { params: ByProvider, querystring: VersionQuery },
    config: {
      operationId: 'listProductMappings',
      tag: TAG,
      access: 'settings:read',
      summary:
        'List all packages of an integration by external id, with their product; it is null where none is mapped.',
      replies: [listShape(ProductMapping, 'All of them, on one page.')],
      refusals: ['PROVIDER_UNKNOWN'],
    },
    handler: ({ params: { provider }, serviceVersion }) => {
      const items = integrations.mappings(provider).map(renderMapping);
      return wholeList(serviceVersion, `/v2/integrations/${provider}/product-mappings`, items);
    },
  });
}

function replaceRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'PUT',
    url: MAPPINGS,
    schema: { params: ByProvider, querystring: VersionQuery, body: ReplaceMappings },
    bodyLimit: MAPPINGS_BYTES,
    config: {
      operationId: 'replaceProductMappings',
      tag: TAG,
      access: 'settings:write',
      summary: 'Replace the whole set at once: mappings that are absent are deleted.',
      replies: [
        {
          status: 200,
          description: 'How many there are now.',
          schema: MappingsReplaced,
        },
      ],
      refusals: ['SLOT_MANAGED', ...STORING],
      refusesWithIssues: true,
      idempotent: 'with_its_writes',
    },
    handler: ({ params, body }) => {
      const count = integrations.replaceMappings(params.provider, body.mappings.map(mappingOf));
      return { success: true, count };
    },
  });
}

function removeRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'DELETE',
    url: `${MAPPINGS}/:externalId`,
    schema: { params: ByMapping, querystring: VersionQuery },
    config: {
      operationId: 'removeProductMapping',
      tag: TAG,
      access: 'settings:write',
      summary: 'Remove one mapping.',
      replies: [{ status: 200, description: 'It is removed.', schema: Done }],
      refusals: ['MAPPING_UNKNOWN', 'SLOT_MANAGED', ...STORING],
      idempotent: 'with_its_writes',
    },
    handler: ({ params }) => {
      integrations.removeMapping(params.provider, params.externalId);
      return { success: true };
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
