import type { Answer } from './errors.ts';
import type { Integrations } from './integrations.ts';
import type { Call, Operation } from './operation.ts';
import { OFFSET_PARAMETERS, type Page } from './pagination.ts';
import { LIMITS } from './settings.ts';

const PATH = '/v2/integrations';
const ONE = `${PATH}/:provider`;
const [READ, WRITE] = ['settings:read', 'settings:write'];

type List = (call: Call, page: Page<unknown>) => Answer;

/** The interface's integration operations. */
export function integrationOperations(integrations: Integrations, list: List): readonly Operation[] {
  return [
    ...stateOperations(integrations, list),
    ...mappingOperations(integrations, list),
    ...invoiceOperations(integrations),
    ...statsOperations(integrations),
  ];
}

function stateOperations(integrations: Integrations, list: List): readonly Operation[] {
  return [
    {
      method: 'GET',
      path: PATH,
      scope: READ,
      query: OFFSET_PARAMETERS,
      handle: (call) => list(call, integrations.list(call.query)),
    },
    read('', (_call, provider) => one(integrations.view(provider))),
    change('POST', '/activate', (provider, { body }) => one(integrations.activate(provider, body))),
    change('POST', '/deactivate', (provider, { body }) => one(integrations.deactivate(provider, body))),
    change('POST', '/rotate', (provider, { body }) => one(integrations.rotate(provider, body))),
    change('POST', '/test', (provider, { body }) => integrations.test(provider, body)),
    {
      ...change('POST', '/sync', (provider, { query, body }) => integrations.sync(provider, query, body)),
      query: ['fullResync'],
    },
    change('POST', '/resume-sync', (provider, { body }) => integrations.resume(provider, body)),
    change('PUT', '/sync-toggle', (provider, { body }) => integrations.toggle(provider, body)),
    change('PUT', '/invoice-lookback', (provider, { body }) => integrations.lookback(provider, body)),
    change('PUT', '/product-mapping-policy', (provider, { body }) => integrations.policy(provider, body)),
  ];
}

function mappingOperations(integrations: Integrations, list: List): readonly Operation[] {
  return [
    read('/product-mappings', (call, provider) => list(call, integrations.mappings(provider))),
    {
      ...change('PUT', '/product-mappings', (provider, { body }) =>
        integrations.replaceMappings(provider, body),
      ),
      bodyLimit: LIMITS.mappingsBody,
    },
    change('DELETE', '/product-mappings/:externalId', (provider, { params }) =>
      integrations.removeMapping(provider, params['externalId'] ?? ''),
    ),
  ];
}

function invoiceOperations(integrations: Integrations): readonly Operation[] {
  return [
    change('POST', '/invoices/:externalInvoiceId/refresh', (provider, { params, body }) =>
      integrations.refresh(provider, params['externalInvoiceId'] ?? '', body),
    ),
    read('/invoices/:externalInvoiceId/refresh-status', ({ params }, provider) =>
      one(integrations.refreshStatus(provider, params['externalInvoiceId'] ?? '')),
    ),
  ];
}

function statsOperations(integrations: Integrations): readonly Operation[] {
  return [
    read('/sync-stats/:id', ({ params }, provider) => integrations.stats(provider, params['id'] ?? '')),
    read('/sync-stats/:id/resources', ({ params }, provider) =>
      integrations.statsByResource(provider, params['id'] ?? ''),
    ),
  ];
}

function read(path: string, handle: (call: Call, provider: string) => Answer): Operation {
  return {
    method: 'GET',
    path: `${ONE}${path}`,
    scope: READ,
    handle: (call) => handle(call, providerIn(call)),
  };
}

function change(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  handle: (provider: string, call: Call) => Answer,
): Operation {
  return { method, path: `${ONE}${path}`, scope: WRITE, handle: (call) => handle(providerIn(call), call) };
}

function one(resource: unknown): Answer {
  return { status: 200, body: { data: resource } };
}

function providerIn({ params }: Call): string {
  return params['provider'] ?? '';
}
