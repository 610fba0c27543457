import { describe, expect, it } from 'vitest';
import { renderTerminalDevice } from '../../src/api/render/terminal-device.ts';
import { renderTerminalPayment } from '../../src/api/render/terminal-payment.ts';
import type { ServiceRequest } from '../../src/payment/guards/service-work.ts';
import { aNewAttempt, DEVICE_ID } from '../support/attempts.ts';
import { Shop } from '../support/shop.ts';

const REMOVED = '0199c0de-0000-7000-8000-0000000000d9';

/** An attempt that a former life left running on a device, with the mark of the terminal `serial`. */
function leftRunning(shop: Shop, deviceId: string, serial: string): string {
  const { id } = shop.writer.open(aNewAttempt({ deviceId })).attempt;
  const terminal = { grade: 'serial', serial } as const;
  shop.writer.apply(
    id,
    { type: 'dispatch' },
    { baseline: { batch: 1, day: 1, last: { kind: 'empty' }, terminal } },
  );
  return id;
}

describe('another terminal at the right place', () => {
  it('gets no payment, and its last transaction is no evidence', async () => {
    const shop = await Shop.open();
    shop.terminal.inject({ when: 'customer', do: 'power_loss', ms: 1_000_000 });
    const { id } = shop.sell();
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 30_000);
    shop.plugIn({ serial: '17F00002' });
    await shop.until(() => shop.queues.get(DEVICE_ID)?.status === 'wrong_terminal', 30_000);
    expect(() => shop.sell({ amount: { minor: 1, currency: 'EUR' } })).toThrow(
      expect.objectContaining({
        code: 'WRONG_TERMINAL',
        message: expect.stringContaining('Nothing was started: put the known terminal back, or adopt'),
        context: {
          details: expect.objectContaining({
            what_to_do: `put the known terminal back, or: tillctl devices adopt ${DEVICE_ID} --by NAME`,
          }),
        },
      }),
    );
    await shop.clock.advance(150_000);
    expect(shop.attempt(id)).toMatchObject({
      state: { name: 'in_doubt' },
      releasedAt: null,
      needsPerson: true,
    });
    const view = shop.queues.get(DEVICE_ID);
    expect(view && renderTerminalDevice(view)).toMatchObject({
      terminal_serial: '17F00001',
      answering_serial: '17F00002',
    });
    const asked = renderTerminalPayment(shop.writer.view(shop.attempt(id)));
    expect(asked.message).toContain('Look at the last receipt on the terminal 17F00001');
    expect(asked.error_message).toContain('The terminal 17F00001 cannot tell how it ended.');
    expect(shop.terminal.snapshot().ledger).toEqual([]);
  });
});

describe('a doubt of a device that is not configured any more', () => {
  it('asks a person when its terminal is not here', async () => {
    const shop = new Shop();
    const id = leftRunning(shop, REMOVED, 'ELSEWHERE');
    shop.queues.inherit();
    shop.queues.start();
    expect(shop.attempt(id)).toMatchObject({ state: { name: 'in_doubt' }, needsPerson: true });
    await shop.close();
  });

  it('also keeps work from its terminal that was waiting before anybody knew which terminal it is', async () => {
    const shop = new Shop();
    shop.queues.inherit();
    shop.queues.start();
    const id = leftRunning(shop, REMOVED, '17F00001');
    shop.writer.apply(id, { type: 'lost' });
    const work: Omit<ServiceRequest, 'amount'> = {
      serviceId: 'S',
      type: 'sale',
      parentId: null,
      deviceId: DEVICE_ID,
      invoiceId: null,
      reference: null,
      metadata: {},
      ageMs: 0,
    };
    shop.requestGuard.accept({ ...work, amount: { minor: 1234, currency: 'EUR' } });
    shop.terminal.start();
    await shop.until(() => shop.store.attemptOfServiceId('S')?.state.name === 'cancelled', 60_000);
    expect(shop.store.attemptOfServiceId('S')).toMatchObject({
      reason: { code: 'terminal_recovering' },
      dispatchedAt: null,
    });
    // It is as empty as before, which a close by itself would leave as well: a person decides, and it sells on.
    expect(await shop.settle(id)).toMatchObject({ state: { name: 'in_doubt' }, needsPerson: true });
    expect(shop.charged).toBe(0);
    await shop.close();
  });

  it('keeps its terminal from selling under another name until that was asked', async () => {
    const shop = new Shop();
    const id = leftRunning(shop, REMOVED, '17F00001');
    shop.terminal.start();
    shop.queues.inherit();
    shop.queues.start();
    await shop.until(() => shop.queues.get(DEVICE_ID)?.status === 'recovering', 10_000);
    expect(() => shop.sell()).toThrow(expect.objectContaining({ code: 'TERMINAL_IN_DOUBT' }));
    // It is as empty as before, which a close by itself would leave as well: a person decides, and it sells on.
    expect(await shop.settle(id)).toMatchObject({ state: { name: 'in_doubt' }, needsPerson: true });
    expect((await shop.settle(shop.sell().id)).state.name).toBe('succeeded');
    await shop.close();
  });
});
