import { expect, it } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually } from '../support/daemon.ts';
import { Till } from '../support/till.ts';

it.each(['SIGTERM', 'SIGINT'] as const)(
  'a daemon that gets %s twice while a customer pays lets the payment end, reports it, and leaves with 0',
  async (signal) => {
    const world = await aWorld({ autopilot: 'off' });
    const daemon = await Daemon.start(world);
    const till = await Till.at(daemon);
    const sale = { device_id: DEVICE_ID, amount_minor: 1234, currency: 'EUR' };
    const { id } = (await till.ask('POST', '/terminal-payments', sale)).body.data;
    await eventually(() => world.terminal.snapshot().screen.startsWith('Present card'));
    const ended = daemon.ended();
    daemon.signal(signal);
    await new Promise((resolve) => setTimeout(resolve, 30));
    daemon.signal(signal);
    const refused = await eventually(async () => {
      const reply = await till.ask('POST', '/terminal-payments', { ...sale, amount_minor: 5 });
      return reply.status === 503 ? reply : undefined;
    });
    expect(refused.body.error.code).toBe('shutting_down');
    world.terminal.press('approve');
    expect(await ended).toBe(0);
    expect(world.terminal.snapshot().ledger).toMatchObject([{ amountMinor: 1234, result: 'approved' }]);

    const again = await Daemon.start(world);
    const { data } = (await till.moved(again).ask('GET', `/terminal-payments/${id}`)).body;
    expect(data).toMatchObject({ status: 'succeeded', in_doubt_since: null });
    await eventually(() =>
      world.service.control.ledger().some((line) => line['id'] === id && line['status'] === 'succeeded'),
    );
  },
  60_000,
);
