import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { ProviderCredentials } from '../../integration/connector.ts';
import type { IntegrationsApi } from '../../integration/integrations-api.ts';
import type { Api, RoutePlugin } from '../api.ts';
import {
  ActivateIntegration,
  type Credentials,
  Done,
  Integration,
  InvoiceRefresh,
  SyncIntegration,
  SyncQuery,
  SyncQueued,
  TestedCredentials,
  WithCredentials,
} from '../contract/integration.ts';
import { dataOf } from '../contract/primitives.ts';
import { renderIntegration, renderInvoiceRefresh } from '../render/integration.ts';
import { listReply, listShape, VersionQuery } from './list-reply.ts';

const TAG = 'Integrations';
const URL = '/v2/integrations';
const ONE = `${URL}/:provider`;
/** Any text: the look-up, not the form, rejects an integration that does not exist. */
export const ByProvider = z.strictObject({ provider: z.string() });
const ByInvoice = z.strictObject({ provider: z.string(), externalInvoiceId: z.string().max(256) });
const STORING = ['PROVIDER_UNKNOWN', 'STORAGE_FULL', 'STORAGE_FAILED'] as const;
const DONE = { success: true } as const;

const ListIntegrations = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  offset: z.coerce.number().int().min(0).default(0),
  version: z.string().optional(),
});

/** Integrations: reading, switching on and off, credentials, starting and resuming a sync. */
export function integrationRoutes(integrations: IntegrationsApi): RoutePlugin {
  return async (api) => {
    listRoute(api, integrations);
    getRoute(api, integrations);
    activateRoute(api, integrations);
    deactivateRoute(api, integrations);
    rotateRoute(api, integrations);
    testRoute(api, integrations);
    syncRoute(api, integrations);
    resumeRoute(api, integrations);
    refreshRoute(api, integrations);
    refreshStatusRoute(api, integrations);
  };
}

function listRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'GET',
    url: URL,
    schema: { querystring: ListIntegrations },
    config: {
      operationId: 'listIntegrations',
      tag: TAG,
      access: 'settings:read',
      summary: 'List the four provider integrations.',
      replies: [listShape(Integration, 'All integrations, configured or not.')],
      refusals: [],
    },
    handler: ({ query: { limit, offset }, serviceVersion }) => {
      const all = integrations.list();
      const items = all.slice(offset, offset + limit).map(renderIntegration);
      const hasMore = offset + limit < all.length;
      return listReply(serviceVersion, { items, hasMore, url: URL, limit, offset, total: all.length });
    },
  });
}

function getRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'GET',
    url: ONE,
    schema: { params: ByProvider, querystring: VersionQuery },
    config: {
      operationId: 'getIntegration',
      tag: TAG,
      access: 'settings:read',
      summary: 'Status snapshot of an integration; neither syncs nor tests.',
      replies: [{ status: 200, description: 'The integration.', schema: dataOf(Integration) }],
      refusals: ['PROVIDER_UNKNOWN'],
    },
    handler: ({ params }) => ({ data: renderIntegration(integrations.get(params.provider)) }),
  });
}

function activateRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'POST',
    url: `${ONE}/activate`,
    schema: { params: ByProvider, querystring: VersionQuery, body: ActivateIntegration },
    config: {
      operationId: 'activateIntegration',
      tag: TAG,
      access: 'settings:write',
      summary: 'Switch an integration on, with a credential or with the one that is kept.',
      replies: [{ status: 200, description: 'The integration as it is now.', schema: dataOf(Integration) }],
      refusals: ['SLOT_NOT_CONFIGURED', 'CREDENTIALS_MISSING', 'SEAL_KEY_UNUSABLE', ...STORING],
      idempotent: 'with_its_writes',
    },
    handler: ({ params, body: { credentials } }) => {
      const integration = integrations.activate(
        params.provider,
        credentials ? wholeCredentials(credentials) : null,
      );
      return { data: renderIntegration(integration) };
    },
  });
}

function deactivateRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'POST',
    url: `${ONE}/deactivate`,
    schema: { params: ByProvider, querystring: VersionQuery },
    config: {
      operationId: 'deactivateIntegration',
      tag: TAG,
      access: 'settings:write',
      summary: 'Switch an integration off. Credentials, mappings and cursors are kept.',
      replies: [{ status: 200, description: 'The integration as it is now.', schema: dataOf(Integration) }],
      refusals: STORING,
      idempotent: 'with_its_writes',
    },
    handler: ({ params }) => ({ data: renderIntegration(integrations.deactivate(params.provider)) }),
  });
}

function rotateRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'POST',
    url: `${ONE}/rotate`,
    schema: { params: ByProvider, querystring: VersionQuery, body: WithCredentials },
    config: {
      operationId: 'rotateIntegrationCredentials',
      tag: TAG,
      access: 'settings:write',
      summary:
        'Replace the credential of an integration; the new one counts from the next request on. It is stored untried: `POST …/test` tries it first.',
      replies: [{ status: 200, description: 'The integration as it is now.', schema: dataOf(Integration) }],
      refusals: ['SLOT_NOT_CONFIGURED', 'SEAL_KEY_UNUSABLE', ...STORING],
      idempotent: 'with_its_writes',
    },
    handler: ({ params, body }) => ({
      data: renderIntegration(integrations.rotate(params.provider, wholeCredentials(body.credentials))),
    }),
  });
}

function testRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'POST',
    url: `${ONE}/test`,
    schema: { params: ByProvider, querystring: VersionQuery, body: WithCredentials },
    config: {
      operationId: 'testIntegrationCredentials',
      tag: TAG,
      access: 'settings:write',
      summary: 'Try a credential with the provider; nothing is kept.',
      replies: [
        {
          status: 200,
          description: "Whether it works; a failure has the provider's words.",
          schema: TestedCredentials,
        },
      ],
      refusals: ['SLOT_NOT_CONFIGURED', 'PROVIDER_UNKNOWN'],
      idempotent: 'after_its_writes',
    },
    handler: async ({ params, body }) =>
      await integrations.test(params.provider, wholeCredentials(body.credentials)),
  });
}

function syncRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'POST',
    url: `${ONE}/sync`,
    schema: { params: ByProvider, querystring: SyncQuery, body: SyncIntegration },
    config: {
      operationId: 'syncIntegration',
      tag: TAG,
      access: 'settings:write',
      summary: 'Queue a sync; `fullResync` in query or body ignores the cursor and reads everything again.',
      replies: [{ status: 202, description: 'It is queued.', schema: SyncQueued }],
      refusals: ['SLOT_NOT_ACTIVE', 'SLOT_NOT_CONFIGURED', 'RESOURCE_UNKNOWN', ...STORING],
      idempotent: 'after_its_writes',
    },
    handler: ({ params, query, body }) => {
      const full = flagOf(query.fullResync, body.fullResync);
      integrations.sync(params.provider, { full, resource: body.resource ?? null });
      return { success: true, fullResync: full };
    },
  });
}

function resumeRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'POST',
    url: `${ONE}/resume-sync`,
    schema: { params: ByProvider, querystring: VersionQuery },
    config: {
      operationId: 'resumeIntegrationSync',
      tag: TAG,
      access: 'settings:write',
      summary:
        'Reset the error counter and the pause of an integration, and queue a sync at once. Destroys nothing.',
      replies: [{ status: 202, description: 'It is queued.', schema: Done }],
      refusals: ['SLOT_NOT_ACTIVE', 'SLOT_NOT_CONFIGURED', ...STORING],
      idempotent: 'after_its_writes',
    },
    handler: ({ params }) => {
      integrations.resume(params.provider);
      return DONE;
    },
  });
}

function refreshRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'POST',
    url: `${ONE}/invoices/:externalInvoiceId/refresh`,
    schema: { params: ByInvoice, querystring: VersionQuery },
    config: {
      operationId: 'refreshExternalInvoice',
      tag: TAG,
      access: 'settings:write',
      summary: 'Ask the provider for one invoice again.',
      replies: [{ status: 202, description: 'It is queued.', schema: Done }],
      refusals: ['SLOT_NOT_ACTIVE', 'SLOT_NOT_CONFIGURED', 'OPERATION_NOT_SUPPORTED', ...STORING],
      idempotent: 'after_its_writes',
    },
    handler: ({ params }) => {
      integrations.refreshInvoice(params.provider, params.externalInvoiceId);
      return DONE;
    },
  });
}

function refreshStatusRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'GET',
    url: `${ONE}/invoices/:externalInvoiceId/refresh-status`,
    schema: { params: ByInvoice, querystring: VersionQuery },
    config: {
      operationId: 'getExternalInvoiceRefresh',
      tag: TAG,
      access: 'settings:read',
      summary: 'How the last refresh of an invoice went.',
      replies: [{ status: 200, description: 'The refresh.', schema: dataOf(InvoiceRefresh) }],
      refusals: ['PROVIDER_UNKNOWN', 'INVOICE_REFRESH_UNKNOWN'],
    },
    handler: ({ params }) => {
      const refresh = integrations.invoiceRefresh(params.provider, params.externalInvoiceId);
      if (refresh) return { data: renderInvoiceRefresh(refresh) };
      throw new AppError('INVOICE_REFRESH_UNKNOWN', 'No refresh of this invoice was asked for');
    },
  });
}

/** From the query or the body; two different values are rejected. @throws VALIDATION_FAILED */
function flagOf(inQuery: 'true' | 'false' | undefined, inBody: boolean | undefined): boolean {
  const flag = inQuery === undefined ? undefined : inQuery === 'true';
  if (flag !== undefined && inBody !== undefined && flag !== inBody) {
    throw new AppError('VALIDATION_FAILED', 'fullResync is said twice, and differently', {
      context: { param: 'fullResync' },
    });
  }
  return inBody ?? flag ?? false;
}

/** Absent parts are empty. */
export function wholeCredentials({
  apiKey,
  baseUrl = '',
  appName = '',
  appEmail = '',
}: Credentials): ProviderCredentials {
  return { apiKey, baseUrl, appName, appEmail };
}
