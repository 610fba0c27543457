import { expect, it } from 'vitest';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { SqliteTerminalActivity } from '../../../src/store/terminals/sqlite-terminal-activity.ts';
import { anAttempt, DEVICE_ID } from '../../support/attempts.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';

const OTHER = '0199c0de-0000-7000-8000-0000000000ff';
const NOON = 43_200_000;

it('counts what became of the payments of one terminal, and how long they took from the command on', () => {
  const money = aMoneyDatabase();
  const store = new SqlitePaymentStore(money);
  let no = 0;
  const paid = (
    status: string,
    tookMs: number,
    more: { deviceId?: string; at?: number; doubt?: number } = {},
  ) => {
    no += 1;
    const id = `0199c0de-0000-7000-8000-${String(no).padStart(12, '0')}`;
    const createdAt = more.at ?? NOON;
    const dispatchedAt = createdAt + 60_000;
    const deviceId = more.deviceId ?? DEVICE_ID;
    store.insertAttempt(
      anAttempt({
        id,
        deviceId,
        createdAt,
        dispatchedAt,
        completedAt: dispatchedAt + tookMs,
        inDoubtSince: more.doubt ?? null,
      }),
    );
    money.run('UPDATE attempts SET status = ? WHERE id = ?', status, id);
  };
  paid('succeeded', 4_000);
  paid('declined', 2_000);
  paid('succeeded', 900_000, { doubt: NOON });
  paid('cancelled', 70_000);
  paid('succeeded', 9_000, { deviceId: OTHER });
  paid('succeeded', 9_000, { at: NOON - 1 });
  const activity = new SqliteTerminalActivity(money);
  expect(activity.figures(DEVICE_ID, NOON)).toEqual({
    since: NOON,
    succeeded: 2,
    declined: 1,
    meanMs: 3_000,
  });
  expect(activity.figures(OTHER, NOON + 1)).toEqual({
    since: NOON + 1,
    succeeded: 0,
    declined: 0,
    meanMs: null,
  });
});
