import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { linkOf, Till } from '../support/till.ts';

const LIVE = 'rk_live_9fX2secretSecretSecret00';
const GOOD = 'rk_sandbox_daemon_under_test';

function put(world: World, key: string): void {
  writeFileSync(join(world.folder, 'state', 'credentials', 'service-key'), key, { mode: 0o600 });
}

async function start(world: World): Promise<string> {
  try {
    await Daemon.start(world);
    return 'it started';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('a key of another environment', () => {
  it('is refused at the start in words that name its file and do not repeat it', async () => {
    const world = await aWorld();
    put(world, LIVE);
    const words = await start(world);
    expect(words).toContain('ended with 2');
    expect(words).toContain('credentials/service-key holds a key that begins with rk_live_');
    expect(words).toContain('rk_sandbox_, or change "service.environment"');
    expect(words).not.toContain('9fX2');
  });

  it('that takes the place of a good one is never sent; the good one is used again within seconds, without a restart', async () => {
    const world = await aWorld({ autopilotMs: 50 });
    const daemon = await Daemon.start(world);
    const till = await Till.at(daemon);
    await eventually(async () => (await linkOf(daemon)).state === 'online', 60_000);
    put(world, LIVE);
    await eventually(async () => (await linkOf(daemon)).code === 'key', 60_000);
    const sale = { device_id: DEVICE_ID, amount_minor: 100, currency: 'EUR' };
    const { id } = (await till.ask('POST', '/terminal-payments', sale)).body.data;
    await eventually(
      async () => (await till.ask('GET', `/terminal-payments/${id}`)).body.data.charged === 'yes',
      60_000,
    );
    expect(world.service.control.ledger()).toEqual([]);
    expect(daemon.log).not.toContain('9fX2');
    put(world, GOOD);
    await eventually(
      () => world.service.control.ledger().find((line) => line['status'] === 'succeeded'),
      60_000,
    );
    expect((await linkOf(daemon)).state).toBe('online');
  });

  it('that is gone, or was revoked, stops reports and no sale; a new one is used within seconds', async () => {
    const world = await aWorld({ autopilotMs: 50 });
    const daemon = await Daemon.start(world);
    const till = await Till.at(daemon);
    rmSync(join(world.folder, 'state', 'credentials', 'service-key'));
    await eventually(async () => (await linkOf(daemon)).code === 'key');
    const [made] = world.service.control.keys.list('all');
    world.service.control.keys.revoke(String(made?.['id']));
    put(world, GOOD);
    const sale = { device_id: DEVICE_ID, amount_minor: 100, currency: 'EUR' };
    await till.ask('POST', '/terminal-payments', sale);
    await eventually(() => daemon.log.includes('reporting stopped: the service does not accept our key'));
    expect((await linkOf(daemon)).code).toBe('key');
    const fresh = world.service.control.keys.create({
      name: 'new',
      scopes: ['payments:read', 'payments:write', 'webhooks:read'],
    });
    put(world, String(fresh['key']));
    await eventually(
      () => world.service.control.ledger().find((line) => line['status'] === 'succeeded'),
      60_000,
    );
  });
});

describe('a mock of the service', () => {
  it('gets no payment and gives none, and the status says so', async () => {
    const world = await aWorld({ autopilotMs: 50 }, {}, { environment: 'mock' });
    const daemon = await Daemon.start(world);
    const till = await Till.at(daemon);
    const sale = { device_id: DEVICE_ID, amount_minor: 100, currency: 'EUR' };
    const { id } = (await till.ask('POST', '/terminal-payments', sale)).body.data;
    await eventually(
      async () => (await till.ask('GET', `/terminal-payments/${id}`)).body.data.charged === 'yes',
      60_000,
    );
    expect(await linkOf(daemon)).toMatchObject({
      state: 'off',
      environment: 'mock',
      reason: expect.stringContaining('mock'),
    });
    expect(world.service.control.ledger()).toEqual([]);
  });
});
