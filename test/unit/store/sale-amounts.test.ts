import { expect, it } from 'vitest';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { SqliteTerminalActivity } from '../../../src/store/terminals/sqlite-terminal-activity.ts';
import { anAttempt, DEVICE_ID } from '../../support/attempts.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';

const OTHER = '0199c0de-0000-7000-8000-0000000000ff';

it('gives what was asked for in the sales of a device that succeeded among its newest 400 payments', () => {
  const money = aMoneyDatabase();
  const store = new SqlitePaymentStore(money);
  let no = 0;
  const put = (minor: number, status = 'succeeded', more: { type?: 'refund'; deviceId?: string } = {}) => {
    no += 1;
    const id = `0199c0de-0000-7000-8000-${String(no).padStart(12, '0')}`;
    store.insertAttempt(anAttempt({ id, amount: { minor, currency: 'EUR' }, ...more }));
    money.run('UPDATE attempts SET status = ? WHERE id = ?', status, id);
  };
  put(1);
  put(2);
  for (let count = 0; count < 395; count += 1) put(9, 'declined');
  put(3);
  put(4, 'succeeded', { type: 'refund' });
  put(5, 'in_progress');
  put(6, 'succeeded', { deviceId: OTHER });
  put(7);
  const activity = new SqliteTerminalActivity(money);
  expect(activity.saleAmounts(DEVICE_ID, 'EUR')).toEqual([7, 3, 2]);
  expect(activity.saleAmounts(OTHER, 'EUR')).toEqual([6]);
  expect(activity.saleAmounts(DEVICE_ID, 'CHF')).toEqual([]);
});
