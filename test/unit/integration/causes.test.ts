import { describe, expect, it } from 'vitest';
import type { LogFields } from '../../../src/base/log.ts';
import { silentLog } from '../../../src/base/log.ts';
import { aProviderShop, aResource, INTEGRATION } from '../../support/provider-shop.ts';
import { CREDENTIALS } from '../../support/source-context.ts';

const MINUTE = 60_000;
const DENIED = {
  status: 403,
  body: { errors: [{ message: 'You don\'t have permission to access collection "invoices".' }] },
};

describe('a credential that may not read one resource', () => {
  async function aShop() {
    const shop = await aProviderShop({
      resources: { customers: aResource('customers'), invoices: aResource('invoices') },
    });
    shop.server.rows.set('customers', [{ id: 1, updated_at: Date.now() - MINUTE }]);
    shop.server.instead = ({ resource }) => (resource === 'invoices' ? DENIED : undefined);
    await shop.start();
    return shop;
  }

  it('pauses that one and no other, and says what the credential lacks', async () => {
    const shop = await aShop();
    expect(shop.settings.get(INTEGRATION).pausedFor).toBeNull();
    const lacks =
      /may not read http:\/\/127\.0\.0\.1:\d+\/invoices \(status 403\).*permission to access collection/;
    expect(shop.view('invoices')).toMatchObject({ isPaused: true, nextRunAt: null });
    expect(shop.view('invoices').lastError).toMatch(lacks);
    expect(shop.view('customers')).toMatchObject({ isPaused: false, rows: 1 });
    const asked = (name: string) => shop.server.asked.filter(({ resource }) => resource === name).length;
    const [customers, invoices] = [asked('customers'), asked('invoices')];
    for (let run = 0; run < 12; run += 1) {
      shop.pass(6 * MINUTE);
      await shop.quiet();
    }
    expect(asked('invoices')).toBe(invoices);
    expect(asked('customers')).toBeGreaterThan(customers + 11);
    expect(shop.settings.get(INTEGRATION).pausedFor).toBeNull();
  });

  it('goes on when a person asks for it and the permission is there', async () => {
    const shop = await aShop();
    shop.server.instead = () => undefined;
    expect(await shop.run('invoices')).toMatchObject({ outcome: 'complete' });
    expect(shop.view('invoices')).toMatchObject({ isPaused: false, lastError: null });
    expect(shop.view('invoices').nextRunAt).not.toBeNull();
  });
});

describe('the first cause of a failed run', () => {
  it('is the status, words and address of the provider, without its secrets, also when the breaker is open', async () => {
    const lines: { readonly fields: LogFields; readonly message: string }[] = [];
    const failures: unknown[] = [];
    const note = (fields: LogFields, message: string) => void lines.push({ fields, message });
    const log = { ...silentLog, warn: note, error: note, child: () => log };
    const shop = await aProviderShop({
      resources: { customers: aResource('customers') },
      recipe: { auth: { type: 'query', name: 'key' } },
      log,
      ended: (_stream, report) => void failures.push('failure' in report ? report.failure : null),
      http: { breaker: { minRequests: 3, resetMs: 60_000 } },
    });
    const body = { message: `the database of the shop is in maintenance, ${CREDENTIALS.apiKey}` };
    shop.server.instead = () => ({ status: 503, body });
    await shop.start();
    const shown = [
      shop.view('customers').lastError,
      shop.view('customers').run?.message,
      JSON.stringify(lines),
    ];
    for (const text of shown) {
      expect(text).toMatch(/status 503/);
      expect(text).toMatch(/in maintenance/);
      expect(text).toMatch(/http:\/\/127\.0\.0\.1:\d+\/customers/);
      expect(text).not.toMatch(/failed too often/);
      expect(text).not.toContain(CREDENTIALS.apiKey);
    }
    expect(shop.view('customers').firstFailure).toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    expect(failures).toMatchObject([{ code: 'SOURCE_UNAVAILABLE', status: 503 }]);
  }, 60_000);

  it('is the error of the connection where no answer came', async () => {
    const shop = await aProviderShop({
      resources: { customers: aResource('customers') },
      http: { breaker: { minRequests: 3, resetMs: 60_000 } },
    });
    await shop.server.stop();
    await shop.start();
    expect(shop.view('customers').lastError).toMatch(/refused.*http:\/\/127\.0\.0\.1:\d+\/customers/i);
  }, 60_000);
});

describe('a finished run', () => {
  it('is one line in the log and an entry in the list of runs, newest first', async () => {
    const lines: { readonly fields: LogFields; readonly message: string }[] = [];
    const log = {
      ...silentLog,
      info: (fields: LogFields, message: string) => void lines.push({ fields, message }),
      child: () => log,
    };
    const resources = { customers: aResource('customers'), invoices: aResource('invoices') };
    const shop = await aProviderShop({ resources, log });
    shop.server.rows.set('customers', [{ id: 1, updated_at: Date.now() - MINUTE }]);
    shop.server.instead = ({ resource }) => (resource === 'invoices' ? DENIED : undefined);
    await shop.start();
    const runs = lines.filter(({ message }) => message === 'sync run ended').map(({ fields }) => fields);
    expect(runs).toMatchObject([
      { stream: 'provider_a/customers', outcome: 'complete', read: 1, created: 1, cause: null },
      { stream: 'provider_a/invoices', outcome: 'failed', read: 0, cause: 'SOURCE_FORBIDDEN' },
    ]);
    for (const { ms } of runs) expect(ms).toBeGreaterThanOrEqual(0);
    const [newest, oldest] = shop.runner.runs(INTEGRATION, null, 10);
    expect([newest?.resource, oldest?.resource]).toEqual(['invoices', 'customers']);
    expect(shop.runner.runs(INTEGRATION, newest?.no ?? null, 10)).toEqual([oldest]);
  });
});
