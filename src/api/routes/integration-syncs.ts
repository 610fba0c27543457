import { setImmediate as yieldToPayments } from 'node:timers/promises';
import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import type { IntegrationsApi } from '../../integration/integrations-api.ts';
import { suggestionsFor } from '../../integration/mapping/suggestions.ts';
import type { Api, RoutePlugin } from '../api.ts';
import { Done, SyncIntegration } from '../contract/integration.ts';
import { dataOf, listOf } from '../contract/primitives.ts';
import {
  DryRun,
  ListParked,
  ListRuns,
  ListSuggestions,
  MappingSuggestion,
  ParkedCause,
  ParkedRecord,
  ParkedRetried,
  RecipeTrial,
  ResourceTest,
  RetryParked,
  StoredCredentials,
  SyncRunEntry,
  SyncStream,
  TestResources,
  TryRecipe,
} from '../contract/sync.ts';
import {
  renderCredentials,
  renderDryRun,
  renderParked,
  renderParkedCause,
  renderRecipeTrial,
  renderResourceTest,
  renderRunEntry,
  renderStream,
  renderSuggestion,
} from '../render/sync.ts';
import { ByProvider, wholeCredentials } from './integrations.ts';
import { listReply, listShape, VersionQuery, wholeList } from './list-reply.ts';

const TAG = 'Syncs';
const URL = '/v2/integrations';
const ONE = `${URL}/:provider`;
const ByResource = z.strictObject({ provider: z.string(), resource: z.string().min(1).max(64) });

/** The service's API has none of these: details of an integration's syncs, and a person's decisions about them. */
export function integrationSyncRoutes(integrations: IntegrationsApi): RoutePlugin {
  return async (api) => {
    streamsRoute(api, integrations);
    parkedRoute(api, integrations);
    parkedCausesRoute(api, integrations);
    retryParkedRoute(api, integrations);
    runsRoute(api, integrations);
    suggestionsRoute(api, integrations);
    approveRoute(api, integrations);
    dryRunRoute(api, integrations);
    tryRecipeRoute(api, integrations);
    testResourcesRoute(api, integrations);
    credentialsRoute(api, integrations);
  };
}

function streamsRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'GET',
    url: `${ONE}/streams`,
    schema: { params: ByProvider, querystring: VersionQuery },
    config: {
      operationId: 'listSyncStreams',
      tag: TAG,
      access: 'settings:read',
      summary: 'List the resources of an integration: how fresh each is, what runs, what waits for a person.',
      replies: [listShape(SyncStream, 'All of them; none where no connector serves the integration.')],
      refusals: ['PROVIDER_UNKNOWN'],
    },
    handler: ({ params: { provider }, serviceVersion }) => {
      const items = integrations.streams(provider).map((stream) => renderStream(provider, stream));
      return wholeList(serviceVersion, `${URL}/${provider}/streams`, items);
    },
  });
}

function parkedRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'GET',
    url: `${ONE}/parked`,
    schema: { params: ByProvider, querystring: ListParked },
    config: {
      operationId: 'listParkedRecords',
      tag: TAG,
      access: 'settings:read',
      summary: 'List records that wait alone while the rest goes on, by resource and key.',
      replies: [listShape(ParkedRecord, 'One page of them.')],
      refusals: ['PROVIDER_UNKNOWN'],
    },
    handler: async ({ params: { provider }, query, serviceVersion }) => {
      const { limit, starting_after, cause = null } = query;
      const found = await integrations.parked(provider, starting_after ?? null, limit + 1, cause);
      const items = found.slice(0, limit).map((record) => renderParked(provider, record));
      const url = `${URL}/${provider}/parked`;
      return listReply(serviceVersion, { items, hasMore: found.length > limit, url, limit });
    },
  });
}

function parkedCausesRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'GET',
    url: `${ONE}/parked/causes`,
    schema: { params: ByProvider, querystring: VersionQuery },
    config: {
      operationId: 'listParkedCauses',
      tag: TAG,
      access: 'settings:read',
      summary: 'List what parked records wait for: the cause of the most records first.',
      replies: [listShape(ParkedCause, 'All of them, on one page.')],
      refusals: ['PROVIDER_UNKNOWN'],
    },
    handler: async ({ params: { provider }, serviceVersion }) => {
      const items = (await integrations.causes(provider)).map((cause) => renderParkedCause(provider, cause));
      const url = `${URL}/${provider}/parked/causes`;
      return wholeList(serviceVersion, url, items);
    },
  });
}

function retryParkedRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'POST',
    url: `${ONE}/parked/retry`,
    schema: { params: ByProvider, querystring: VersionQuery, body: RetryParked },
    config: {
      operationId: 'retryParkedRecords',
      tag: TAG,
      access: 'settings:write',
      summary: 'Try parked records again at once, all of them or those of one cause.',
      replies: [{ status: 200, description: 'How many are tried again.', schema: ParkedRetried }],
      refusals: [
        'SLOT_NOT_ACTIVE',
        'SLOT_NOT_CONFIGURED',
        'PROVIDER_UNKNOWN',
        'STORAGE_FULL',
        'STORAGE_FAILED',
      ],
      idempotent: 'after_its_writes',
    },
    handler: async ({ params: { provider }, body: { cause = null } }) => ({
      success: true,
      count: await integrations.retryParked(provider, cause),
    }),
  });
}

function runsRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'GET',
    url: `${ONE}/runs`,
    schema: { params: ByProvider, querystring: ListRuns },
    config: {
      operationId: 'listSyncRuns',
      tag: TAG,
      access: 'settings:read',
      summary:
        'List the runs of the last eight days, newest first: what each read, how long it took, how it ended.',
      replies: [listShape(SyncRunEntry, 'One page of them.')],
      refusals: ['PROVIDER_UNKNOWN'],
    },
    handler: ({ params: { provider }, query, serviceVersion }) => {
      const { limit, starting_after } = query;
      const found = integrations.runs(provider, starting_after ?? null, limit + 1);
      const items = found.slice(0, limit).map((run) => renderRunEntry(provider, run));
      const url = `${URL}/${provider}/runs`;
      return listReply(serviceVersion, { items, hasMore: found.length > limit, url, limit });
    },
  });
}

function suggestionsRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'GET',
    url: `${ONE}/product-mappings/suggestions`,
    schema: { params: ByProvider, querystring: ListSuggestions },
    config: {
      operationId: 'listMappingSuggestions',
      tag: TAG,
      access: 'settings:read',
      summary:
        'List packages without a product, those that hold up most records first, and what they may be.',
      replies: [listShape(MappingSuggestion, 'At most as many as were asked for.')],
      refusals: ['PROVIDER_UNKNOWN'],
    },
    handler: async ({ params: { provider }, query: { limit }, serviceVersion }) => {
      const found = integrations.unmapped(provider, limit + 1);
      const products = integrations.products();
      const items: MappingSuggestion[] = [];
      for (const one of found.slice(0, limit)) {
        items.push(renderSuggestion(one, suggestionsFor(one, products, distance)));
        // A payment may be waiting.
        await yieldToPayments();
      }
      const url = `${URL}/${provider}/product-mappings/suggestions`;
      return listReply(serviceVersion, { items, hasMore: found.length > limit, url, limit });
    },
  });
}

function approveRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'POST',
    url: `${ONE}/resources/:resource/approve`,
    schema: { params: ByResource, querystring: VersionQuery },
    config: {
      operationId: 'approveSync',
      tag: TAG,
      access: 'settings:write',
      summary: 'A person has looked at what is held: the rows that the source lacks may go.',
      replies: [{ status: 200, description: 'They go with the next run.', schema: Done }],
      refusals: [
        'PROVIDER_UNKNOWN',
        'SLOT_NOT_CONFIGURED',
        'RESOURCE_UNKNOWN',
        'NOTHING_HELD',
        'STORAGE_FULL',
        'STORAGE_FAILED',
      ],
      idempotent: 'after_its_writes',
    },
    handler: ({ params: { provider, resource } }) => {
      integrations.approve(provider, resource);
      return { success: true };
    },
  });
}

function dryRunRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'POST',
    url: `${ONE}/dry-run`,
    schema: { params: ByProvider, querystring: VersionQuery, body: SyncIntegration },
    config: {
      operationId: 'dryRunSync',
      tag: TAG,
      access: 'settings:write',
      summary:
        'Read what a sync would read now, and show what it would write; nothing is written. Takes up to two minutes.',
      replies: [{ status: 200, description: 'Each resource that would run.', schema: listOf(DryRun) }],
      refusals: [
        'PROVIDER_UNKNOWN',
        'SLOT_NOT_CONFIGURED',
        'CREDENTIALS_MISSING',
        'RESOURCE_UNKNOWN',
        'DRY_RUN_BUSY',
        'DRY_RUN_TOO_LONG',
        'PROVIDER_FAILED',
      ],
    },
    handler: async ({ params: { provider }, body }) => {
      const asked = { full: body.fullResync ?? false, resource: body.resource ?? null };
      const runs = await integrations.dryRun(provider, asked);
      const url = `${URL}/${provider}/dry-run`;
      return { object: 'list', data: runs.map(renderDryRun), has_more: false, url };
    },
  });
}

function tryRecipeRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'POST',
    url: `${ONE}/try-recipe`,
    schema: { params: ByProvider, querystring: VersionQuery, body: TryRecipe },
    config: {
      operationId: 'tryRecipe',
      tag: TAG,
      access: 'settings:write',
      summary:
        'Read one page by a recipe, and show each record as it comes, as it is mapped and as it would be written. Nothing is stored.',
      replies: [{ status: 200, description: 'The first records of the page.', schema: dataOf(RecipeTrial) }],
      refusals: [
        'PROVIDER_UNKNOWN',
        'SETTINGS_INVALID',
        'CREDENTIALS_MISSING',
        'RESOURCE_UNKNOWN',
        'PROVIDER_FAILED',
        'OPERATION_NOT_SUPPORTED',
      ],
    },
    handler: async ({ params: { provider }, body }) => {
      const { recipe, resource = null, limit = 3, credentials, ...asked } = body;
      const trial = await integrations.tryRecipe(provider, {
        ...asked,
        recipe,
        resource,
        limit,
        credentials: credentials ? wholeCredentials(credentials) : null,
      });
      return { data: renderRecipeTrial(provider, trial) };
    },
  });
}

function testResourcesRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'POST',
    url: `${ONE}/test-resources`,
    schema: { params: ByProvider, querystring: VersionQuery, body: TestResources },
    config: {
      operationId: 'testResources',
      tag: TAG,
      access: 'settings:write',
      summary: 'Ask the provider for the first page of every resource; nothing is stored.',
      replies: [{ status: 200, description: 'Each resource.', schema: listOf(ResourceTest) }],
      refusals: ['PROVIDER_UNKNOWN', 'SLOT_NOT_CONFIGURED', 'CREDENTIALS_MISSING'],
    },
    handler: async ({ params: { provider }, body: { credentials } }) => {
      const tests = await integrations.testResources(
        provider,
        credentials ? wholeCredentials(credentials) : null,
      );
      const url = `${URL}/${provider}/test-resources`;
      const data = tests.map((test) => renderResourceTest(provider, test));
      return { object: 'list', data, has_more: false, url };
    },
  });
}

function credentialsRoute(api: Api, integrations: IntegrationsApi): void {
  api.route({
    method: 'GET',
    url: `${ONE}/credentials`,
    schema: { params: ByProvider, querystring: VersionQuery },
    config: {
      operationId: 'getStoredCredentials',
      tag: TAG,
      access: 'settings:read',
      summary: 'What is stored of the credential of an integration; never the key.',
      replies: [{ status: 200, description: 'Without the key.', schema: dataOf(StoredCredentials) }],
      refusals: ['PROVIDER_UNKNOWN'],
    },
    handler: ({ params: { provider } }) => {
      const { missingCredentials } = integrations.get(provider);
      return { data: renderCredentials(provider, integrations.credentials(provider), missingCredentials) };
    },
  });
}
