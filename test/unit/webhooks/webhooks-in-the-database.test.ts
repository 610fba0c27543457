import { describe, expect, it } from 'vitest';
import { systemIds } from '../../../src/runtime/system-ids.ts';
import type { Database } from '../../../src/store/database.ts';
import { SqliteWebhookStore } from '../../../src/store/webhooks/sqlite-webhook-store.ts';
import { type Delivery, type DeliveryStatus, newDelivery } from '../../../src/webhooks/delivery.ts';
import { mendPlace } from '../../../src/webhooks/feed.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { aWebhookService } from '../../support/webhooks.ts';
import { HOUR, PAID } from './hooks.ts';

const DAY = 24 * HOUR;
const ID = '0199c0de-0000-7000-8000-000000000001';

function books(database = aMoneyDatabase()) {
  const clock = new VirtualClock();
  const store = new SqliteWebhookStore(database);
  const service = aWebhookService(database, clock, systemIds);
  const put = (changes: Partial<Delivery> = {}) => {
    const made = {
      ...newDelivery({ id: 'evt_1', type: PAID }, ID, systemIds.uuid(), clock.now()),
      ...changes,
    };
    store.insertDelivery(made);
    return made;
  };
  return { database, clock, store, service, put };
}

/** The plan of every statement that `work` runs. */
function plansOf(database: Database, work: () => unknown): readonly string[] {
  const plans: string[] = [];
  const get = database.get.bind(database);
  const all = database.all.bind(database);
  const noted = (sql: string, values: readonly unknown[]) => {
    const steps = all(`EXPLAIN QUERY PLAN ${sql}`, ...values) as readonly { detail: string }[];
    plans.push(...steps.map(({ detail }) => detail));
  };
  database.get = (sql, ...values) => {
    noted(sql, values);
    return get(sql, ...values);
  };
  database.all = (sql, ...values) => {
    noted(sql, values);
    return all(sql, ...values);
  };
  work();
  database.get = get;
  database.all = all;
  return plans;
}

describe('a delivery in the database', () => {
  it.each<DeliveryStatus>([
    { name: 'pending', nextAt: 5, endsAt: 9, notedAt: 4 },
    { name: 'delivered', at: 7 },
    { name: 'failed', at: 8 },
  ])('comes back as it was written: %j', (status) => {
    const { store, put } = books();
    const made = put({ status, attempts: 3, responseStatus: 500, lastError: 'no' });
    expect(store.findDelivery(made.id)).toEqual(made);
    const later = { ...made, attempts: 4, status: { name: 'delivered', at: 11 } as const, lastError: null };
    store.updateDelivery(later);
    expect(store.findDelivery(made.id)).toEqual(later);
  });

  it('is refused when it is pending and does not say when it goes on', () => {
    const { database, put } = books();
    const { id } = put();
    expect(() => database.run('UPDATE webhook_deliveries SET next_at = NULL WHERE id = ?', id)).toThrow(
      'CHECK',
    );
  });

  it('is forgotten 30 days after it ended, in bounded portions; what is pending never is', () => {
    const { database, service, clock, put } = books();
    const before = clock.now() - 30 * DAY;
    database.transaction(() => {
      for (let number = 0; number < 501; number += 1) put({ status: { name: 'failed', at: before - 1 } });
    });
    const kept = put({ status: { name: 'delivered', at: before + 1 } });
    const pending = put({ createdAt: before - DAY });
    expect(service.tidy()).toEqual({ expired: 0, forgotten: 500 });
    expect(service.tidy()).toEqual({ expired: 0, forgotten: 1 });
    expect(service.tidy()).toEqual({ expired: 0, forgotten: 0 });
    expect(service.deliveries({ limit: 10 }).items.map(({ id }) => id)).toEqual([pending.id, kept.id]);
  });

  it('costs no write while there is nothing to tidy', () => {
    const { service, database, put } = books();
    put();
    const { writeCounter } = database;
    service.tidy();
    expect(database.writeCounter).toBe(writeCounter);
  });
});

describe('the statements of the webhooks', () => {
  it('walk no table that grows with every payment', () => {
    const { database, store, put } = books();
    const { id } = put();
    const plans = plansOf(database, () => {
      store.nextOf(ID);
      store.cursor();
      store.lastEvent();
      store.eventsAfter(5, 50);
      store.findDelivery(id);
      store.listDeliveries({ endpointId: ID, limit: 20, startingAfter: id });
      store.listDeliveries({ eventId: 'evt_1', limit: 20 });
      store.listDeliveries({ status: 'failed', limit: 20 });
      store.expire(5, 'over', 5, 100);
      store.forget(5, 100);
    });
    const walks = plans.filter((step) => step.startsWith('SCAN'));
    expect(walks).toEqual([
      'SCAN webhook_deliveries USING INDEX webhook_deliveries_failed',
      'SCAN webhook_deliveries USING INDEX webhook_deliveries_pending',
    ]);
    expect(plans.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
  });
});

describe('the place in the feed', () => {
  it('goes back with the events that were lost with a damaged database: what takes their numbers is read', () => {
    const { database, store, service } = books();
    const happen = (id: string) =>
      database.run("INSERT INTO events (id, type, at, snapshot) VALUES (?, ?, 1, '{}')", id, PAID);
    for (const id of ['evt_1', 'evt_2', 'evt_3']) happen(id);
    service.create({ url: 'https://a.example/', events: [PAID] });
    expect(store.cursor()).toBe(3);
    database.run("DELETE FROM events WHERE id <> 'evt_1'");
    mendPlace(store);
    happen('evt_4');
    service.update(service.list()[0]?.id ?? '', { status: 'enabled' });
    expect(service.deliveries({ limit: 5 }).items.map(({ eventId }) => eventId)).toEqual(['evt_4']);
  });
});
