import type { X509Certificate } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { authorityFile, authorityPlace } from '../../../src/agent/authority-place.ts';
import { serveLan } from '../../../src/agent/lan.ts';
import type { RunningLan } from '../../../src/api/lan/listen-lan.ts';
import { silentLog } from '../../../src/base/log.ts';
import { Lifecycle } from '../../../src/runtime/lifecycle.ts';
import { aFolder } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { startShop } from '../api/shop.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

describe('serving the network of the shop', () => {
  let clock: VirtualClock;
  let world: { addresses: readonly string[]; running: RunningLan | null; readonly errors: string[] };
  let credentials: string;
  let lifecycle: Lifecycle;
  beforeEach(() => {
    // A certificate of then has another month now.
    clock = new VirtualClock(Date.now() - 366.9 * DAY_MS);
    world = { addresses: [], running: null, errors: [] };
    credentials = join(aFolder(), 'credentials');
    lifecycle = new Lifecycle(silentLog);
  });

  async function serve(port = 0) {
    const { api } = await startShop();
    onTestFinished(() => api.stop());
    onTestFinished(() => lifecycle.stop());
    const listenLan: typeof api.listenLan = async (lan) => {
      world.running = await api.listenLan(lan);
      return world.running;
    };
    serveLan({
      lan: { name: 'shop', host: '127.0.0.1', port },
      place: authorityPlace(credentials, 'shop'),
      api: { listenLan },
      addresses: () => world.addresses,
      clock,
      log: { ...silentLog, error: (facts) => world.errors.push(JSON.stringify(facts)) },
      lifecycle,
    });
    return api;
  }

  /** Until real work beside the clock is done. */
  async function until(holds: () => boolean): Promise<void> {
    for (let looks = 0; looks < 500 && !holds(); looks += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(holds()).toBe(true);
  }

  /** The certificate that a client which trusts the authority alone is shown. */
  function shown(): Promise<X509Certificate> {
    const authority = authorityPlace(credentials, 'shop').read();
    const port = Number(new URL(world.running?.url ?? '').port);
    return new Promise((resolve, reject) => {
      const at = { host: '127.0.0.1', port, servername: 'shop.local', ca: authority?.cert ?? '' };
      const socket = connect(at, () => {
        const certificate = socket.getPeerX509Certificate();
        socket.destroy();
        if (certificate) resolve(certificate);
        else reject(new Error('no certificate'));
      });
      socket.once('error', reject);
    });
  }

  it('keeps the authority for the user of the daemon alone', async () => {
    await serve();
    await until(() => world.running !== null);
    expect(statSync(authorityFile(credentials, 'shop')).mode & 0o777).toBe(0o600);
    expect(statSync(credentials).mode & 0o777).toBe(0o700);
  });

  it('renews a certificate before its end, and for other addresses, without a restart', async () => {
    await serve();
    await until(() => world.running !== null);
    const first = await shown();
    await clock.advance(MINUTE_MS);
    expect((await shown()).serialNumber).toBe(first.serialNumber);
    clock.jumpWallClock(367.05 * DAY_MS);
    await clock.advance(MINUTE_MS);
    await until(() => clock.pending.includes('lan'));
    const next = await shown();
    expect(next.serialNumber).not.toBe(first.serialNumber);
    expect(next.validToDate.getTime()).toBeGreaterThan(Date.now() + 390 * DAY_MS);
    world.addresses = ['192.168.1.20'];
    await clock.advance(MINUTE_MS);
    await until(() => clock.pending.includes('lan'));
    expect((await shown()).subjectAltName).toBe('DNS:shop.local, IP Address:192.168.1.20');
  });

  it('waits for a clock that is right, and makes no authority by a wrong one', async () => {
    clock = new VirtualClock(0);
    await serve();
    await until(() => world.errors.length === 1);
    expect(world.errors[0]).toContain('1970');
    expect(authorityPlace(credentials, 'shop').read()).toBeNull();
    clock.jumpWallClock(Date.now());
    await until(() => clock.pending.includes('lan'));
    await clock.advance(10_000);
    await until(() => world.running !== null);
    expect((await shown()).subject).toBe('CN=shop.local');
  });

  it('waits for a port that another program has, and says so once', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    await serve(address !== null && typeof address === 'object' ? address.port : 0);
    await until(() => world.errors.length === 1 && clock.pending.includes('lan'));
    await clock.advance(10_000);
    await until(() => clock.pending.includes('lan'));
    expect(world.errors).toHaveLength(1);
    await new Promise((resolve) => other.close(resolve));
    await clock.advance(10_000);
    await until(() => world.running !== null);
  });

  it('never puts another authority in the place of one that it cannot read', async () => {
    const place = authorityPlace(credentials, 'shop');
    place.keep({ key: 'nonsense', cert: 'nonsense' });
    writeFileSync(authorityFile(credentials, 'shop'), 'nonsense');
    await serve();
    await until(() => world.errors.length === 1);
    expect(world.errors[0]).toContain('does not hold a private key and a certificate');
    expect(() => place.read()).toThrow(/does not hold/);
    expect(world.running).toBeNull();
  });

  it('looks no more once it was stopped', async () => {
    await serve();
    await until(() => clock.pending.includes('lan'));
    await lifecycle.stop();
    expect(clock.pending).not.toContain('lan');
  });
});
