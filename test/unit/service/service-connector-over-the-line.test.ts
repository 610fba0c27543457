import { describe, expect, it } from 'vitest';
import { service } from '../../../drivers/providers/service/manifest.ts';
import { silentLog } from '../../../src/base/log.ts';
import { sourceOverLine } from '../../../src/service/sync-source.ts';
import { SqliteMirrorReader } from '../../../src/store/mirror/sqlite-mirror-reader.ts';
import { aService, HASTY } from '../../support/service-sinks.ts';
import { CREDENTIALS } from '../../support/source-context.ts';
import { aMirror, anEngine, aStream } from '../../support/sync.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const never = new AbortController().signal;

async function stage(scopes?: readonly string[]) {
  const at = await aService({
    catalogue: { invoices: 230, products: 130 },
    ...(scopes ? { keys: [{ key: 'rk_sandbox_of_the_sinks', scopes }] } : {}),
  });
  const connector = (await service.configure({ lists: ['invoices', 'products'] })).connect({
    credentials: { ...CREDENTIALS, apiKey: '', baseUrl: '' },
    http: sourceOverLine(at.line),
    files: () => Promise.reject(new Error('no folder')),
    readFile: () => Promise.reject(new Error('no folder')),
    clock: HASTY,
    log: silentLog,
  });
  const database = aMirror();
  const engine = anEngine(database, new VirtualClock(), { clock: HASTY });
  const run = (resource: string) => {
    const manifest = connector.resources.find(({ name }) => name === resource);
    if (!manifest) throw new Error(`no ${resource}`);
    return engine.run(
      aStream(connector, { stream: { integration: 'provider_b', resource }, manifest }),
      never,
    );
  };
  const rows = (resource: string) => {
    const reader = new SqliteMirrorReader(database);
    return reader.list({ integration: 'provider_b', resource }, null, 1_000).length;
  };
  return { at, connector, run, rows };
}

describe('the mirror of the service over its own line', () => {
  it('reads whole lists with the key of the link, and no other', async () => {
    const { run, rows, connector } = await stage();
    expect(await run('invoices')).toMatchObject({ outcome: 'complete' });
    expect(await run('products')).toMatchObject({ outcome: 'complete' });
    expect([rows('invoices'), rows('products')]).toEqual([230, 130]);
    expect(await connector.test(never)).toEqual({ valid: true, error: '' });
  });

  it('waits where the key may not read a list, and pauses nothing', async () => {
    const { run, rows, connector } = await stage(['products:read']);
    expect(await run('invoices')).toMatchObject({
      outcome: 'waiting',
      failure: { code: 'SOURCE_NOT_READY', effect: 'wait' },
    });
    expect(await run('products')).toMatchObject({ outcome: 'complete' });
    expect([rows('invoices'), rows('products')]).toEqual([0, 130]);
    expect(await connector.test(never)).toMatchObject({ valid: false });
  });

  it('waits what a 429 asks for, and goes on where it was', async () => {
    const { at, run, rows } = await stage();
    at.service.control.behave({ status: { code: 429, times: 2, retry_after_s: 1 } });
    expect(await run('invoices')).toMatchObject({ outcome: 'complete' });
    expect(rows('invoices')).toBe(230);
  });
});
