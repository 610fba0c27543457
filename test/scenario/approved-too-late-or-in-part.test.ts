import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import type { Fault } from '../../src/sandbox/controllable-terminal.ts';
import { Shop, type ShopOptions } from '../support/shop.ts';

const TOO_LATE = 'Cancel came too late. The customer HAS paid 12.34 EUR. Hand over the goods or refund.';

/** A sale that was to be cancelled while the host was asked: its terminal refuses the abort and approves. */
async function cancelledTooLate(options: ShopOptions = {}, faults: readonly Fault[] = []) {
  const shop = await Shop.open({ ...options, terminal: { autopilot: 'off', ...options.terminal } });
  const { id } = shop.sell();
  await shop.until(() => shop.attempt(id).state.name === 'accepted', 10_000);
  shop.terminal.press('approve');
  await shop.until(() => shop.terminal.snapshot().screen === 'Please wait', 5000);
  await shop.clock.advance(20);
  for (const fault of faults) shop.terminal.inject(fault);
  shop.payments.cancel(id);
  return { shop, sale: await shop.settle(id) };
}

function voidsOf(shop: Shop, sale: Attempt): readonly Attempt[] {
  return shop.store.childrenOf(sale.id);
}

describe('an approval after the cancel (late_approval)', () => {
  it('void: the void is written in the transaction that makes the sale succeeded, and goes next', async () => {
    const { shop, sale } = await cancelledTooLate();
    expect(sale.state.name).toBe('succeeded');
    const [undo] = voidsOf(shop, sale);
    expect(undo).toMatchObject({ type: 'void', cause: 'late_approval', createdAt: sale.completedAt });
    const other = shop.sell({ amount: { minor: 5, currency: 'EUR' } });
    const undone = await shop.settle(undo?.id ?? '');
    expect([undone.state.name, shop.charged]).toEqual(['succeeded', 0]);
    await shop.until(() => shop.attempt(other.id).dispatchedAt !== null, 10_000);
    expect(shop.attempt(other.id).dispatchedAt).toBeGreaterThanOrEqual(undone.completedAt ?? Infinity);
    expect(shop.payments.get(sale.id).tasks).toEqual([]);
  });

  it('keep: the sale stands, and a task that never expires tells staff that the customer has paid', async () => {
    const { shop, sale } = await cancelledTooLate({ policy: { lateApproval: 'keep' } });
    expect(voidsOf(shop, sale)).toEqual([]);
    expect(shop.payments.get(sale.id).tasks).toMatchObject([{ kind: 'cancel_too_late' }]);
    expect(shop.tasksOf(sale.id)).toEqual([TOO_LATE]);
    await shop.clock.advance(86_400_000);
    expect(shop.operations.tasks({ open: true, limit: 9 })).toHaveLength(1);
    expect(shop.charged).toBe(1234);
  });

  it('on a terminal that cannot void, or only its last payment with the card, the sale stands with a task', async () => {
    const { shop, sale } = await cancelledTooLate({ driverOptions: { void: 'none' } });
    expect(voidsOf(shop, sale)).toEqual([]);
    expect(shop.payments.get(sale.id).tasks).toMatchObject([{ kind: 'cancel_too_late' }]);
  });

  it('that was already there when the cancel came is not undone by a machine', async () => {
    const shop = await Shop.open();
    shop.terminal.inject({ when: 'result_acknowledged', do: 'delay', ms: 1000 });
    const { id } = shop.sell();
    await shop.until(() => shop.attempt(id).state.name === 'approved', 10_000);
    shop.payments.cancel(id);
    const sale = await shop.settle(id);
    expect([sale.state.name, voidsOf(shop, sale)]).toEqual(['succeeded', []]);
    expect(shop.payments.get(id).tasks).toMatchObject([{ kind: 'cancel_too_late' }]);
    expect(shop.tasksOf(id)).toEqual([TOO_LATE]);
  });

  it('that was learned by recovery is not undone by a machine, however young it is', async () => {
    const shop = await Shop.open({ terminal: { autopilot: 'off', missingAcknowledgement: 'keep' } });
    const { id } = shop.sell();
    await shop.until(() => shop.attempt(id).state.name === 'accepted', 10_000);
    shop.terminal.inject({ when: 'result', do: 'cut' });
    shop.terminal.press('approve');
    await shop.until(() => shop.terminal.snapshot().screen === 'Please wait', 5000);
    shop.payments.cancel(id);
    const sale = await shop.settle(id);
    expect(sale).toMatchObject({ state: { name: 'succeeded' }, evidence: { kind: 'terminal_journal' } });
    expect([voidsOf(shop, sale), shop.charged]).toEqual([[], 1234]);
    expect(shop.payments.get(id).tasks).toMatchObject([{ kind: 'cancel_too_late' }]);
  });

  it('whose void does not work stands, and staff are told', async () => {
    const { shop, sale } = await cancelledTooLate({ terminal: { missingAcknowledgement: 'reverse' } }, [
      { when: 'command', do: 'cut' },
    ]);
    const [undo] = voidsOf(shop, sale);
    expect((await shop.settle(undo?.id ?? '')).state.name).toBe('error');
    expect(shop.payments.get(sale.id).tasks).toMatchObject([{ kind: 'cancel_too_late' }]);
    expect(shop.tasksOf(sale.id)).toEqual([TOO_LATE]);
    expect(shop.charged).toBe(1234);
  });
});

describe('an approval of less than was asked for (partial_approval)', () => {
  it('void: is undone at once, and the service hears of it only when it is', async () => {
    const shop = await Shop.open();
    shop.terminal.nextAmount(1000);
    const sale = await shop.settle(shop.sell().id);
    expect(sale).toMatchObject({ state: { name: 'succeeded' }, report: { amountMinor: 1000 } });
    const [undo] = voidsOf(shop, sale);
    expect(undo).toMatchObject({ type: 'void', cause: 'partial_approval', amount: { minor: 1000 } });
    const reported = () => shop.database.all('SELECT kind, state FROM outbox WHERE attempt_id = ?', sale.id);
    expect(reported()).toEqual([
      { kind: 'create', state: 'pending' },
      { kind: 'result', state: 'parked' },
    ]);
    expect((await shop.settle(undo?.id ?? '')).state.name).toBe('succeeded');
    expect(reported()).toContainEqual({ kind: 'result', state: 'pending' });
    expect(shop.charged).toBe(0);
  });

  it('keep: stands at the approved amount, is never reported as paid, and staff get a task with both amounts', async () => {
    const shop = await Shop.open({ policy: { partialApproval: 'keep' } });
    shop.terminal.nextAmount(1000);
    const sale = await shop.settle(shop.sell().id);
    expect(voidsOf(shop, sale)).toEqual([]);
    const [task] = shop.payments.get(sale.id).tasks;
    expect(task).toMatchObject({ kind: 'partial_approval' });
    expect(shop.tasksOf(sale.id)[0]).toMatch(
      /HAS been charged .*10\.00.* not the whole amount\. Take the rest of 2\.34/,
    );
    expect(shop.database.all("SELECT * FROM outbox WHERE kind = 'result' AND state <> 'parked'")).toEqual([]);
    const back = shop.payments.refund({
      parentId: sale.id,
      amountMinor: null,
      after: null,
      caller: 'socket',
    });
    expect(back.attempt.amount.minor).toBe(1000);
    shop.operations.finishTask(task?.id ?? '', { by: 'Ada', note: 'the rest was paid in cash' });
    expect(shop.outbox.due(9)).toMatchObject([{ attemptId: sale.id, kind: 'create' }]);
    expect(shop.database.all("SELECT kind FROM outbox WHERE state = 'parked'")).toEqual([]);
  });
});

describe('an approval of more than was asked for', () => {
  it('without a reason is succeeded at the approved amount, with a task', async () => {
    const shop = await Shop.open();
    shop.terminal.nextAmount(1500);
    const sale = await shop.settle(shop.sell().id);
    expect(sale).toMatchObject({ state: { name: 'succeeded' }, report: { amountMinor: 1500 } });
    expect(shop.payments.get(sale.id).tasks).toMatchObject([{ kind: 'amount_differs' }]);
    expect(() =>
      shop.payments.refund({ parentId: sale.id, amountMinor: 1501, after: null, caller: 'socket' }),
    ).toThrow(expect.objectContaining({ code: 'REFUND_EXCEEDS_AMOUNT' }));
  });
});
