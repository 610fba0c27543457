import type { Clock } from '../../src/base/clock.ts';
import type { Ids } from '../../src/base/ids.ts';
import type { Sealer } from '../../src/base/sealer.ts';
import { createSealer } from '../../src/runtime/sealer.ts';
import type { Database } from '../../src/store/database.ts';
import { SqliteWebhookStore } from '../../src/store/webhooks/sqlite-webhook-store.ts';
import { Webhooks } from '../../src/webhooks/webhooks.ts';

/** A sealer whose key is nowhere but in memory. */
export function aSealer(): Sealer {
  let key: string | undefined;
  return createSealer({
    read: () => key,
    keep: (made) => {
      key = made;
    },
  });
}

/** Endpoints and deliveries in a real database; nothing is sent. */
export function aWebhookService(database: Database, clock: Clock, ids: Ids, sealer = aSealer()): Webhooks {
  let made = 0;
  return new Webhooks({
    store: new SqliteWebhookStore(database),
    sealer,
    newSecret: () => {
      made += 1;
      return `whsec_${'s'.repeat(40)}${made}`;
    },
    mayReach: () => true,
    notify: () => undefined,
    clock,
    ids,
  });
}
