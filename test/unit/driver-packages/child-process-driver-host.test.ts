import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { zvt } from '../../../drivers/terminals/zvt/manifest.ts';
import { AppError } from '../../../src/base/errors.ts';
import { type Log, type LogFields, silentLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import type { DriverContext, TerminalDriver } from '../../../src/terminal/ports.ts';
import { eventually } from '../../support/daemon.ts';
import { packagesFolder, startHost } from '../../support/driver-packages/hosts.ts';
import { sectionOf, writePackage } from '../../support/driver-packages/write-package.ts';
import { memoryLinkPair } from '../../support/memory-link.ts';

const SCRIPTED = readFileSync(
  join(import.meta.dirname, '../../support/driver-packages/scripted-driver.js'),
  'utf8',
);
/** The scripted driver, which ends its process when it is asked to be ready so. */
const FRAGILE = SCRIPTED.replace(
  'const READINESS = {',
  `const READINESS = {
  fails: () => new Promise(() => setTimeout(() => { throw new Error('planted'); }, 1)),`,
);
const never = new AbortController().signal;

function install(text = FRAGILE) {
  const folder = packagesFolder();
  writePackage(folder, 'fragile', sectionOf(zvt, 'fragile'), { 'driver.js': text });
  const failures: LogFields[] = [];
  const log: Log = { ...silentLog, error: (fields) => void failures.push(fields) };
  return { ...startHost(folder, 'fragile', log), failures };
}

async function open(driver: TerminalDriver, readiness: string) {
  const { ours, theirs } = memoryLinkPair();
  const context: DriverContext = {
    deviceId: 'counter-1',
    currency: 'EUR',
    options: { readiness },
    clock: systemClock,
    log: silentLog,
    transcript: { record: () => undefined },
    dial: () => Promise.reject(new AppError('LINK_REFUSED', 'no connection')),
    openBeside: () => Promise.reject(new AppError('LINK_REFUSED', 'no connection')),
  };
  return { session: await driver.open(ours, context, never), ours, theirs };
}

describe('the process of a driver package', () => {
  it('that ends, ends all its sessions and their links, and is started again', async () => {
    const { driver, failures } = install();
    const hosted = await driver();
    const [failing, other] = [await open(hosted, 'fails'), await open(hosted, 'ready')];
    const waiting = await open(hosted, 'never');
    const asked = waiting.session.readiness(never);
    await expect(failing.session.readiness(never)).rejects.toMatchObject({ code: 'DRIVER_FAULT' });
    await expect(asked).rejects.toMatchObject({ code: 'DRIVER_FAULT' });
    await expect(other.session.identify(never)).rejects.toMatchObject({ code: 'DRIVER_FAULT' });
    for (const { ours } of [failing, other, waiting])
      expect(await ours.closed).toMatchObject({ reason: 'closed_by_us' });
    expect(failures).toMatchObject([
      { package: 'fragile', reason: 'failed: planted (driver guide: package.md)', pause_ms: 1000 },
    ]);
    const again = await eventually(() => open(hosted, 'ready').catch(() => undefined), 10_000);
    expect(await again.session.identify(never)).toMatchObject({ grade: 'port' });
  }, 30_000);

  it('is started again after pauses that grow, and refuses terminals during them', async () => {
    const { driver, failures } = install();
    const hosted = await driver();
    for (const pauseMs of [1000, 2000]) {
      const { session } = await eventually(() => open(hosted, 'fails').catch(() => undefined), 20_000);
      await session.readiness(never).catch(() => undefined);
      await eventually(() => failures.at(-1)?.['pause_ms'] === pauseMs, 5000);
      await expect(open(hosted, 'ready')).rejects.toMatchObject({ code: 'DRIVER_FAULT', retry: 'safe' });
    }
  }, 40_000);

  it('that does not load its package says why', async () => {
    const { driver, failures } = install('export const driver = 1;');
    await expect(open(await driver(), 'ready')).rejects.toThrow(/neither a driver nor a manifest/);
    expect(failures).toMatchObject([{ reason: expect.stringContaining('neither a driver') }]);
  }, 20_000);

  it('ends with its host', async () => {
    const { child, driver } = install();
    await open(await driver(), 'ready');
    expect([...child.rssBytes().values()][0]).toBeGreaterThan(10_000_000);
    child.stop();
    await expect(open(await driver(), 'ready')).rejects.toMatchObject({ code: 'DRIVER_FAULT' });
    expect([...child.rssBytes().values()]).toEqual([0]);
  }, 20_000);
});
