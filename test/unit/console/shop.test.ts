import { expect, it } from 'vitest';
import type { Api } from '../../../src/console/app/api.js';
import { Shop } from '../../../src/console/app/shop.js';
import { PAYMENT_ID, payment, task } from '../cli/fake-daemon.ts';

const STATUS = { outbox: { pending: 0 }, time_zone: 'UTC' };
const ENDED = { status: 'succeeded', completed_at: '2026-05-01T10:00:00.000Z' } as const;

it('a payment whose task is done is read again: it asks for no task any more', async () => {
  const open = [task({ payment_id: PAYMENT_ID })];
  const answers: Readonly<Record<string, () => unknown>> = {
    '/v2/status': () => STATUS,
    '/v2/terminal-tasks?open=true&limit=100': () => [...open],
    [`/v2/terminal-payments/${PAYMENT_ID}`]: () => payment({ ...ENDED, needs_person: open.length > 0 }),
  };
  const get = async (path: string) => ({ data: answers[path]?.() ?? [], has_more: false });
  const shop = new Shop({ get } as unknown as Api);
  shop.payments.heard(payment({ ...ENDED, needs_person: true }));
  await shop.look({ tasks: true });
  open.pop();
  await shop.look({ tasks: true });
  expect(shop.payments.get(PAYMENT_ID)?.needs_person).toBe(false);
});
