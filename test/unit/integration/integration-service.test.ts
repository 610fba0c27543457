import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import type { LogFields } from '../../../src/base/log.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { ProviderName } from '../../../src/integration/integration.ts';
import type { ProductMapping } from '../../../src/integration/integrations-api.ts';
import type { ListedPackage } from '../../../src/integration/mapping/external-packages.ts';
import type { ConfiguredIntegration, QuarantinedView } from '../../../src/integration/sync-runner-port.ts';
import { Database } from '../../../src/store/database.ts';
import { MONEY_MIGRATIONS } from '../../../src/store/schema/migrations.ts';
import { anIntegrationService, CONFIGURED, FakeRunner } from '../../support/integrations.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { aSealer } from '../../support/webhooks.ts';

const CREDENTIALS = {
  apiKey: 'pk_very-secret-0123456789',
  baseUrl: 'https://api.provider.example',
  appName: 'Shop',
  appEmail: 'ops@shop.example',
};
const NEW = { ...CREDENTIALS, apiKey: 'pk_another-secret-9876543210' };
const SERVED = new Map<ProviderName, ConfiguredIntegration>([
  ['provider_a', CONFIGURED],
  ['terminal', { ...CONFIGURED, connector: 'terminal', needsCredentials: false, needs: [] }],
  ['provider_d', CONFIGURED],
]);
const PRODUCT = '0198d000-0000-7000-8000-000000000001';
const ALL = { full: false, resource: null };
const CHANGES = 'queue provider_a changes all';
const names: Readonly<Record<string, string>> = { [PRODUCT]: 'Haircut' };

function open(database = aMoneyDatabase(), packages: readonly ListedPackage[] = []) {
  const clock = new VirtualClock();
  const sealer = aSealer();
  const logged: string[] = [];
  const note = (fields: LogFields, words: string) => logged.push(`${words} ${JSON.stringify(fields)}`);
  const log = { ...silentLog, debug: note, info: note, warn: note, error: note };
  const productName = (id: string) => names[id] ?? null;
  const listed = (provider: ProviderName) => (provider === 'provider_a' ? packages : []);
  const parts = {
    clock,
    sealer,
    log,
    runner: new FakeRunner(clock),
    configured: SERVED,
    productName,
    listed,
  };
  return { ...anIntegrationService(database, parts), clock, sealer, logged, database };
}

function refused(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
  return 'not refused';
}

function mapping(externalId: string, more: Partial<ProductMapping> = {}): ProductMapping {
  return { externalId, internalId: null, ignored: false, metadata: {}, priceOverride: null, ...more };
}

function parked(key: string, needs: string | null): QuarantinedView {
  const why = needs === null ? 'bad' : 'mapping';
  const details = { recordId: key, why, reason: 'x', needs, excerpt: '', tries: 1 } as const;
  return {
    resource: 'invoices',
    key,
    cause: `${why}:${needs}`,
    label: needs === 'p-9' ? { name: 'Manicure', codes: ['MA-1'] } : null,
    ...details,
    parkedAt: 0,
    nextTryAt: null,
  };
}

describe('the service of the integrations', () => {
  it('shows four slots, those without a connector as not configured and without instants', () => {
    const { integrations } = open();
    const seen = integrations
      .list()
      .map(({ provider, connector, nextSyncAt, active }) => ({ provider, connector, nextSyncAt, active }));
    const idle = { active: false, nextSyncAt: null };
    expect(seen).toEqual([
      { provider: 'provider_a', connector: 'rest', ...idle },
      { provider: 'provider_b', connector: null, ...idle },
      { provider: 'terminal', connector: 'terminal', ...idle },
      { provider: 'provider_d', connector: 'rest', ...idle },
    ]);
    expect(refused(() => integrations.get('provider_x'))).toBe('PROVIDER_UNKNOWN');
    expect(refused(() => integrations.get('toString'))).toBe('PROVIDER_UNKNOWN');
  });

  it('activates an integration once, with a credential where one is needed, and queues its first run', () => {
    const { integrations, runner, settings } = open();
    expect(refused(() => integrations.activate('provider_a', null))).toBe('CREDENTIALS_MISSING');
    expect(settings.get('provider_a').isActive).toBe(false);
    expect(refused(() => integrations.activate('provider_b', CREDENTIALS))).toBe('SLOT_NOT_CONFIGURED');
    expect(settings.get('provider_b').sealedCredentials).toBeNull();
    expect(integrations.activate('provider_a', CREDENTIALS)).toMatchObject({ active: true });
    expect(integrations.activate('provider_a', null)).toMatchObject({ active: true });
    expect(integrations.activate('terminal', null)).toMatchObject({ active: true });
    expect(runner.calls).toEqual(['credentials provider_a', CHANGES, 'queue terminal changes all']);
  });

  it('keeps credential, mappings and settings of an integration that is deactivated, and stops what runs', () => {
    const { integrations, runner, settings } = open();
    integrations.activate('provider_a', CREDENTIALS);
    integrations.replaceMappings('provider_a', [mapping('p-1')]);
    expect(integrations.deactivate('provider_a')).toMatchObject({ active: false, nextSyncAt: null });
    expect(runner.calls.at(-1)).toBe('stop provider_a');
    expect(integrations.mappings('provider_a')).toHaveLength(1);
    expect(settings.get('provider_a').sealedCredentials).not.toBeNull();
    expect(integrations.activate('provider_a', null)).toMatchObject({ active: true });
  });

  it('keeps a credential sealed, opens it for its integration alone, and tells nobody of it', async () => {
    const { integrations, settings, sealer, logged, database, runner } = open();
    runner.verdict = ({ apiKey }) => ({ valid: false, error: `no such key: ${apiKey}` });
    const answers = [
      integrations.activate('provider_a', CREDENTIALS),
      integrations.rotate('provider_a', NEW),
      integrations.list(),
      await integrations.test('provider_a', CREDENTIALS),
      await integrations.test('provider_a', NEW),
    ];
    settings.change('provider_a', { pausedFor: 'credentials', pausedAt: 1 });
    const dump = JSON.stringify(database.all('SELECT * FROM provider_slots'));
    for (const secret of [CREDENTIALS.apiKey, NEW.apiKey])
      for (const text of [JSON.stringify(answers), dump, logged.join(), runner.calls.join()])
        expect(text).not.toContain(secret);
    const { sealedCredentials } = settings.get('provider_a');
    expect(settings.credentialsOf('provider_a', (text) => JSON.parse(text))).toEqual(NEW);
    expect(refused(() => sealer.open(sealedCredentials ?? '', 'integration provider_d'))).toBe('SEAL_BROKEN');
  });

  it('rotates a credential without stopping anything, and ends a pause that the old one was the reason of', () => {
    const { integrations, runner, settings } = open();
    integrations.activate('provider_a', CREDENTIALS);
    runner.calls.length = 0;
    integrations.rotate('provider_a', NEW);
    expect(runner.calls).toEqual(['credentials provider_a']);
    settings.change('provider_a', { pausedFor: 'credentials', pausedAt: 1 });
    expect(integrations.rotate('provider_a', NEW)).toMatchObject({ pausedReason: null });
    expect(runner.calls).toEqual(['credentials provider_a', 'credentials provider_a', CHANGES]);
    settings.change('provider_a', { pausedFor: 'errors', pausedAt: 1 });
    expect(integrations.rotate('provider_a', NEW)).toMatchObject({ pausedReason: 'errors' });
    expect(runner.calls.filter((call) => call === CHANGES)).toHaveLength(1);
  });

  it('tests a credential without keeping it, and says why where the source cannot be asked', async () => {
    const { integrations, runner, settings } = open();
    expect(await integrations.test('provider_a', CREDENTIALS)).toEqual({ valid: true, error: '' });
    expect(settings.get('provider_a').sealedCredentials).toBeNull();
    runner.verdict = () => {
      throw new AppError('SOURCE_LINE_DOWN', `no way to the provider with ${CREDENTIALS.apiKey}`);
    };
    expect(await integrations.test('provider_a', CREDENTIALS)).toEqual({
      valid: false,
      error: 'no way to the provider with …',
    });
    await expect(integrations.test('provider_b', CREDENTIALS)).rejects.toMatchObject({
      code: 'SLOT_NOT_CONFIGURED',
    });
  });

  it.each([
    ['is not active', { isActive: false }],
    ['is paused for its credential', { pausedFor: 'credentials', pausedAt: 1 }],
    ['is paused for its errors', { pausedFor: 'errors', pausedAt: 1 }],
  ] as const)('refuses a sync and a refresh of an integration that %s, and nothing runs', (_, change) => {
    const { integrations, runner, settings } = open();
    integrations.activate('provider_a', CREDENTIALS);
    settings.change('provider_a', change);
    runner.calls.length = 0;
    expect(refused(() => integrations.sync('provider_a', ALL))).toBe('SLOT_NOT_ACTIVE');
    expect(refused(() => integrations.refreshInvoice('provider_a', 'i-1'))).toBe('SLOT_NOT_ACTIVE');
    expect(integrations.get('provider_a').nextSyncAt).toBeNull();
    expect(runner.calls).toEqual([]);
  });

  it('syncs an integration that is toggled off when it is asked to, and never by itself', () => {
    const { integrations, runner } = open();
    integrations.activate('provider_a', CREDENTIALS);
    integrations.configure('provider_a', { syncEnabled: false });
    runner.calls.length = 0;
    integrations.sync('provider_a', ALL);
    expect(integrations.get('provider_a').nextSyncAt).toBeNull();
    integrations.rotate('provider_a', CREDENTIALS);
    expect(runner.calls.filter((call) => call === CHANGES)).toHaveLength(1);
  });

  it('syncs an integration whole, one resource of it, or anew, and refuses a resource that is none', () => {
    const { integrations, runner } = open();
    integrations.activate('provider_a', CREDENTIALS);
    runner.calls.length = 0;
    integrations.sync('provider_a', ALL);
    integrations.sync('provider_a', { full: true, resource: 'invoices' });
    expect(refused(() => integrations.sync('provider_a', { full: false, resource: 'x' }))).toBe(
      'RESOURCE_UNKNOWN',
    );
    expect(runner.calls).toEqual([CHANGES, 'queue provider_a full invoices']);
  });

  it('resumes: counter and pause are gone, a run is queued also where the schedule is off, nothing else changes', () => {
    const { integrations, runner, settings } = open();
    expect(refused(() => integrations.resume('provider_a'))).toBe('SLOT_NOT_ACTIVE');
    integrations.activate('provider_a', CREDENTIALS);
    const failure = {
      code: 'X',
      message: 'no',
      effect: 'fail',
      retryAfterMs: null,
      status: null,
    } as const;
    const failed = { outcome: 'failed', kind: null, failure, held: null } as const;
    for (let run = 0; run < 10; run += 1) settings.afterRun('provider_a', 'invoices', failed, 10);
    expect(integrations.get('provider_a')).toMatchObject({
      errorCount: 10,
      pausedReason: 'errors',
      nextSyncAt: null,
    });
    runner.calls.length = 0;
    integrations.resume('provider_a');
    expect(integrations.get('provider_a')).toMatchObject({
      errorCount: 0,
      pausedReason: null,
      active: true,
    });
    integrations.configure('provider_a', { syncEnabled: false });
    integrations.resume('provider_a');
    expect(runner.calls).toEqual([CHANGES, 'stop provider_a', CHANGES]);
  });

  it('gives provider_d no toggle, no lookback and no policy', () => {
    const { integrations, settings } = open();
    const before = settings.get('provider_d');
    for (const settings of [{ syncEnabled: false }, { invoiceLookbackDays: 30 }, { productMappingMode: 'x' }])
      expect(refused(() => integrations.configure('provider_d', settings))).toBe('SETTINGS_INVALID');
    expect(settings.get('provider_d')).toEqual(before);
  });

  it('keeps settings without a connector, but for the mapping policy', () => {
    const { integrations } = open();
    integrations.configure('provider_b', { invoiceLookbackDays: 45 });
    expect(integrations.get('provider_b').invoiceLookbackDays).toBe(45);
    expect(refused(() => integrations.configure('provider_b', { requireProductMappings: true }))).toBe(
      'MAPPING_POLICY_UNAVAILABLE',
    );
  });
});

describe('an integration that the service manages', () => {
  it('takes no setting and no mapping from here, and all of them again when it is ours', () => {
    const { integrations, settings } = open();
    integrations.replaceMappings('provider_a', [mapping('p-1')]);
    settings.change('provider_a', { managedBy: 'service' });
    const before = settings.get('provider_a');
    for (const change of [
      () => integrations.configure('provider_a', { syncEnabled: false }),
      () => integrations.replaceMappings('provider_a', []),
      () => integrations.removeMapping('provider_a', 'p-1'),
    ])
      expect(refused(change)).toBe('SLOT_MANAGED');
    expect(settings.get('provider_a')).toEqual(before);
    expect(integrations.mappings('provider_a')).toHaveLength(1);
    settings.change('provider_a', { managedBy: 'local' });
    integrations.removeMapping('provider_a', 'p-1');
    expect(integrations.mappings('provider_a')).toEqual([]);
  });
});

describe('mappings of an integration', () => {
  it('are kept whole with metadata and price, also by the next process', () => {
    const { integrations, database } = open();
    const whole = mapping('p-1', {
      internalId: PRODUCT,
      metadata: { name: 'Cut "short"', type: 'package', charge_type: 'once' },
      priceOverride: 0,
    });
    integrations.replaceMappings('provider_a', [mapping('p-2', { ignored: true }), whole]);
    database.close();
    const again = open(Database.open(database.path, MONEY_MIGRATIONS, '0.1.0'));
    expect(again.integrations.mappings('provider_a')).toEqual([
      { ...whole, product: { id: PRODUCT, name: 'Haircut' } },
      { ...mapping('p-2', { ignored: true }), product: null },
    ]);
    again.database.close();
  });

  it('name products of the service: an unknown id is refused where their list was read, and what is stored stays', () => {
    const database = aMoneyDatabase();
    const clock = new VirtualClock();
    let isRead = false;
    const productName = (id: string) => names[id] ?? null;
    const { integrations } = anIntegrationService(database, {
      clock,
      productName,
      hasProducts: () => isRead,
    });
    const [GONE, WRONG] = ['0198d000-0000-7000-8000-000000000077', '0198d000-0000-7000-8000-000000000078'];
    const replace = (...ids: string[]) =>
      integrations.replaceMappings(
        'provider_a',
        ids.map((internalId) => mapping(`p-${internalId.slice(-2)}`, { internalId })),
      );
    expect(replace(GONE)).toBe(1);
    isRead = true;
    expect(refused(() => replace(GONE, PRODUCT, WRONG))).toBe('SETTINGS_INVALID');
    expect(integrations.mappings('provider_a')).toHaveLength(1);
    expect(replace(GONE, PRODUCT)).toBe(2);
  });

  it('are replaced whole or not at all', () => {
    const { integrations } = open();
    integrations.replaceMappings('provider_a', [mapping('before')]);
    const twice = [mapping('one'), mapping('two'), mapping('one')];
    expect(refused(() => integrations.replaceMappings('provider_a', twice))).toBe('SETTINGS_INVALID');
    expect(integrations.mappings('provider_a').map(({ externalId }) => externalId)).toEqual(['before']);
    expect(integrations.replaceMappings('provider_a', [])).toBe(0);
    expect(integrations.mappings('provider_a')).toEqual([]);
  });

  it.each([
    [{ priceOverride: 1 }, false],
    [{ metadata: { charge_type: 'once' } }, false],
    [{ metadata: { charge_type: '' } }, false],
    [{ metadata: { charge_type: 'membership' }, priceOverride: 0 }, true],
    [{ metadata: { charge_type: 'free' } }, true],
    [{}, true],
  ])('of provider_d are memberships without money: %j is taken: %s', (more, taken) => {
    const { integrations } = open();
    const asked = [mapping('ok'), mapping('m-1', more)];
    expect(refused(() => integrations.replaceMappings('provider_d', asked))).toBe(
      taken ? 'not refused' : 'SETTINGS_INVALID',
    );
    expect(integrations.mappings('provider_d')).toHaveLength(taken ? 2 : 0);
    expect(integrations.replaceMappings('provider_a', asked)).toBe(2);
  });

  it('release what waits for them once they have come or changed, and nothing for what stays or is still open', () => {
    const { integrations, runner } = open();
    const mapped = mapping('p-1', { internalId: PRODUCT });
    integrations.replaceMappings('provider_a', [mapped, mapping('p-2'), mapping('p-3', { ignored: true })]);
    integrations.replaceMappings('provider_a', [mapped, mapping('p-2')]);
    integrations.replaceMappings('provider_a', [
      { ...mapped, priceOverride: 900 },
      mapping('p-2', { internalId: PRODUCT }),
    ]);
    integrations.replaceMappings('provider_b', [mapped]);
    expect(runner.calls).toEqual(['mappings provider_a p-1,p-3', 'mappings provider_a p-1,p-2']);
  });

  it('that are not required any more release every record that waits for one', () => {
    const { integrations, runner } = open();
    runner.parkedViews = [parked('i-1', 'p-7'), parked('i-2', null), parked('i-3', 'p-8')];
    integrations.configure('provider_a', { requireProductMappings: true });
    expect(runner.calls).toEqual([]);
    integrations.configure('provider_a', { invoiceLookbackDays: 30 });
    expect(runner.calls).toEqual([]);
    integrations.configure('provider_a', { requireProductMappings: false });
    expect(runner.calls).toEqual(['mappings provider_a p-7,p-8']);
  });

  it('are removed one by one, and one that is not there is said to be unknown', () => {
    const { integrations } = open();
    integrations.replaceMappings('provider_a', [mapping('p-1'), mapping('p-2')]);
    integrations.removeMapping('provider_a', 'p-1');
    expect(refused(() => integrations.removeMapping('provider_a', 'p-1'))).toBe('MAPPING_UNKNOWN');
    expect(integrations.mappings('provider_a')).toHaveLength(1);
  });

  it('are listed with the packages that have none: those of the provider, and those that records wait for', () => {
    const packages = [
      { externalId: 'p-1', name: 'Cut', codes: ['HC-1'] },
      { externalId: 'p-2', name: 'Colour', codes: [] },
    ];
    const { integrations, runner } = open(aMoneyDatabase(), packages);
    runner.parkedViews = [parked('i-1', 'p-9'), parked('i-2', 'p-2')];
    integrations.replaceMappings('provider_a', [mapping('p-2', { internalId: PRODUCT })]);
    expect(integrations.mappings('provider_a')).toEqual([
      { ...mapping('p-1', { metadata: { name: 'Cut' } }), product: null },
      { ...mapping('p-2', { internalId: PRODUCT }), product: { id: PRODUCT, name: 'Haircut' } },
      { ...mapping('p-9', { metadata: { name: 'Manicure' } }), product: null },
    ]);
  });

  it('that are open are named with how many records wait, those that hold up most first', () => {
    const { integrations, runner } = open();
    const many = Array.from({ length: 1200 }, (_, index) =>
      parked(`i-${String(index).padStart(5, '0')}`, 'p-9'),
    );
    runner.parkedViews = [...many, parked('j-1', 'p-8'), parked('j-2', null)];
    integrations.replaceMappings('provider_a', [
      mapping('p-1', { metadata: { name: 'Cut' } }),
      mapping('p-2', { ignored: true }),
      mapping('p-3', { internalId: PRODUCT }),
    ]);
    expect(integrations.unmapped('provider_a', 10)).toEqual([
      { externalId: 'p-9', name: 'Manicure', codes: ['MA-1'], waiting: 1200 },
      { externalId: 'p-8', name: null, codes: [], waiting: 1 },
      { externalId: 'p-1', name: 'Cut', codes: [], waiting: 0 },
    ]);
    expect(integrations.unmapped('provider_a', 1)).toHaveLength(1);
    expect(integrations.products()).toEqual([{ id: PRODUCT, name: 'Haircut', codes: ['p-3'] }]);
  });
});

describe('what people ask of the syncs', () => {
  it('is nothing where no connector serves the integration', async () => {
    const { integrations } = open();
    expect(integrations.streams('provider_b')).toEqual([]);
    expect(await integrations.parked('provider_b', null, 10, null)).toEqual([]);
    expect(integrations.statsByResource('provider_b')).toEqual({});
    expect(integrations.stats('provider_b')).toMatchObject({ runs: { '1h': 0 }, nextRunAt: null });
    expect(integrations.invoiceRefresh('provider_b', 'i-1')).toBeNull();
    expect(refused(() => integrations.approve('provider_b', 'invoices'))).toBe('SLOT_NOT_CONFIGURED');
  });

  it('is let go once, where something is held', () => {
    const { integrations, runner } = open();
    expect(refused(() => integrations.approve('provider_a', 'invoices'))).toBe('NOTHING_HELD');
    runner.heldResource = 'invoices';
    integrations.approve('provider_a', 'invoices');
    expect(refused(() => integrations.approve('provider_a', 'invoices'))).toBe('NOTHING_HELD');
    expect(runner.calls).toEqual(['approve provider_a invoices']);
  });

  it('as a dry run is read one at a time, and never for ever', async () => {
    const { integrations, runner, clock } = open();
    await expect(integrations.dryRun('provider_a', ALL)).rejects.toMatchObject({
      code: 'CREDENTIALS_MISSING',
    });
    integrations.activate('provider_a', CREDENTIALS);
    runner.dry = (signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
    const first = integrations.dryRun('provider_a', ALL);
    const ended = expect(first).rejects.toMatchObject({ code: 'DRY_RUN_TOO_LONG' });
    await expect(integrations.dryRun('provider_a', ALL)).rejects.toMatchObject({ code: 'DRY_RUN_BUSY' });
    await clock.advance(120_000);
    await ended;
    runner.dry = async () => [];
    expect(await integrations.dryRun('provider_a', ALL)).toEqual([]);
  });

  it('as a dry run says whose fault it is that there is none', async () => {
    const { integrations, runner } = open();
    integrations.activate('provider_a', CREDENTIALS);
    runner.dry = async () => {
      throw new AppError('SOURCE_UNAVAILABLE', 'no answer');
    };
    await expect(integrations.dryRun('provider_a', ALL)).rejects.toMatchObject({
      code: 'PROVIDER_FAILED',
      context: { details: { cause: 'source_unavailable' } },
    });
    await expect(integrations.dryRun('provider_a', { full: true, resource: 'x' })).rejects.toMatchObject({
      code: 'RESOURCE_UNKNOWN',
    });
  });
});
