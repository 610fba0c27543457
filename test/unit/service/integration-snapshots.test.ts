import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../../../src/base/log.ts';
import { IntegrationSettings } from '../../../src/integration/settings/integration-settings.ts';
import { mustBeOurs } from '../../../src/integration/settings/managed-integration.ts';
import { SnapshotFollower } from '../../../src/integration/settings/snapshot-follower.ts';
import { systemIds } from '../../../src/runtime/system-ids.ts';
import { snapshotsOver } from '../../../src/service/integration-snapshots.ts';
import { SqliteIntegrationStore } from '../../../src/store/integrations/sqlite-integration-store.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';
import { aMapping, aService } from '../../support/service-sinks.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { aSealer } from '../../support/webhooks.ts';

const never = new AbortController().signal;
const PRODUCT = '0199c0de-0003-7000-8000-000000000001';
const CREDENTIALS = { apiKey: 'secret', baseUrl: '', appName: '', appEmail: '' };

async function stage(managed: readonly 'provider_a'[] = ['provider_a']) {
  const at = await aService();
  const [clock, database] = [new VirtualClock(), aMoneyDatabase()];
  const store = new SqliteIntegrationStore(database, () => systemIds.uuid());
  const settings = new IntegrationSettings({ store, sealer: aSealer(), clock, log: silentLog });
  const heard: (readonly [string, readonly string[]])[] = [];
  const follower = new SnapshotFollower(
    {
      source: snapshotsOver(at.line),
      settings,
      mappingsOf: (provider) => store.mappingsOf(provider),
      clock,
      log: silentLog,
      changed: (provider, released) => heard.push([provider, released]),
    },
    managed,
  );
  const send = (method: 'PUT', name: string, body: unknown) =>
    at.line.ask({ method, path: `/integrations/provider_a/${name}`, body, reads: z.unknown() }, never);
  return { at, clock, store, settings, follower, heard, send };
}

describe('an integration that the service manages', () => {
  it('follows settings and mappings of the service, and tells what they release', async () => {
    const { follower, settings, store, heard, send } = await stage();
    await send('PUT', 'sync-toggle', { enabled: false });
    await send('PUT', 'invoice-lookback', { invoiceLookbackDays: 365 });
    await send('PUT', 'product-mapping-policy', {
      productMappingMode: 'import_only',
      requireProductMappings: true,
    });
    await send('PUT', 'product-mappings', {
      mappings: [
        { externalId: 'p1', internalId: PRODUCT, metadata: { name: 'One' }, priceOverride: 5 },
        { externalId: 'p2' },
      ],
    });
    await follower.look(never);
    expect(settings.get('provider_a')).toMatchObject({
      isEnabled: false,
      lookbackDays: 365,
      requiresMappings: true,
    });
    expect(store.mappingsOf('provider_a')).toEqual([
      { ...aMapping('p1', PRODUCT), metadata: '{"name":"One","price_override":5}' },
      aMapping('p2', null),
    ]);
    expect(heard).toEqual([['provider_a', ['p1']]]);
    await follower.look(never);
    expect(heard).toHaveLength(1);
  });

  it('keeps credentials, activation and pause of its own', async () => {
    const { follower, settings } = await stage();
    settings.keepCredentials('provider_a', CREDENTIALS);
    settings.change('provider_a', { pausedFor: 'errors', pausedAt: 1 });
    const { sealedCredentials } = settings.get('provider_a');
    await follower.look(never);
    expect(settings.get('provider_a')).toMatchObject({
      sealedCredentials,
      isActive: false,
      pausedFor: 'errors',
    });
  });

  it('keeps the last settings while the service cannot be read, whatever it answers instead', async () => {
    const { at, follower, settings, store } = await stage();
    settings.change('provider_a', { lookbackDays: 33 });
    settings.replaceMappings('provider_a', [aMapping('ours', PRODUCT)]);
    for (const code of [403, 422, 429, 500] as const) {
      at.service.control.behave({ status: { code, times: 2 } });
      await follower.look(never);
      at.service.control.behaveWell();
    }
    at.service.control.behave({ status: { code: 500, times: 1, only: 'product-mappings' } });
    await follower.look(never);
    expect(settings.get('provider_a').lookbackDays).toBe(33);
    expect(store.mappingsOf('provider_a')).toEqual([aMapping('ours', PRODUCT)]);
  });

  it('is looked at from the start and every five minutes, and belongs to us again when the config says so', async () => {
    const { at, follower, settings, clock } = await stage();
    follower.start();
    expect(settings.get('provider_a').managedBy).toBe('service');
    expect(settings.get('provider_b').managedBy).toBe('local');
    while (at.exchanges.length < 2) await clock.settle();
    while (!clock.pending.includes('integration snapshots')) await clock.settle();
    await clock.advance(5 * 60_000);
    while (at.exchanges.length < 4) await clock.settle();
    await follower.stop();
    const { follower: later, settings: same } = await stage([]);
    same.change('provider_a', { managedBy: 'service' });
    later.start();
    expect(same.get('provider_a').managedBy).toBe('local');
  });

  it('refuses what somebody wants to change here, in words', () => {
    expect(() => mustBeOurs({ name: 'provider_a', managedBy: 'service' })).toThrow(/change them there/);
    expect(() => mustBeOurs({ name: 'provider_a', managedBy: 'local' })).not.toThrow();
  });
});
