import { describe, expect, it } from 'vitest';
import { DEVICE_ID } from '../../support/attempts.ts';
import { Shop } from '../../support/shop.ts';

const WORK = {
  serviceId: '0199c0de-0000-7000-8000-0000000000e1',
  type: 'sale',
  parentId: null,
  deviceId: DEVICE_ID,
  amount: { minor: 500, currency: 'EUR' },
  invoiceId: null,
  reference: null,
  metadata: {},
  ageMs: 0,
} as const;

describe('work of the service', () => {
  it('that arrives while the daemon goes down is cancelled and reported, and never waits', async () => {
    const shop = await Shop.open();
    shop.requestGuard.close();
    shop.requestGuard.accept(WORK);
    expect(shop.store.attemptOfServiceId(WORK.serviceId)).toMatchObject({
      state: { name: 'cancelled' },
      reason: { code: 'expired' },
    });
    expect(shop.outbox.due(5)).toMatchObject([{ kind: 'result', body: { status: 'cancelled' } }]);
    expect(() => shop.sell()).toThrow(expect.objectContaining({ code: 'SHUTTING_DOWN' }));
  });

  it('keeps no card number, wherever it hides', async () => {
    const shop = await Shop.open();
    const pan = '4111 1111 1111 1111';
    shop.requestGuard.accept({
      ...WORK,
      invoiceId: pan,
      reference: pan,
      metadata: { deep: [{ note: pan }] },
    });
    const row = JSON.stringify(shop.database.all('SELECT * FROM attempts'));
    expect(row).toContain('411111******1111');
    expect(row).not.toMatch(/4111 ?1111 ?1111/);
  });

  it('that may not run is written and cancelled in one transaction: a disk error in between leaves nothing', async () => {
    const shop = await Shop.open();
    shop.database.run(
      `CREATE TRIGGER full BEFORE UPDATE ON attempts BEGIN SELECT RAISE(ABORT, 'no room'); END`,
    );
    expect(() => shop.requestGuard.accept({ ...WORK, ageMs: 400_000 })).toThrow();
    shop.database.run('DROP TRIGGER full');
    expect(shop.store.openAttempts()).toEqual([]);
    shop.requestGuard.accept({ ...WORK, ageMs: 400_000 });
    expect(shop.store.attemptOfServiceId(WORK.serviceId)?.state.name).toBe('cancelled');
  });

  it('is taken once, by either of its names', async () => {
    const shop = await Shop.open();
    shop.requestGuard.accept(WORK);
    shop.requestGuard.accept(WORK);
    const [attempt, ...others] = shop.store.listAttempts({ limit: 10 }).items;
    expect(others).toEqual([]);
    expect(shop.payments.get(WORK.serviceId).attempt.id).toBe(attempt?.id);
    expect(shop.requestGuard.isOurs('unknown', { tilld: { agent: 'x', attempt: attempt?.id } })).toBe(true);
    expect(shop.requestGuard.isOurs('unknown', { tilld: { attempt: 7 } })).toBe(false);
  });
});

describe('a text that the terminal shows', () => {
  it('passes the card number guard before anybody sees it', async () => {
    const shop = await Shop.open({ terminal: { autopilot: 'off' } });
    const sale = shop.sell();
    shop.writer.progress(sale, 'Karte 4111111111111111');
    expect(shop.payments.get(sale.id).progress).toBe('Karte 411111******1111');
  });
});
