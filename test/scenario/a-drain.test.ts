import { describe, expect, it } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { Shop } from '../support/shop.ts';
import { statusOf, Till, tillctl } from '../support/till.ts';

const draining = expect.objectContaining({
  code: 'DRAINING',
  message: expect.stringContaining('Nothing was'),
});
const SALE = { device_id: DEVICE_ID, amount_minor: 1234, currency: 'EUR' };
const MINUTE = 60_000;

/** A sale at the counter that its customer has not decided yet. */
async function aCustomerAtTheTerminal(world: World, till: Till): Promise<string> {
  const { id } = (await till.ask('POST', '/terminal-payments', SALE)).body.data;
  await eventually(() => world.terminal.snapshot().screen.startsWith('Present card'));
  return id;
}

describe('while the drain lease is held', () => {
  it('no sale, refund, void, close, comparison or adoption begins, and nothing is written', async () => {
    const shop = await Shop.open();
    const sale = shop.sell();
    await shop.settle(sale.id);
    const { deviceId } = shop;
    shop.drain.begin(MINUTE);
    const rows = () => shop.database.all('SELECT id FROM attempts UNION SELECT id FROM settlements');
    const before = rows();
    expect(() => shop.sell({ amount: { minor: 5, currency: 'EUR' } })).toThrow(draining);
    const asked = { parentId: sale.id, caller: 'socket' };
    expect(() => shop.payments.refund({ ...asked, amountMinor: null, after: null })).toThrow(draining);
    expect(() => shop.payments.void(asked)).toThrow(draining);
    const close = { deviceId, caller: 'socket', force: null };
    const refused = expect.objectContaining({ code: 'DRAINING' });
    expect(() => shop.operations.endOfDay(close)).toThrow(refused);
    await expect(shop.operations.reconcile(deviceId)).rejects.toThrow(refused);
    await expect(shop.operations.adopt(deviceId, 'Anna')).rejects.toThrow(refused);
    expect(shop.requestGuard.mayTake()).toBe(false);
    expect(rows()).toEqual(before);
    shop.drain.end();
    expect(shop.requestGuard.mayTake()).toBe(true);
    expect(shop.sell({ amount: { minor: 5, currency: 'EUR' } }).state.name).toBe('requested');
  });

  it('what was accepted before goes on to its end, also what still waits for the terminal', async () => {
    const shop = await Shop.open();
    const first = shop.sell();
    const second = shop.sell({ reference: 'the next in the queue' });
    shop.drain.begin(MINUTE);
    expect(shop.drain.view().busy).toMatchObject([{ id: DEVICE_ID }]);
    expect((await shop.settle(first.id)).state.name).toBe('succeeded');
    expect(shop.drain.view().busy).toHaveLength(1);
    expect((await shop.settle(second.id)).state.name).toBe('succeeded');
    await shop.until(() => shop.drain.view().busy.length === 0, 1000);
    expect(shop.charged).toBe(2468);
  });

  it('work of the service that was claimed before is run', async () => {
    const shop = await Shop.open();
    shop.drain.begin(MINUTE);
    shop.requestGuard.accept({
      serviceId: '0199c0de-0000-7000-8000-0000000000e1',
      type: 'sale',
      parentId: null,
      deviceId: DEVICE_ID,
      amount: { minor: 500, currency: 'EUR' },
      invoiceId: null,
      reference: null,
      metadata: {},
      ageMs: 0,
    });
    const [attempt] = shop.store.openAttempts();
    expect((await shop.settle(attempt?.id ?? '')).state.name).toBe('succeeded');
  });

  it('the void of an approval that came too late still goes to the terminal', async () => {
    const shop = await Shop.open({ terminal: { autopilot: 'off' } });
    const sale = shop.sell();
    await shop.until(() => shop.terminal.snapshot().screen.startsWith('Present card'), 10_000);
    shop.drain.begin(10 * MINUTE);
    shop.payments.cancel(sale.id);
    shop.terminal.press('approve');
    await shop.settle(sale.id);
    await shop.until(() => shop.drain.view().busy.length === 0, 2 * MINUTE);
    expect(shop.charged).toBe(0);
  });

  it('a terminal that is asked how its last payment ended is not idle; one that does not answer keeps no upgrade waiting', async () => {
    const shop = await Shop.open();
    shop.terminal.inject({ when: 'result', do: 'cut', ms: 0, times: 1 });
    const { id } = shop.sell();
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', MINUTE);
    await shop.until(
      () => shop.queues.get(DEVICE_ID)?.statusReason?.startsWith('finding out') ?? false,
      MINUTE,
    );
    expect(shop.drain.view().busy).toHaveLength(1);
    shop.terminal.stop();
    await shop.until(() => shop.drain.view().busy.length === 0, 5 * MINUTE);
    expect(shop.attempt(id).state.name).toBe('in_doubt');
  });

  it('it ends by itself, whatever the wall clock does, and never lasts longer than a quarter of an hour', async () => {
    const shop = await Shop.open();
    shop.drain.begin(MINUTE);
    await shop.clock.advance(MINUTE - 1);
    expect(() => shop.sell()).toThrow(draining);
    await shop.clock.advance(1);
    expect(shop.drain.view().endsAt).toBeNull();
    expect(shop.sell().state.name).toBe('requested');
    shop.drain.begin(24 * 60 * MINUTE);
    expect(shop.drain.view().endsAt).toBe(shop.clock.now() + 15 * MINUTE);
  });
});

describe('tillctl drain', () => {
  it('waits for the customer at the terminal, refuses the next one with words, and the payment ends once', async () => {
    const world = await aWorld({ autopilot: 'off' });
    const daemon = await Daemon.start(world);
    const till = await Till.at(daemon);
    const id = await aCustomerAtTheTerminal(world, till);
    const drained = tillctl(daemon, 'drain', '--wait', '--json');
    await eventually(async () => !(await statusOf(daemon)).can_sell);
    const refused = await till.ask('POST', '/terminal-payments', { ...SALE, amount_minor: 5 });
    expect(refused.body.error).toMatchObject({
      code: 'draining',
      message: expect.stringMatching(/^Nothing was charged\./),
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const status = await statusOf(daemon);
    expect(status.can_sell).toBe(false);
    expect(status.reasons).toContainEqual(expect.objectContaining({ code: 'draining' }));
    world.terminal.press('approve');
    const { code, stdout } = await drained;
    expect(code).toBe(0);
    expect(JSON.parse(stdout).data).toMatchObject({ idle: true, busy: [], ends_at: expect.any(String) });
    expect((await till.ask('GET', `/terminal-payments/${id}`)).body.data.status).toBe('succeeded');
    expect(world.terminal.snapshot().ledger).toMatchObject([{ amountMinor: 1234, result: 'approved' }]);
    expect((await till.ask('POST', '/terminal-payments', { ...SALE, amount_minor: 6 })).status).toBe(503);
    expect((await tillctl(daemon, 'drain', '--end')).code).toBe(0);
    expect((await till.ask('POST', '/terminal-payments', { ...SALE, amount_minor: 6 })).status).toBe(201);
  });

  it('ends 6 where a terminal stays busy, and gives the lease back', async () => {
    const world = await aWorld({ autopilot: 'off' });
    const daemon = await Daemon.start(world);
    const till = await Till.at(daemon);
    const id = await aCustomerAtTheTerminal(world, till);
    const late = await tillctl(daemon, 'drain', '--wait', '--within', '1');
    expect(late).toMatchObject({
      code: 6,
      stdout: expect.stringContaining('Counter 1: not idle within 1 s'),
    });
    expect((await statusOf(daemon)).can_sell).toBe(true);
    expect((await till.ask('GET', `/terminal-payments/${id}`)).body.data.status).toBe('in_progress');
  });

  it('that is killed leaves a shop that sells again by itself, and so does a restart', async () => {
    const world = await aWorld({ autopilotMs: 50 });
    const daemon = await Daemon.start(world);
    const till = await Till.at(daemon);
    expect((await tillctl(daemon, 'drain', '--for', '1')).code).toBe(0);
    await eventually(async () => (await till.ask('POST', '/terminal-payments', SALE)).status === 201);
    expect((await tillctl(daemon, 'drain', '--for', '900')).code).toBe(0);
    await daemon.kill();
    const again = till.moved(await Daemon.start(world));
    const next = { ...SALE, amount_minor: 77 };
    expect((await again.ask('POST', '/terminal-payments', next)).status).toBe(201);
  });

  it('is for the machine itself: no key of a till may drain it', async () => {
    const daemon = await Daemon.start(await aWorld());
    const till = await Till.at(daemon);
    expect((await till.ask('PUT', '/drain', { seconds: 60 })).status).toBe(403);
    expect((await statusOf(daemon)).can_sell).toBe(true);
  });

  it('leaves the work of the service to the service until it is over', async () => {
    const world = await aWorld({ autopilotMs: 50 });
    const daemon = await Daemon.start(world);
    await tillctl(daemon, 'drain', '--for', '900');
    const response = await fetch(`${world.service.url}/sandbox/payments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...SALE, amount_minor: 4200 }),
    });
    expect(response.status).toBeLessThan(300);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(world.service.control.ledger()).toMatchObject([{ status: 'requested' }]);
    await tillctl(daemon, 'drain', '--end');
    await eventually(() => world.service.control.ledger().some((line) => line['status'] === 'succeeded'));
  });
});
