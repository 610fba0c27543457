import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fleetBooks } from '../../src/agent/fleet-books.ts';
import { silentLog } from '../../src/base/log.ts';
import { type CommandRecord, CommandRecords } from '../../src/fleet/agent/command-records.ts';
import { CommandTasks } from '../../src/fleet/agent/command-tasks.ts';
import type { BooksCommand } from '../../src/fleet/contract/command.ts';
import { SqliteOutboxAdminStore } from '../../src/store/outbox/sqlite-outbox-admin-store.ts';
import { DEVICE_ID } from '../support/attempts.ts';
import { Shop } from '../support/shop.ts';

/** Tasks of operators on the books of a shop whose terminal speaks real bytes. */
function tasksOf(shop: Shop) {
  let kept: readonly CommandRecord[] = [];
  const log = {
    read: () => kept,
    keep: (records: readonly CommandRecord[]) => {
      kept = records;
    },
  };
  const records = new CommandRecords(log, silentLog);
  const { payments, operations, queues, clock } = shop;
  const reports = new SqliteOutboxAdminStore(shop.database);
  const books = fleetBooks({ payments, operations, devices: queues, reports });
  const tasks = new CommandTasks({ records, books, clock, words: silentLog, ended: () => {} });
  const ask = (command: BooksCommand) => {
    const id = randomUUID();
    const known = { id, at: clock.now(), kind: command.kind, operator: 'Anna', is_reported: false };
    records.add({ ...known, until: clock.now() + 86_400_000, ...tasks.begin(command) }, clock.now());
    return id;
  };
  const endOf = (id: string) => tasks.list().find((one) => one.id === id)?.task.end;
  return { tasks, ask, endOf, records };
}

const ANSWER = {
  by: 'Ada',
  reason: 'the slip',
  shown: 'receipt 1',
  source: 'customer_slip',
  lead: true,
} as const;

async function withDoubt(): Promise<{ shop: Shop; id: string }> {
  const shop = await Shop.open();
  shop.terminal.inject({ when: 'result_acknowledged', do: 'power_loss', ms: 86_400_000 });
  const { id } = shop.sell({ reference: 'BASKET' });
  await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 60_000);
  return { shop, id };
}

describe('what an operator asks a person of the shop for', () => {
  it('the outcome of a payment: the answer at the payment ends it, with the name of who answered', async () => {
    const { shop, id: paymentId } = await withDoubt();
    const { ask, endOf, tasks } = tasksOf(shop);
    const task = ask({ kind: 'resolve', payment_id: paymentId });
    await shop.clock.advance(600_000);
    expect(endOf(task)).toBeNull();
    expect(shop.payments.get(paymentId).charged).toBe('unknown');
    shop.payments.resolve(paymentId, { as: 'succeeded', ...ANSWER });
    expect(endOf(task)).toMatchObject({ state: 'done', by: 'Ada' });
    const late = ask({ kind: 'resolve', payment_id: paymentId });
    expect(endOf(late)).toMatchObject({ state: 'not_needed', by: null });
    expect(tasks.list()).toHaveLength(2);
  });

  it('the outcome of a payment that the terminal shows meanwhile: no person is needed', async () => {
    const shop = await Shop.open();
    shop.terminal.inject({ when: 'result_acknowledged', do: 'power_loss', ms: 30_000 });
    const { id: paymentId } = shop.sell();
    await shop.until(() => shop.attempt(paymentId).state.name === 'in_doubt', 60_000);
    const { ask, endOf } = tasksOf(shop);
    const task = ask({ kind: 'resolve', payment_id: paymentId });
    await shop.until(() => shop.attempt(paymentId).state.name === 'succeeded', 300_000);
    expect(endOf(task)).toMatchObject({ state: 'not_needed', by: null });
  });

  it('the end of day: done when the terminal has closed, by the person who began it; a close without it ends it, too', async () => {
    const shop = await Shop.open();
    await shop.settle(shop.sell().id);
    const { ask, endOf, tasks } = tasksOf(shop);
    const task = ask({ kind: 'end_of_day', device_id: DEVICE_ID });
    await tasks.perform(task, 'Maria', async () => {
      const { id } = shop.operations.endOfDay({ deviceId: DEVICE_ID, caller: 'pages', force: null });
      return { settlementId: id, words: 'begun' };
    });
    expect(tasks.list()[0]?.task).toMatchObject({ begun: { by: 'Maria' }, end: null });
    await shop.until(() => endOf(task) !== null, 120_000);
    expect(endOf(task)).toMatchObject({ state: 'done', by: 'Maria' });

    const other = ask({ kind: 'end_of_day', device_id: DEVICE_ID });
    await shop.clock.advance(1_000);
    shop.operations.endOfDay({ deviceId: DEVICE_ID, caller: 'socket', force: null });
    await shop.until(() => endOf(other) !== null, 120_000);
    expect(endOf(other)).toMatchObject({ state: 'not_needed', by: null });
  });

  it('another terminal: adopted by a person, or the known one is back', async () => {
    const shop = await Shop.open();
    const { ask, endOf, tasks, records } = tasksOf(shop);
    expect(endOf(ask({ kind: 'adopt', device_id: DEVICE_ID }))).toMatchObject({ state: 'not_needed' });
    const status = () => shop.queues.get(DEVICE_ID)?.status;
    shop.plugIn({ serial: '17F00002', terminalId: '52500099' });
    await shop.until(() => status() === 'wrong_terminal', 120_000);
    const first = ask({ kind: 'adopt', device_id: DEVICE_ID });
    shop.plugIn({});
    await shop.until(() => status() === 'ready', 120_000);
    expect(endOf(first)).toMatchObject({ state: 'not_needed', by: null });
    shop.plugIn({ serial: '17F00003', terminalId: '52500098' });
    await shop.until(() => status() === 'wrong_terminal', 120_000);
    const second = ask({ kind: 'adopt', device_id: DEVICE_ID });
    const adopting = tasks.perform(second, 'Maria', async () => {
      await shop.operations.adopt(DEVICE_ID, 'Maria');
      return { settlementId: null, words: 'the terminal was adopted' };
    });
    await shop.clock.runUntil(adopting);
    expect(endOf(second)).toMatchObject({ state: 'done', by: 'Maria' });
    const nowhere = ask({ kind: 'adopt', device_id: randomUUID() });
    expect(records.find(nowhere)).toMatchObject({ state: 'failed' });
  });
});
