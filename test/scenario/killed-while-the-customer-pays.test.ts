import { describe, expect, it } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { Till } from '../support/till.ts';

const SALE = { device_id: DEVICE_ID, amount_minor: 1234, currency: 'EUR' };

/** The day's first sale, of 1.00: an empty terminal could not tell "nothing stored" from a close of its own. */
async function firstSale(world: World, till: Till): Promise<void> {
  const { id } = (await till.ask('POST', '/terminal-payments', { ...SALE, amount_minor: 100 })).body.data;
  await eventually(() => world.terminal.snapshot().screen.startsWith('Present card'));
  world.terminal.press('approve');
  await eventually(
    async () => (await till.ask('GET', `/terminal-payments/${id}`)).body.data.status === 'succeeded',
  );
}

/** Kills the daemon while the terminal waits for a card; the terminal and the service go on. */
async function killedWhilePaying(world: World): Promise<{ till: Till; id: string }> {
  const daemon = await Daemon.start(world);
  const till = await Till.at(daemon);
  await firstSale(world, till);
  const { id } = (await till.ask('POST', '/terminal-payments', SALE)).body.data;
  await eventually(() => world.terminal.snapshot().screen.startsWith('Present card'));
  await eventually(
    async () => (await till.ask('GET', `/terminal-payments/${id}`)).body.data.progress !== null,
  );
  await daemon.kill();
  return { till, id };
}

const scenarios = [
  ['approve', 'keep', 'succeeded', 'yes', 1],
  ['approve', 'reverse', 'error', 'no', 0],
  ['approve', 'decline', 'error', 'no', 0],
  ['decline', 'keep', 'error', 'no', 0],
  ['abort', 'keep', 'error', 'no', 0],
] as const;

describe('a daemon that is killed while the customer pays', () => {
  it.each(scenarios)(
    'and a customer who will %s on a terminal that would %s: ends %s after the next start, reported once',
    async (key, missingAcknowledgement, status, charged, standing) => {
      const world = await aWorld({ autopilot: 'off', missingAcknowledgement });
      const { till, id } = await killedWhilePaying(world);
      world.terminal.press(key);
      await eventually(() => !world.terminal.snapshot().busy);

      const again = await Daemon.start(world);
      const moved = till.moved(again);
      const settled = await eventually(async () => {
        const { data } = (await moved.ask('GET', `/terminal-payments/${id}`)).body;
        return data.status === 'in_progress' ? undefined : data;
      });
      expect(settled).toMatchObject({ status, charged, in_doubt_since: expect.any(String) });
      const events = (await moved.ask('GET', '/events?limit=100')).body.data
        .filter((event: { data: { id: string } }) => event.data.id === id)
        .map((event: { type: string }) => event.type);
      expect(events).toEqual([
        'terminal_payment.requested',
        'terminal_payment.in_progress',
        'terminal_payment.in_doubt',
        `terminal_payment.${status}`,
      ]);
      const kept = world.terminal
        .snapshot()
        .ledger.filter((entry) => entry.result === 'approved' && !entry.reversed);
      expect(kept).toHaveLength(1 + standing);
      const line = await eventually(() =>
        world.service.control.ledger().find((one) => one['id'] === id && one['status'] === status),
      );
      expect(line).toMatchObject({ calls: { create: { applied: 1 }, result: { applied: 1, refused: 0 } } });
    },
  );

  it('sells again once the outcome is known, and not before', async () => {
    const world = await aWorld({ autopilot: 'off', missingAcknowledgement: 'keep' });
    const { till } = await killedWhilePaying(world);
    const again = Daemon.start(world);
    await eventually(() => world.terminal.snapshot().screen.startsWith('Present card'));
    world.terminal.press('approve');
    const moved = till.moved(await again);
    const next = await moved.ask('POST', '/terminal-payments', { ...SALE, amount_minor: 500 });
    expect(next.status).toBe(201);
    world.terminal.press('approve');
    await eventually(
      async () =>
        (await moved.ask('GET', `/terminal-payments/${next.body.data.id}`)).body.data.status === 'succeeded',
    );
    const sum = world.terminal
      .snapshot()
      .ledger.reduce((total, entry) => total + (entry.reversed ? 0 : entry.amountMinor), 0);
    expect(sum).toBe(100 + 1734);
  });
});
