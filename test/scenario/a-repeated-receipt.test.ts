import { describe, expect, it } from 'vitest';
import { Shop } from '../support/shop.ts';

const PRINTS = { driverOptions: { receipts: false } } as const;

function repeated(shop: Shop) {
  return shop.clock.runUntil(shop.operations.reprint(shop.deviceId), 120_000);
}

/** A shop whose sale is in doubt, with a person once the terminal has been used by hand. */
async function inDoubt() {
  const shop = await Shop.open(PRINTS);
  shop.terminal.inject({ when: 'result', do: 'power_loss', ms: 5000 });
  const { id } = shop.sell();
  await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 400_000);
  return { shop, id };
}

async function withPerson() {
  const { shop, id } = await inDoubt();
  shop.terminal.stop();
  shop.terminal.start();
  shop.terminal.typeByHand({ kind: 'sale', amountMinor: 777 });
  await shop.until(() => shop.attempt(id).releasedAt !== null, 400_000);
  return { shop, id };
}

describe('a repeated receipt', () => {
  it('is there for the person who answers a doubt, and the doubt stays as it was', async () => {
    const { shop, id } = await withPerson();
    await shop.until(() => shop.queues.get(shop.deviceId)?.status === 'ready', 60_000);
    const before = [shop.attempt(id), shop.tasksOf(id), shop.terminal.snapshot().ledger];
    expect(await repeated(shop)).toEqual({ kind: 'printed' });
    expect(shop.terminal.printed).toEqual([expect.stringMatching(/BETRAG +7.77/)]);
    expect([shop.attempt(id), shop.tasksOf(id), shop.terminal.snapshot().ledger]).toEqual(before);
  });

  it('is refused while recovery asks the terminal, and nothing is sent', async () => {
    const { shop, id } = await inDoubt();
    await shop.until(() => shop.queues.get(shop.deviceId)?.isConnected === true, 60_000);
    expect(shop.attempt(id).releasedAt).toBeNull();
    await expect(repeated(shop)).rejects.toMatchObject({ code: 'TERMINAL_IN_DOUBT' });
    expect(shop.terminal.printed).toEqual([]);
  });

  it('is refused while a customer pays, and the payment goes on', async () => {
    const shop = await Shop.open({ ...PRINTS, terminal: { autopilotMs: 5000 } });
    const { id } = shop.sell();
    await shop.until(() => shop.attempt(id).state.name === 'accepted', 10_000);
    await expect(repeated(shop)).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
    expect((await shop.settle(id)).state.name).toBe('succeeded');
    expect(shop.terminal.printed).toEqual([]);
  });

  it('gives way to a payment that comes while it waits for the terminal', async () => {
    const shop = await Shop.open({ ...PRINTS, terminal: { autopilotMs: 5000 } });
    const held = Promise.withResolvers<void>();
    const { terminal, state } = shop.queues.require(shop.deviceId);
    const heartbeat = terminal.use(() => held.promise);
    const copy = shop.operations.reprint(shop.deviceId).catch((error: unknown) => error);
    const { id } = shop.sell();
    await shop.until(() => state.running !== null, 5000);
    held.resolve();
    await heartbeat;
    expect(await shop.clock.runUntil(copy, 60_000)).toMatchObject({ code: 'TERMINAL_BUSY' });
    expect((await shop.settle(id)).state.name).toBe('succeeded');
    expect(shop.terminal.printed).toEqual([]);
  });

  it('is out before a payment that comes behind it, which is charged once', async () => {
    const shop = await Shop.open(PRINTS);
    await shop.settle(shop.sell({ reference: 'first' }).id);
    const copy = shop.operations.reprint(shop.deviceId);
    await Promise.resolve();
    const { id } = shop.sell({ reference: 'second' });
    expect(await shop.clock.runUntil(copy, 60_000)).toEqual({ kind: 'printed' });
    expect((await shop.settle(id)).state.name).toBe('succeeded');
    expect(shop.terminal.printed).toHaveLength(1);
    expect(shop.terminal.snapshot().ledger).toHaveLength(2);
  });

  it('whose answer is lost leaves no doubt: the next sale is charged once', async () => {
    const shop = await Shop.open(PRINTS);
    await shop.settle(shop.sell({ reference: 'first' }).id);
    shop.terminal.inject({ when: 'idle', do: 'silence', ms: 20_000 });
    await expect(repeated(shop)).rejects.toMatchObject({ code: 'TERMINAL_NO_ANSWER' });
    expect(shop.store.openAttempts()).toEqual([]);
    await shop.until(() => shop.queues.get(shop.deviceId)?.status === 'ready', 60_000);
    expect((await shop.settle(shop.sell({ reference: 'second' }).id)).state.name).toBe('succeeded');
    expect(shop.terminal.snapshot().ledger).toHaveLength(2);
  });

  it('is refused where the terminal cannot, where it is away, and while tilld is drained', async () => {
    const built = await Shop.open({ driverOptions: { receipts: 'built' } });
    await expect(repeated(built)).rejects.toMatchObject({ code: 'OPERATION_NOT_SUPPORTED' });
    const shop = await Shop.open(PRINTS);
    shop.drain.begin(60_000);
    await expect(repeated(shop)).rejects.toMatchObject({ code: 'DRAINING' });
    shop.drain.end();
    shop.terminal.stop();
    await shop.until(() => shop.queues.get(shop.deviceId)?.status === 'offline', 120_000);
    await expect(repeated(shop)).rejects.toMatchObject({ code: 'TERMINAL_NOT_READY' });
  });
});
