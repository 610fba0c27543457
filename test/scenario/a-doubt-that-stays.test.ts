import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/base/errors.ts';
import { aReport } from '../support/attempts.ts';
import { Shop, type ShopOptions } from '../support/shop.ts';
import { aShopWith } from './odd-driver.ts';

const BUSY = { kind: 'wait', code: 'TERMINAL_BUSY', message: 'one moment please' } as const;

const euros = (minor: number) => ({ minor, currency: 'EUR' }) as const;

/** A sale in doubt that the terminal sells on from: somebody used the terminal before it could be read. */
async function withPerson(options: ShopOptions = {}) {
  const shop = await Shop.open({ ...options, terminal: { missingAcknowledgement: 'keep' } });
  const paid = await shop.settle(shop.sell({ amount: euros(500) }).id);
  shop.terminal.inject({ when: 'result', do: 'power_loss', ms: 5000 });
  const { id } = shop.sell();
  await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 400_000);
  shop.terminal.stop();
  shop.terminal.start();
  shop.terminal.typeByHand({ kind: 'sale', amountMinor: 777 });
  await shop.until(() => shop.attempt(id).releasedAt !== null, 400_000);
  return { shop, paid, id };
}

/** The first transaction of a batch, of the amount that was asked for. */
const SHOWN = {
  kind: 'found',
  report: aReport({ number: '0001', amountMinor: 1234, trace: '000001' }),
} as const;

/** In steps that leave the core its turns. */
async function pass({ clock }: Awaited<ReturnType<typeof aShopWith>>, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) await clock.advance(50);
}

describe('a doubt that only a person can end', () => {
  it('leaves a terminal that answers after four minutes, though that never becomes idle', async () => {
    const shop = await aShopWith(async () => ({ kind: 'unknown', code: 'LINK_LOST', message: 'cut' }));
    const { id } = shop.sell(1234);
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 1000);
    shop.next.readiness = BUSY;
    await shop.until(() => shop.attempt(id).releasedAt !== null, 300_000);
    const { releasedAt, inDoubtSince } = shop.attempt(id);
    const asked = (releasedAt ?? 0) - (inDoubtSince ?? 0);
    expect(asked).toBeGreaterThanOrEqual(240_000);
    expect(asked).toBeLessThanOrEqual(250_000);
    expect(shop.attempt(id)).toMatchObject({
      state: { name: 'in_doubt' },
      needsPerson: true,
      settledAt: null,
    });
    expect(() =>
      shop.payments.resolve(id, { as: 'not_charged', by: 'Ada', reason: 'x', shown: 'x', lead: true }),
    ).toThrow(
      expect.objectContaining({
        code: 'DECISION_TOO_EARLY',
        message: expect.stringMatching(/is not asked again\. A lead decides by .*: say the source\.$/),
      }),
    );
  });

  it('waits for a terminal that became idle just before its four minutes were over', async () => {
    const shop = await aShopWith(async () => ({ kind: 'unknown', code: 'LINK_LOST', message: 'cut' }));
    const { id } = shop.sell(1234);
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 1000);
    shop.next.readiness = BUSY;
    await pass(shop, 235_000);
    shop.next.readiness = { kind: 'ready' };
    await shop.until(() => shop.attempt(id).state.name !== 'in_doubt', 60_000);
    expect(shop.attempt(id)).toMatchObject({
      state: { name: 'error' },
      reason: { code: 'not_charged' },
      releasedAt: null,
    });
  });

  it('leaves a terminal that is idle only now and then', async () => {
    const shop = await aShopWith(async () => ({ kind: 'unknown', code: 'LINK_LOST', message: 'cut' }));
    const { id } = shop.sell(1234);
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 1000);
    for (let times = 0; times < 40 && shop.attempt(id).releasedAt === null; times += 1) {
      shop.next.readiness = times % 2 === 0 ? BUSY : { kind: 'ready' };
      await pass(shop, 10_000);
    }
    expect(shop.attempt(id)).toMatchObject({
      state: { name: 'in_doubt' },
      needsPerson: true,
      settledAt: null,
    });
  });

  it('is no "charged" of a terminal that was empty and takes back the approval that it showed', async () => {
    const shop = await aShopWith(async () => ({ kind: 'unknown', code: 'LINK_LOST', message: 'cut' }));
    shop.next.last = { kind: 'empty' };
    const { id } = shop.sell(1234);
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 1000);
    shop.next.last = SHOWN;
    await pass(shop, 10_000);
    expect(shop.attempt(id).state.name).toBe('in_doubt');
    shop.next.last = { kind: 'empty' };
    await shop.until(() => shop.attempt(id).releasedAt !== null, 60_000);
    expect(shop.attempt(id)).toMatchObject({ state: { name: 'in_doubt' }, needsPerson: true });
    expect(shop.attempt(id).reason?.message).toMatch(/charged and closed its day by itself/);
  });

  it('ends as charged on a terminal that was empty and still shows it after the settle time', async () => {
    const shop = await aShopWith(async () => ({ kind: 'unknown', code: 'LINK_LOST', message: 'cut' }));
    shop.next.last = { kind: 'empty' };
    const { id } = shop.sell(1234);
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 1000);
    shop.next.last = SHOWN;
    await shop.until(() => shop.attempt(id).state.name === 'succeeded', 40_000);
  });

  it('is noted as use by hand before it is left to a person, should the process die in between', async () => {
    const shop = await Shop.open({ terminal: { missingAcknowledgement: 'keep' } });
    await shop.settle(shop.sell({ amount: euros(500) }).id);
    const { batch } = shop.identities.factsOf(shop.deviceId);
    shop.terminal.inject({ when: 'result', do: 'power_loss', ms: 5000 });
    const { id } = shop.sell();
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 400_000);
    shop.terminal.stop();
    shop.terminal.start();
    shop.terminal.typeByHand({ kind: 'sale', amountMinor: 777 });
    const { updateAttempt } = shop.store;
    shop.store.updateAttempt = (attempt) => {
      if (attempt.releasedAt !== null) throw new AppError('STORAGE_FAILED', 'it dies here');
      updateAttempt.call(shop.store, attempt);
    };
    await shop.until(() => shop.queues.get(shop.deviceId)?.sharedUse === true, 400_000);
    expect(shop.attempt(id).releasedAt).toBeNull();
    expect(shop.identities.factsOf(shop.deviceId).batch).toBeGreaterThan(batch);
    shop.store.updateAttempt = updateAttempt;
    await shop.until(() => shop.attempt(id).releasedAt !== null, 400_000);
  });

  it('keeps its sale guarded and unrefundable while other sales run', async () => {
    const { shop, id } = await withPerson();
    expect(() => shop.sell({ reference: null })).toThrow(
      expect.objectContaining({ code: 'PAYMENT_ALREADY_OPEN' }),
    );
    expect(() =>
      shop.payments.refund({ parentId: id, amountMinor: null, after: null, caller: 'socket' }),
    ).toThrow(expect.objectContaining({ code: 'PAYMENT_NOT_REFUNDABLE' }));
    expect((await shop.settle(shop.sell({ amount: euros(7) }).id)).state.name).toBe('succeeded');
  });

  it('blocks every void on a terminal that undoes its last payment only', async () => {
    const { shop, id } = await withPerson({ driverOptions: { void: 'last' } });
    const next = await shop.settle(shop.sell({ amount: euros(7) }).id);
    const undo = () => shop.payments.void({ parentId: next.id, caller: 'socket' }).attempt;
    expect(undo).toThrow(expect.objectContaining({ code: 'VOID_NOT_POSSIBLE' }));
    shop.payments.resolve(id, { as: 'succeeded', by: 'Ada', reason: 'receipt', shown: '0002', lead: false });
    expect((await shop.settle(undo().id)).state.name).toBe('succeeded');
  });
});
