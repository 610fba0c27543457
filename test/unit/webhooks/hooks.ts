import { hmacSha256 } from '../../../src/runtime/hmac.ts';
import { systemIds } from '../../../src/runtime/system-ids.ts';
import type { Database } from '../../../src/store/database.ts';
import { SqliteWebhookStore } from '../../../src/store/webhooks/sqlite-webhook-store.ts';
import type { Post } from '../../../src/webhooks/ports.ts';
import { WebhookDispatcher, type WebhookDispatcherDeps } from '../../../src/webhooks/webhook-dispatcher.ts';
import { Webhooks } from '../../../src/webhooks/webhooks.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { aSealer } from '../../support/webhooks.ts';
import { readableLog } from '../outbox/sender-harness.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const PAID = 'terminal_payment.succeeded';
const APPEND = "INSERT INTO events (id, type, at, snapshot) VALUES (?, ?, ?, '{}')";

/** One request as a receiver sees it, and when. */
export interface Sent {
  readonly url: string;
  readonly event: string;
  readonly at: number;
  readonly signature: string;
}

/** What a receiver does; never settling means that it hangs until it is broken off. */
export type Receiver = (post: Post, count: number) => number | Error | 'hangs';

/** Endpoints, dispatcher and receivers on a virtual clock, over a real database. */
export function hooks(changes: Partial<WebhookDispatcherDeps> = {}, database: Database = aMoneyDatabase()) {
  const clock = new VirtualClock();
  const sealer = aSealer();
  const sent: Sent[] = [];
  const receivers = new Map<string, Receiver>();
  const { log, lines } = readableLog();
  const post = (one: Post) =>
    new Promise<number>((resolve, reject) => {
      const { id } = JSON.parse(one.body) as { id: string };
      const signature = one.headers['X-Service-Signature'] ?? '';
      sent.push({ url: one.url, event: id, at: clock.now(), signature });
      const answered = receivers.get(one.url)?.(one, sent.filter(({ url }) => url === one.url).length) ?? 200;
      one.signal.addEventListener('abort', () => reject(one.signal.reason));
      if (answered instanceof Error) reject(answered);
      else if (answered !== 'hangs') resolve(answered);
    });
  const ports = { sealer, hmac: hmacSha256, post, clock, log, ids: systemIds, userAgent: 'tilld/0.1.0' };
  const bodyOf = (id: string) => JSON.stringify({ id });
  const store = new SqliteWebhookStore(database);
  const start = () => {
    const dispatcher = new WebhookDispatcher({ ...ports, store, bodyOf, mayWrite: () => true, ...changes });
    dispatcher.start();
    return dispatcher;
  };
  let dispatcher = start();
  const secrets = { made: 0 };
  const newSecret = () => {
    secrets.made += 1;
    return `whsec_${secrets.made}`;
  };
  const webhooks = new Webhooks({
    ...ports,
    store,
    newSecret,
    mayReach: () => true,
    notify: () => dispatcher.notify(),
  });
  return {
    clock,
    database,
    store,
    service: webhooks,
    sent,
    lines,
    receivers,
    /** Commits an event, as a payment does, and wakes the dispatcher. */
    happen: (id: string, type = PAID) => {
      database.run(APPEND, id, type, clock.now());
      dispatcher.notify();
    },
    /** Registers `https://<name>.example/` for some events. */
    register: (name: string, events: readonly string[] = [PAID]) =>
      webhooks.create({ url: `https://${name}.example/`, events }),
    delivery: (event: string) => {
      const found = webhooks.deliveries({ eventId: event, limit: 1 }).items[0];
      if (!found) throw new Error(`no delivery of ${event}`);
      return found;
    },
    stop: () => clock.runUntil(dispatcher.stop()),
    restart: () => {
      dispatcher = start();
    },
  };
}
