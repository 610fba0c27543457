import { expect, it } from 'vitest';
import { isFinal } from '../../src/payment/attempt/state-machine.ts';
import type { MoneyCommand, TransactionReport } from '../../src/terminal/ports.ts';
import { aReport } from '../support/attempts.ts';
import { aShopWith, type Execute } from './odd-driver.ts';

/** @param stored gets each transaction that the terminal stores */
function approvesAll(commands: MoneyCommand[], stored: (report: TransactionReport) => void): Execute {
  return async (observer, _signal, command) => {
    commands.push(command);
    const { amount, kind, ticket: reference } = command;
    const number = String(commands.length + 7).padStart(4, '0');
    const report = aReport({ kind, number, amountMinor: amount.minor, reference });
    stored(report);
    const outcome = { kind: 'approved', report, receipts: {} } as const;
    observer.accepted();
    observer.beforeAcknowledge(report);
    observer.beforeEnd(outcome);
    return outcome;
  };
}

it('a driver gets the numbers of the sale with each refund of a part', async () => {
  const commands: MoneyCommand[] = [];
  const shop = await aShopWith(
    approvesAll(commands, (report) => {
      shop.next.last = { kind: 'found', report };
    }),
  );
  const ended = async (id: string) => {
    await shop.until(() => isFinal(shop.attempt(id).state), 30_000);
    expect(shop.attempt(id).state.name).toBe('succeeded');
  };
  const sale = shop.sell(1234);
  await ended(sale.id);
  for (const amountMinor of [500, 300]) {
    const asked = { parentId: sale.id, amountMinor, after: null, caller: 'socket' };
    await ended(shop.payments.refund(asked).attempt.id);
  }
  const original = {
    amountMinor: 1234,
    number: '0008',
    trace: '000142',
    reference: commands[0]?.ticket,
    terminalClock: '1120133700',
  };
  expect(commands).toMatchObject([
    { kind: 'sale' },
    { kind: 'refund', amount: { minor: 500 }, original },
    { kind: 'refund', amount: { minor: 300 }, original },
  ]);
});
