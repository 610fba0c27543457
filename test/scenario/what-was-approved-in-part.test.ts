import { describe, expect, it } from 'vitest';
import { aNewAttempt, aReport } from '../support/attempts.ts';
import { restoredBackup } from '../support/restored-shop.ts';
import { Shop, type ShopOptions } from '../support/shop.ts';

const CANNOT_UNDO = { driverOptions: { void: 'none' } };

/** A sale of 12.34 that its terminal approves with 10.00, after the cancel. */
async function partlyAndTooLate(options: ShopOptions) {
  const shop = await Shop.open({ ...options, terminal: { autopilot: 'off' } });
  shop.terminal.nextAmount(1000);
  const { id } = shop.sell();
  await shop.until(() => shop.attempt(id).state.name === 'accepted', 10_000);
  shop.terminal.press('approve');
  await shop.until(() => shop.terminal.snapshot().screen === 'Please wait', 5000);
  await shop.clock.advance(20);
  shop.payments.cancel(id);
  return { shop, sale: await shop.settle(id) };
}

/** A sale whose void by policy was written, and not sent, when tilld was killed; then tilld starts, on a restored database or on the same. */
function restartedBeforeItsVoid(isRestored: boolean) {
  const before = new Shop();
  const { id } = before.writer.open(aNewAttempt()).attempt;
  const report = aReport({ amountMinor: 1000 });
  before.writer.apply(id, { type: 'dispatch' }, {});
  before.writer.apply(id, { type: 'accepted' }, {});
  before.writer.apply(id, { type: 'reported', verdict: 'approved' }, { report });
  before.writer.apply(id, { type: 'ended', as: 'approved', amount: 'less' }, { report, approvedForMs: 100 });
  const undo = ({ store }: Shop) => store.childrenOf(id).map(({ type, state }) => [type, state.name]);
  expect(undo(before)).toEqual([['void', 'requested']]);
  const databasePath = isRestored ? restoredBackup(before) : before.databasePath;
  before.database.close();
  const shop = new Shop({ databasePath });
  shop.queues.inherit();
  return { undo: undo(shop), tasks: shop.payments.get(id).tasks.map(({ kind }) => kind) };
}

describe('a sale that was approved in part', () => {
  it.each<[string, ShopOptions]>([
    ['by an option of the shop', { policy: { lateApproval: 'keep' } }],
    ['as its terminal cannot undo it', CANNOT_UNDO],
  ])(
    'and after its cancel, and stands %s, is told with its amount, and reported once staff have done their task',
    async (_why, options) => {
      const { shop, sale } = await partlyAndTooLate(options);
      expect(sale).toMatchObject({ state: { name: 'succeeded' }, report: { amountMinor: 1000 } });
      const result = () =>
        shop.database.all("SELECT state FROM outbox WHERE attempt_id = ? AND kind = 'result'", sale.id);
      expect(result()).toEqual([{ state: 'parked' }]);
      const tasks = shop.operations.tasks({ open: true, limit: 9 });
      expect(tasks).toMatchObject([{ kind: 'partial_approval', attemptId: sale.id }]);
      expect(shop.tasksOf(sale.id)[0]).toMatch(/HAS been charged 10\.00 EUR, not the whole amount/);
      shop.operations.finishTask(tasks[0]?.id ?? '', { by: 'Ada', note: 'the rest was paid in cash' });
      expect(result()).toEqual([{ state: 'pending' }]);
    },
  );

  it('is told as it happened: it succeeded, and then its void was asked for', async () => {
    const shop = await Shop.open();
    shop.terminal.nextAmount(1000);
    await shop.settle(shop.sell().id);
    const types = shop.payments.events({ limit: 50 }).items.map(({ type }) => type);
    expect(types.slice(0, 4)).toEqual([
      'terminal_payment.requested',
      'terminal_payment.in_progress',
      'terminal_payment.succeeded',
      'terminal_void.requested',
    ]);
  });

  it('and whose void was not sent before a restart stands: the void is cancelled, and staff get the task', () => {
    expect(restartedBeforeItsVoid(false)).toEqual({
      undo: [['void', 'cancelled']],
      tasks: ['partial_approval'],
    });
  });

  it('and whose void waited in a restored database: the void is in doubt, for it may have been sent', () => {
    expect(restartedBeforeItsVoid(true)).toEqual({ undo: [['void', 'in_doubt']], tasks: [] });
  });
});

describe('a refund that gave back more than was asked for', () => {
  it('is a task that says what was given back, and does not call it charged', async () => {
    const shop = await Shop.open();
    const sale = await shop.settle(shop.sell().id);
    const request = { parentId: sale.id, amountMinor: 100, after: null, caller: 'socket' } as const;
    const { id } = shop.payments.refund(request).attempt;
    await shop.until(() => shop.attempt(id).state.name === 'accepted', 10_000);
    const report = { verdict: 'approved', kind: 'refund', amountMinor: 500 } as const;
    shop.writer.apply(id, { type: 'reported', verdict: 'approved' }, { report });
    shop.writer.apply(id, { type: 'ended', as: 'approved', amount: 'more' });
    const [task] = shop.operations.tasks({ open: true, limit: 5 });
    expect(task).toMatchObject({ kind: 'amount_differs', attemptId: id });
    expect(shop.tasksOf(id)[0]).toMatch(
      /5\.00 EUR WAS given back to the customer although 1\.00 EUR was asked for/,
    );
  });
});
