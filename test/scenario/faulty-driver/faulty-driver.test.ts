import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEVICE_ID } from '../../support/attempts.ts';
import { aWorld, Daemon, eventually } from '../../support/daemon.ts';
import { Till } from '../../support/till.ts';
import { FAULTS } from './preload.ts';

const PRELOAD = join(import.meta.dirname, 'preload.ts');

interface Paid {
  readonly status: string;
  readonly charged: string;
}

/** Takes a payment, and waits until it is known what became of it. */
async function sell(till: Till, minor: number): Promise<Paid> {
  const sale = { device_id: DEVICE_ID, amount_minor: minor, currency: 'EUR' };
  const key = { 'idempotency-key': `key-${minor}` };
  const created = await eventually(async () => {
    const reply = await till.ask('POST', '/terminal-payments', sale, key);
    return reply.status === 201 && reply.body.data;
  }, 20_000);
  return eventually(async () => {
    const { data } = (await till.ask('GET', `/terminal-payments/${created.id}`)).body;
    return data.charged !== 'unknown' && data;
  }, 30_000);
}

describe('a driver that fails where nothing catches it', () => {
  it.each(['rejection', 'timer'] as const)(
    '(%s) ends its own session: the daemon lives, and finds out what became of the payment',
    async (fault) => {
      const world = await aWorld({ autopilotMs: 600 });
      const daemon = await Daemon.start(world, 0, [PRELOAD]);
      const till = await Till.at(daemon);
      const ended = await sell(till, FAULTS[fault]);
      const charges = world.terminal
        .snapshot()
        .ledger.filter(({ amountMinor, result }) => amountMinor === FAULTS[fault] && result === 'approved');
      expect(ended.charged).toBe(charges.length === 1 ? 'yes' : 'no');
      expect(daemon.log).toContain('planted');
      expect(await sell(till, 2_000)).toMatchObject({ status: 'succeeded', charged: 'yes' });
    },
    60_000,
  );

  it('before it has sent anything leaves a doubt, as every unclear end does, and the daemon lives', async () => {
    const daemon = await Daemon.start(await aWorld(), 0, [PRELOAD]);
    const till = await Till.at(daemon);
    const sale = { device_id: DEVICE_ID, amount_minor: FAULTS.throws, currency: 'EUR' };
    const { id } = (await till.ask('POST', '/terminal-payments', sale, { 'idempotency-key': 'throws' })).body
      .data;
    const seen = () => till.ask('GET', `/terminal-payments/${id}`);
    await eventually(async () => (await seen()).body.data.in_doubt, 10_000);
    expect((await seen()).body.data).toMatchObject({ charged: 'unknown' });
  }, 60_000);

  it('or holds the event loop is named in the log, and the payment goes on', async () => {
    const daemon = await Daemon.start(await aWorld({ autopilotMs: 600 }), 0, [PRELOAD]);
    const till = await Till.at(daemon);
    expect(await sell(till, FAULTS.busy)).toMatchObject({ status: 'succeeded', charged: 'yes' });
    const line = daemon.log.split('\n').find((text) => text.includes('driver held the event loop'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ device: DEVICE_ID, blocked_ms: expect.any(Number) });
  }, 60_000);

  it('while it is idle is connected again, and sells', async () => {
    const world = await aWorld({ autopilotMs: 200 });
    const daemon = await Daemon.start(world, 0, [PRELOAD]);
    const till = await Till.at(daemon);
    expect(await sell(till, FAULTS.idle)).toMatchObject({ status: 'succeeded' });
    await eventually(() => daemon.log.includes('driver failed: its session is ended'), 10_000);
    expect(await sell(till, 2_000)).toMatchObject({ status: 'succeeded' });
  }, 60_000);
});
