import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { ProviderCredentials } from '../../integration/connector.ts';
import type { IntegrationsApi } from '../../integration/integrations-api.ts';
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
import { json } from '../reply/reply.ts';
import { listReply, listShape, NoParams, VersionQuery } from './list-reply.ts';
import { defineRoute, type Route } from './route.ts';

const TAG = 'Integrations';
const URL = '/v2/integrations';
const ONE = `${URL}/{provider}`;
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
export function integrationRoutes(integrations: IntegrationsApi): readonly Route[] {
  return [
    listRoute(integrations),
    getRoute(integrations),
    activateRoute(integrations),
    deactivateRoute(integrations),
    rotateRoute(integrations),
    testRoute(integrations),
    syncRoute(integrations),
    resumeRoute(integrations),
    refreshRoute(integrations),
    refreshStatusRoute(integrations),
  ];
}

function listRoute(integrations: IntegrationsApi): Route {
  return defineRoute({
    method: 'GET',
    path: URL,
    operationId: 'listIntegrations',
    tag: TAG,
    access: 'settings:read',
    summary: 'List the four provider slots.',
    params: NoParams,
    query: ListIntegrations,
    body: null,
    replies: [listShape(Integration, 'All slots, configured or not.')],
    refusals: [],
    handler: ({ query: { limit, offset } }, { version }) => {
      const all = integrations.list();
      const items = all.slice(offset, offset + limit).map(renderIntegration);
      const hasMore = offset + limit < all.length;
      return listReply(version, { items, hasMore, url: URL, limit, offset, total: all.length });
    },
  });
}

function getRoute(integrations: IntegrationsApi): Route {
  return defineRoute({
    method: 'GET',
    path: ONE,
    operationId: 'getIntegration',
    tag: TAG,
    access: 'settings:read',
    summary: 'Status snapshot of a slot; neither syncs nor tests.',
    params: ByProvider,
    query: VersionQuery,
    body: null,
    replies: [{ status: 200, description: 'The slot.', schema: dataOf(Integration) }],
    refusals: ['PROVIDER_UNKNOWN'],
    handler: ({ params }) => json(200, { data: renderIntegration(integrations.get(params.provider)) }),
  });
}

function activateRoute(integrations: IntegrationsApi): Route {
  return defineRoute({
    method: 'POST',
    path: `${ONE}/activate`,
    operationId: 'activateIntegration',
    tag: TAG,
    access: 'settings:write',
    summary: 'Switch a slot on, with a credential or with the one that is kept.',
    params: ByProvider,
    query: VersionQuery,
    body: ActivateIntegration,
    replies: [{ status: 200, description: 'The slot as it is now.', schema: dataOf(Integration) }],
    refusals: ['SLOT_NOT_CONFIGURED', 'CREDENTIALS_MISSING', 'SEAL_KEY_UNUSABLE', ...STORING],
    idempotent: 'with_its_writes',
    handler: ({ params, body: { credentials } }) => {
      const slot = integrations.activate(params.provider, credentials ? whole(credentials) : null);
      return json(200, { data: renderIntegration(slot) });
    },
  });
}

function deactivateRoute(integrations: IntegrationsApi): Route {
  return defineRoute({
    method: 'POST',
    path: `${ONE}/deactivate`,
    operationId: 'deactivateIntegration',
    tag: TAG,
    access: 'settings:write',
    summary: 'Switch a slot off. Credentials, mappings and cursors are kept.',
    params: ByProvider,
    query: VersionQuery,
    body: null,
    replies: [{ status: 200, description: 'The slot as it is now.', schema: dataOf(Integration) }],
    refusals: STORING,
    idempotent: 'with_its_writes',
    handler: ({ params }) => json(200, { data: renderIntegration(integrations.deactivate(params.provider)) }),
  });
}

function rotateRoute(integrations: IntegrationsApi): Route {
  return defineRoute({
    method: 'POST',
    path: `${ONE}/rotate`,
    operationId: 'rotateIntegrationCredentials',
    tag: TAG,
    access: 'settings:write',
    summary: 'Replace the credential of a slot; the new one counts from the next request on.',
    params: ByProvider,
    query: VersionQuery,
    body: WithCredentials,
    replies: [{ status: 200, description: 'The slot as it is now.', schema: dataOf(Integration) }],
    refusals: ['SLOT_NOT_CONFIGURED', 'SEAL_KEY_UNUSABLE', ...STORING],
    idempotent: 'with_its_writes',
    handler: ({ params, body }) =>
      json(200, { data: renderIntegration(integrations.rotate(params.provider, whole(body.credentials))) }),
  });
}

function testRoute(integrations: IntegrationsApi): Route {
  return defineRoute({
    method: 'POST',
    path: `${ONE}/test`,
    operationId: 'testIntegrationCredentials',
    tag: TAG,
    access: 'settings:write',
    summary: 'Try a credential with the provider; nothing is kept.',
    params: ByProvider,
    query: VersionQuery,
    body: WithCredentials,
    replies: [
      {
        status: 200,
        description: "Whether it works; a failure has the provider's words.",
        schema: TestedCredentials,
      },
    ],
    refusals: ['SLOT_NOT_CONFIGURED', 'PROVIDER_UNKNOWN'],
    idempotent: 'after_its_writes',
    handler: async ({ params, body }) =>
      json(200, await integrations.test(params.provider, whole(body.credentials))),
  });
}

function syncRoute(integrations: IntegrationsApi): Route {
  return defineRoute({
    method: 'POST',
    path: `${ONE}/sync`,
    operationId: 'syncIntegration',
    tag: TAG,
    access: 'settings:write',
    summary: 'Queue a sync; `fullResync` in query or body ignores the cursor and reads everything again.',
    params: ByProvider,
    query: SyncQuery,
    body: SyncIntegration,
    replies: [{ status: 202, description: 'It is queued.', schema: SyncQueued }],
    refusals: ['SLOT_NOT_ACTIVE', 'SLOT_NOT_CONFIGURED', 'RESOURCE_UNKNOWN', ...STORING],
    idempotent: 'after_its_writes',
    handler: ({ params, query, body }) => {
      const full = flagOf(query.fullResync, body.fullResync);
      integrations.sync(params.provider, { full, resource: body.resource ?? null });
      return json(202, { success: true, fullResync: full });
    },
  });
}

function resumeRoute(integrations: IntegrationsApi): Route {
  return defineRoute({
    method: 'POST',
    path: `${ONE}/resume-sync`,
    operationId: 'resumeIntegrationSync',
    tag: TAG,
    access: 'settings:write',
    summary: 'Reset the error counter and the pause of a slot, and queue a sync at once. Destroys nothing.',
    params: ByProvider,
    query: VersionQuery,
    body: null,
    replies: [{ status: 202, description: 'It is queued.', schema: Done }],
    refusals: ['SLOT_NOT_ACTIVE', 'SLOT_NOT_CONFIGURED', ...STORING],
    idempotent: 'after_its_writes',
    handler: ({ params }) => {
      integrations.resume(params.provider);
      return json(202, DONE);
    },
  });
}

function refreshRoute(integrations: IntegrationsApi): Route {
  return defineRoute({
    method: 'POST',
    path: `${ONE}/invoices/{externalInvoiceId}/refresh`,
    operationId: 'refreshExternalInvoice',
    tag: TAG,
    access: 'settings:write',
    summary: 'Ask the provider for one invoice again.',
    params: ByInvoice,
    query: VersionQuery,
    body: null,
    replies: [{ status: 202, description: 'It is queued.', schema: Done }],
    refusals: ['SLOT_NOT_ACTIVE', 'SLOT_NOT_CONFIGURED', 'OPERATION_NOT_SUPPORTED', ...STORING],
    idempotent: 'after_its_writes',
    handler: ({ params }) => {
      integrations.refreshInvoice(params.provider, params.externalInvoiceId);
      return json(202, DONE);
    },
  });
}

function refreshStatusRoute(integrations: IntegrationsApi): Route {
  return defineRoute({
    method: 'GET',
    path: `${ONE}/invoices/{externalInvoiceId}/refresh-status`,
    operationId: 'getExternalInvoiceRefresh',
    tag: TAG,
    access: 'settings:read',
    summary: 'How the last refresh of an invoice went.',
    params: ByInvoice,
    query: VersionQuery,
    body: null,
    replies: [{ status: 200, description: 'The refresh.', schema: dataOf(InvoiceRefresh) }],
    refusals: ['PROVIDER_UNKNOWN', 'INVOICE_REFRESH_UNKNOWN'],
    handler: ({ params }) => {
      const refresh = integrations.invoiceRefresh(params.provider, params.externalInvoiceId);
      if (refresh) return json(200, { data: renderInvoiceRefresh(refresh) });
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

function whole({ apiKey, baseUrl = '', appName = '', appEmail = '' }: Credentials): ProviderCredentials {
  return { apiKey, baseUrl, appName, appEmail };
}
