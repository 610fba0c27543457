import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { makeAuthority, type PemPair } from '../../../src/certificates/authority.ts';
import { ShopCertificate, type ShopTls } from '../../../src/certificates/shop-certificate.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 10, 26);

function aShop(kept: PemPair | null = null, start = START) {
  const world = { now: start, addresses: ['192.168.1.20'] as readonly string[], kept };
  const certificate = new ShopCertificate({
    name: 'shop',
    place: {
      read: () => world.kept,
      keep: (authority) => {
        world.kept = authority;
      },
    },
    addresses: () => world.addresses,
    clock: { now: () => world.now },
    log: silentLog,
  });
  return { world, certificate };
}

function serialOf(tls: ShopTls | null): string | undefined {
  return tls?.server.cert && new X509Certificate(tls.server.cert).serialNumber;
}

describe('the certificate of a shop', () => {
  it('is issued once, by an authority that is made once and kept', async () => {
    const { world, certificate } = aShop();
    const first = await certificate.renewed();
    expect(first?.authority).toBe(world.kept?.cert);
    expect(await certificate.renewed()).toBeNull();
    const next = await aShop(world.kept).certificate.renewed();
    expect(next?.authority).toBe(first?.authority);
    expect(serialOf(next)).not.toBe(serialOf(first));
  });

  it('is issued anew 30 days before its end, and not a day sooner', async () => {
    const { world, certificate } = aShop();
    await certificate.renewed();
    world.now = START + 366 * DAY_MS;
    expect(await certificate.renewed()).toBeNull();
    world.now = START + 367 * DAY_MS;
    const next = await certificate.renewed();
    const until = new X509Certificate(next?.server.cert ?? '').validToDate.getTime();
    expect((until - world.now) / DAY_MS).toBeCloseTo(397, 1);
  });

  it('is issued anew with the addresses of the machine, whatever their order, and without those of other networks', async () => {
    const { world, certificate } = aShop();
    await certificate.renewed();
    world.addresses = ['8.8.8.8', '192.168.1.20'];
    expect(await certificate.renewed()).toBeNull();
    world.addresses = ['192.168.1.21', '10.0.0.4'];
    expect((await certificate.renewed())?.addresses).toEqual(['10.0.0.4', '192.168.1.21']);
  });

  it('is issued anew after the clock was set back, and not by a clock of 1970', async () => {
    const { world, certificate } = aShop();
    await certificate.renewed();
    world.now = START - 1.5 * DAY_MS;
    await expect(certificate.renewed()).rejects.toMatchObject({ code: 'CLOCK_WRONG' });
    world.now = 0;
    await expect(certificate.renewed()).rejects.toMatchObject({ code: 'CLOCK_WRONG' });
    const lost = aShop(null, 0);
    await expect(lost.certificate.renewed()).rejects.toMatchObject({ code: 'CLOCK_WRONG' });
    expect(lost.world.kept).toBeNull();
    lost.world.now = START;
    expect(await lost.certificate.renewed()).not.toBeNull();
  });

  it('at the end of its authority the last one stays, and is not made again at each look', async () => {
    const { world, certificate } = aShop(await makeAuthority('shop', START));
    world.now = START + 3_640 * DAY_MS;
    await certificate.renewed();
    world.now += DAY_MS;
    expect(await certificate.renewed()).toBeNull();
  });
});
