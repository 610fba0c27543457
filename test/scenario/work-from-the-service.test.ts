import { describe, expect, it } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { Till } from '../support/till.ts';

/** The merchant's back office asks for a payment at the service. */
async function asked(world: World, changes: object = {}): Promise<string> {
  const body = { device_id: DEVICE_ID, amount_minor: 4200, currency: 'EUR', ...changes };
  const response = await fetch(`${world.service.url}/sandbox/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBeLessThan(300);
  return ((await response.json()) as { data: { id: string } }).data.id;
}

function atService(world: World, id: string, status: string) {
  return eventually(() =>
    world.service.control.ledger().find((line) => line['id'] === id && line['status'] === status),
  );
}

describe('work from the service', () => {
  it('is claimed, run on the terminal and reported once', async () => {
    const world = await aWorld({ autopilotMs: 50 });
    await Daemon.start(world);
    const id = await asked(world);
    expect(await atService(world, id, 'succeeded')).toMatchObject({
      calls: { claim: { applied: 1 }, result: { applied: 1, refused: 0 } },
      masked_pan: expect.stringContaining('*'),
    });
    expect(world.terminal.snapshot().ledger).toMatchObject([{ amountMinor: 4200, result: 'approved' }]);
  });

  it('that is older than its limit never reaches the terminal and is reported cancelled', async () => {
    const world = await aWorld({ autopilotMs: 50 });
    const daemon = await Daemon.start(world);
    const id = await asked(world, { created_ago_ms: 301_000 });
    expect(await atService(world, id, 'cancelled')).toMatchObject({
      calls: { claim: { applied: 1 }, result: { applied: 1 } },
    });
    const { body } = await (await Till.at(daemon)).ask('GET', '/terminal-payments');
    expect(body.data).toMatchObject([{ status: 'cancelled', error_code: 'expired', charged: 'no' }]);
    expect(world.terminal.snapshot().ledger).toEqual([]);
  });

  it('in a currency that the device does not take is refused and reported, and never reaches the terminal', async () => {
    const world = await aWorld({ autopilotMs: 50 });
    await Daemon.start(world);
    const id = await asked(world, { currency: 'CHF' });
    await atService(world, id, 'cancelled');
    expect(world.terminal.snapshot().ledger).toEqual([]);
  });

  it('is reported once though the service loses every first answer and fails in between', async () => {
    const world = await aWorld({ autopilotMs: 50 });
    world.service.control.behave({ answer_lost: { times: 1, only: '/result' } });
    const daemon = await Daemon.start(world);
    const till = await Till.at(daemon);
    const { id } = (
      await till.ask('POST', '/terminal-payments', {
        device_id: DEVICE_ID,
        amount_minor: 100,
        currency: 'EUR',
      })
    ).body.data;
    const line = await atService(world, id, 'succeeded');
    expect(line).toMatchObject({ calls: { create: { applied: 1 } } });
    await eventually(
      async () => (await till.ask('GET', `/terminal-payments/${id}`)).body.data.reported === 'yes',
    );
    expect(await atService(world, id, 'succeeded')).toMatchObject({
      calls: { result: { applied: 1, refused: 0 } },
    });
  });

  it('does not keep the shop from selling when the service cannot be reached, and is told everything afterwards', async () => {
    const world = await aWorld({ autopilotMs: 50 });
    world.service.control.behave({ offline: true });
    const daemon = await Daemon.start(world);
    const till = await Till.at(daemon);
    const { id } = (
      await till.ask('POST', '/terminal-payments', {
        device_id: DEVICE_ID,
        amount_minor: 100,
        currency: 'EUR',
      })
    ).body.data;
    const paid = await eventually(async () => {
      const { data } = (await till.ask('GET', `/terminal-payments/${id}`)).body;
      return data.status === 'succeeded' ? data : undefined;
    });
    expect(paid).toMatchObject({ charged: 'yes', reported: 'pending' });
    world.service.control.behaveWell();
    await atService(world, id, 'succeeded');
  });
});
