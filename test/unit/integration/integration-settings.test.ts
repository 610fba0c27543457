import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { Failure } from '../../../src/integration/failure/failure.ts';
import { errorCount, mayRun } from '../../../src/integration/integration.ts';
import { IntegrationSettings } from '../../../src/integration/settings/integration-settings.ts';
import { Database } from '../../../src/store/database.ts';
import { SqliteIntegrationStore } from '../../../src/store/integrations/sqlite-integration-store.ts';
import { MONEY_MIGRATIONS } from '../../../src/store/schema/migrations.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { aSealer } from '../../support/webhooks.ts';

const CREDENTIALS = {
  apiKey: 'very secret',
  baseUrl: 'https://shop.example',
  appName: 'till',
  appEmail: 'a@b.example',
};

function integrationSettings(database = aMoneyDatabase(), sealer = aSealer()) {
  let made = 0;
  const newId = () => {
    made += 1;
    return `id ${made}`;
  };
  const store = new SqliteIntegrationStore(database, newId);
  return {
    database,
    store,
    settings: new IntegrationSettings({ store, sealer, clock: new VirtualClock(), log: silentLog }),
  };
}

function failed(effect: Failure['effect']) {
  const failure = { code: 'SOURCE_X', message: 'no', effect, retryAfterMs: null, status: null };
  return { outcome: 'failed', kind: null, failure, held: null } as const;
}
const COMPLETE = { outcome: 'complete', kind: 'changes', failure: null, held: null } as const;

describe('slots', () => {
  it('are always four, inactive until somebody says otherwise, with ids that stay', () => {
    const { database, settings } = integrationSettings();
    const first = settings.all();
    expect(first.map(({ name, isActive }) => [name, isActive])).toEqual([
      ['provider_a', false],
      ['provider_b', false],
      ['terminal', false],
      ['provider_d', false],
    ]);
    expect(integrationSettings(database).settings.all()).toEqual(first);
  });

  it('are paused by ten failed runs of one resource in a row, though another resource works', () => {
    const { settings, store } = integrationSettings();
    settings.change('provider_a', { isActive: true });
    for (let run = 0; run < 9; run += 1) {
      settings.afterRun('provider_a', 'invoices', failed('fail'), 10);
      settings.afterRun('provider_a', 'customers', COMPLETE, 10);
    }
    expect(mayRun(settings.get('provider_a'))).toBe(true);
    settings.afterRun('provider_a', 'invoices', failed('retry'), 10);
    expect(settings.get('provider_a').pausedFor).toBe('errors');
    expect(errorCount(store.errorsOf('provider_a'))).toBe(10);
  });

  it('count nothing for a line that is down, and pause at once for a refused credential', () => {
    const { settings, store } = integrationSettings();
    for (let run = 0; run < 20; run += 1) settings.afterRun('provider_b', 'invoices', failed('wait'), 10);
    expect(store.errorsOf('provider_b')).toEqual([]);
    settings.afterRun('provider_b', 'invoices', failed('pause'), 10);
    expect(settings.get('provider_b').pausedFor).toBe('credentials');
  });

  it('keep counter and pause when the process dies, and lose both with a resume alone', () => {
    const { database, settings } = integrationSettings();
    for (let run = 0; run < 10; run += 1) settings.afterRun('provider_a', 'invoices', failed('fail'), 10);
    database.close();
    const again = integrationSettings(Database.open(database.path, MONEY_MIGRATIONS, '0.1.0'));
    expect(again.settings.get('provider_a').pausedFor).toBe('errors');
    again.settings.resume('provider_a');
    expect(again.settings.get('provider_a').pausedFor).toBeNull();
    expect(again.store.errorsOf('provider_a')).toEqual([]);
    again.database.close();
  });

  it('begin their count anew with a complete run', () => {
    const { settings, store } = integrationSettings();
    settings.afterRun('provider_a', 'invoices', failed('fail'), 10);
    settings.afterRun('provider_a', 'invoices', COMPLETE, 10);
    expect(store.errorsOf('provider_a')).toEqual([]);
  });

  it('keep credentials that nobody can read without the key', () => {
    const { database, settings } = integrationSettings();
    settings.keepCredentials('provider_a', CREDENTIALS);
    expect(JSON.stringify(database.all('SELECT * FROM provider_slots'))).not.toContain('very secret');
    expect(settings.credentialsOf('provider_a', (text) => JSON.parse(text))).toEqual(CREDENTIALS);
  });

  it('replace mappings as a whole and say which products have one now', () => {
    const { settings, store } = integrationSettings();
    const mapping = (externalId: string, internalId: string | null) => ({
      externalId,
      internalId,
      isIgnored: false,
      metadata: '{}',
    });
    settings.all();
    expect(settings.replaceMappings('provider_a', [mapping('b', 'x'), mapping('a', null)])).toEqual(['b']);
    expect(settings.replaceMappings('provider_a', [mapping('a', 'y')])).toEqual(['a']);
    expect(store.mappingsOf('provider_a')).toEqual([mapping('a', 'y')]);
  });
});
