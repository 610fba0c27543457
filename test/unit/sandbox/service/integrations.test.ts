import { describe, expect, it } from 'vitest';
import type { SandboxSettings } from '../../../../src/sandbox/service/settings.ts';
import { type AtWork, KEY, textMemory, withSandbox } from './sandbox-at-work.ts';

const LIST = '/v2/integrations';
const A = `${LIST}/provider_a`;
const B = `${LIST}/provider_b`;
const D = `${LIST}/provider_d`;
const CREDENTIALS = {
  apiKey: 'key of the provider',
  baseUrl: 'https://api.provider.example',
  appName: 'Shop',
  appEmail: 'ops@shop.example',
};
const PRODUCT = '0198d000-0000-7000-8000-000000000001';
const KEYS: Partial<SandboxSettings> = {
  keys: [
    { key: KEY, scopes: ['settings:read', 'settings:write'] },
    { key: 'rk_sandbox_reader', scopes: ['settings:read'] },
  ],
};

function withIntegrations(scenario: (at: AtWork) => Promise<void>, memory = textMemory()): Promise<void> {
  return withSandbox(scenario, KEYS, { memory });
}

describe('the integrations of the sandbox service', () => {
  it('are four, whatever is set up, and each shows its snapshot', async () => {
    await withIntegrations(async ({ ask }) => {
      const { body } = await ask('GET', LIST);
      expect(body).toMatchObject({ object: 'list', has_more: false });
      expect(
        body.data.map(({ provider, active }: { provider: string; active: boolean }) => [provider, active]),
      ).toEqual([
        ['provider_a', true],
        ['provider_b', false],
        ['terminal', true],
        ['provider_d', false],
      ]);
      const one = await ask('GET', A);
      expect(one.body).toEqual({ data: body.data[0] });
      expect((await ask('GET', `${LIST}/provider_x`)).body.error.code).toBe('resource_not_found');
      expect(
        (await ask('PUT', `${A}/sync-toggle`, { key: 'rk_sandbox_reader', body: { enabled: false } })).status,
      ).toBe(403);
    });
  });

  it('are synced while active, toggled on or off, and refuse with 400 else', async () => {
    await withIntegrations(async ({ ask, clock }) => {
      expect((await ask('POST', `${B}/sync`)).status).toBe(400);
      expect(await ask('POST', `${B}/activate`, { body: { credentials: CREDENTIALS } })).toMatchObject({
        status: 200,
        body: { data: { active: true, last_sync_at: null } },
      });
      await clock.advance(60_000);
      expect(await ask('POST', `${B}/sync?fullResync=true`)).toMatchObject({
        status: 202,
        body: { success: true, fullResync: true },
      });
      expect((await ask('GET', B)).body.data).toMatchObject({
        last_sync_at: '2026-01-05T09:01:00.000Z',
        next_sync_at: '2026-01-05T09:16:00.000Z',
      });
      expect((await ask('PUT', `${B}/sync-toggle`, { body: { enabled: false } })).body).toEqual({
        success: true,
      });
      expect((await ask('POST', `${B}/sync`)).status).toBe(202);
      expect((await ask('POST', `${B}/deactivate`)).body.data).toMatchObject({
        active: false,
        next_sync_at: null,
      });
    });
  });

  it.each([
    ['?fullResync=maybe', undefined],
    ['?fullResync=true&fullResync=true', undefined],
    ['?fullResync=true', { fullResync: false }],
    ['?full=true', undefined],
    ['', { fullResync: 'true' }],
    ['', { full: true }],
  ])('refuse a sync with %s and %j', async (query, body) => {
    await withIntegrations(async ({ ask }) => {
      expect((await ask('POST', `${A}/sync${query}`, body ? { body } : {})).status).toBe(400);
      expect((await ask('GET', A)).body.data.last_sync_at).toBeNull();
    });
  });

  it('test a credential with the words of the provider, and keep nothing of it', async () => {
    const memory = textMemory();
    await withIntegrations(async ({ ask }) => {
      const tested = await ask('POST', `${A}/test`, { body: { credentials: CREDENTIALS } });
      expect(tested.body).toEqual({ valid: true, error: '' });
      const bad = await ask('POST', `${A}/test`, { body: { credentials: { apiKey: 'bad one' } } });
      expect(bad.body).toEqual({ valid: false, error: expect.stringContaining('Unauthorized') });
      expect((await ask('POST', `${A}/test`, { body: {} })).status).toBe(400);
      await ask('POST', `${A}/rotate`, { body: { credentials: CREDENTIALS } });
      expect(memory.load() ?? '').not.toContain(CREDENTIALS.apiKey);
    }, memory);
  });

  it.each([
    [`${A}/sync-toggle`, { enabled: 'yes' }, ['enabled']],
    [`${A}/invoice-lookback`, { invoiceLookbackDays: 0 }, ['invoiceLookbackDays']],
    [`${A}/invoice-lookback`, { invoiceLookbackDays: 30.5 }, ['invoiceLookbackDays']],
    [`${A}/product-mapping-policy`, {}, []],
    [`${A}/product-mapping-policy`, { productMappingMode: 'Import Only' }, ['productMappingMode']],
    [
      `${A}/product-mappings`,
      { mappings: [{ externalId: 'p1' }, { externalId: 'p1' }] },
      ['mappings', 1, 'externalId'],
    ],
    [
      `${A}/product-mappings`,
      { mappings: [{ externalId: 'p1', internalId: 'no uuid' }] },
      ['mappings', 0, 'internalId'],
    ],
    [`${D}/product-mappings`, { mappings: [{ externalId: 'p1', priceOverride: 100 }] }, ['mappings', 0]],
    [`${D}/sync-toggle`, { enabled: true }, ['provider']],
    [`${D}/invoice-lookback`, { invoiceLookbackDays: 30 }, ['provider']],
    [`${D}/product-mapping-policy`, { requireProductMappings: true }, ['provider']],
  ])('refuse PUT %s with %j in the shape of these PUTs', async (path, body, where) => {
    await withIntegrations(async ({ ask }) => {
      expect(await ask('PUT', path, { body })).toMatchObject({
        status: 400,
        body: { success: false, error: { name: 'ValidationError', issues: [{ path: where }] } },
      });
    });
  });

  it('replace the whole set of mappings at once, in the order of the external ids, and remove one', async () => {
    await withIntegrations(async ({ ask }) => {
      const mappings = [
        { externalId: 'z' },
        { externalId: 'a', internalId: PRODUCT, metadata: { name: 'Tea' } },
      ];
      expect((await ask('PUT', `${A}/product-mappings`, { body: { mappings } })).body).toEqual({
        success: true,
        count: 2,
      });
      const broken = [{ externalId: 'b' }, { externalId: '' }];
      expect((await ask('PUT', `${A}/product-mappings`, { body: { mappings: broken } })).status).toBe(400);
      expect((await ask('GET', `${A}/product-mappings`)).body.data).toMatchObject([
        { externalId: 'a', internalId: PRODUCT, ignored: false, product: { id: PRODUCT, name: 'Tea' } },
        { externalId: 'z', internalId: null, product: null },
      ]);
      expect((await ask('DELETE', `${A}/product-mappings/a`)).body).toEqual({ success: true });
      expect(await ask('DELETE', `${A}/product-mappings/a`)).toMatchObject({
        status: 404,
        body: { error: 'Product mapping not found' },
      });
    });
  });

  it('refresh one invoice and tell how that went', async () => {
    await withIntegrations(async ({ ask }) => {
      const path = `${A}/invoices/INV%2F7`;
      expect((await ask('GET', `${path}/refresh-status`)).status).toBe(404);
      expect((await ask('POST', `${path}/refresh`)).body).toEqual({ success: true });
      expect((await ask('GET', `${path}/refresh-status`)).body.data).toMatchObject({
        external_invoice_id: 'INV/7',
        status: 'succeeded',
      });
    });
  });

  it('count their syncs by window, and by resource type', async () => {
    await withIntegrations(async ({ ask, clock }) => {
      const { id } = (await ask('GET', A)).body.data;
      await ask('POST', `${A}/sync`);
      await clock.advance(7_200_000);
      await ask('POST', `${A}/resume-sync`);
      const { body } = await ask('GET', `${A}/sync-stats/${id}`);
      expect(body).toMatchObject({
        success: true,
        data: { runs: { '1h': 1, '24h': 2, '7d': 2 }, freshness_s: 0 },
      });
      const resources = await ask('GET', `${A}/sync-stats/${id}/resources`);
      expect(resources.body.data).toMatchObject({ invoices: { runs: { '1h': 1 } } });
      expect((await ask('GET', `${B}/sync-stats/${id}`)).status).toBe(404);
    });
  });

  it('are the same after a restart', async () => {
    const memory = textMemory();
    await withIntegrations(async ({ ask }) => {
      await ask('PUT', `${A}/invoice-lookback`, { body: { invoiceLookbackDays: 30 } });
    }, memory);
    await withIntegrations(async ({ ask }) => {
      expect((await ask('GET', A)).body.data.invoice_lookback_days).toBe(30);
    }, memory);
  });
});
