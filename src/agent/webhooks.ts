import { randomBytes } from 'node:crypto';
import { renderEvent } from '../api/render/event.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Sealer } from '../base/sealer.ts';
import { postOnce } from '../net/post-once.ts';
import { reachOf } from '../net/reach.ts';
import type { DiskSpace } from '../payment/guards/disk-space.ts';
import { hmacSha256 } from '../runtime/hmac.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import { createSealer } from '../runtime/sealer.ts';
import type { StateFolder } from '../runtime/state-folder.ts';
import { WebhookDispatcher } from '../webhooks/webhook-dispatcher.ts';
import { Webhooks } from '../webhooks/webhooks.ts';
import type { Agent } from './create-agent.ts';
import type { Money } from './money.ts';
import { sealKeyPlace } from './seal-key.ts';

const SECRET_BYTES = 32;

export interface WebhookDeps {
  readonly folder: StateFolder;
  readonly money: Pick<Money, 'webhooks' | 'payments'>;
  readonly disk: DiskSpace;
  readonly agent: Pick<Agent, 'payments' | 'queues'>;
  /** Ranges that are not of the internet and may receive events. */
  readonly allowPrivate: readonly string[];
  readonly version: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
}

/** Wires endpoints, their secrets and the delivery; nothing is sent before `start()`, nor while the disk has no space to record it. */
export function makeWebhooks(deps: WebhookDeps): {
  readonly webhooks: Webhooks;
  readonly sealer: Sealer;
  start(): void;
} {
  const { folder, money, disk, agent, version, clock, ids, lifecycle } = deps;
  const log = deps.log.child({ part: 'webhooks' });
  const store = money.webhooks;
  const mayReach = reachOf(deps.allowPrivate);
  const sealer = createSealer(sealKeyPlace(folder, log));
  const dispatcher = new WebhookDispatcher({
    store,
    bodyOf: (id) => {
      const event = money.payments.findEvent(id);
      return event === null ? null : JSON.stringify(renderEvent(event, agent.queues));
    },
    sealer,
    hmac: hmacSha256,
    post: (post) => postOnce(post, mayReach),
    userAgent: `tilld/${version}`,
    mayWrite: () => disk.trouble() === null,
    clock,
    ids,
    log,
  });
  const notify = () => dispatcher.notify();
  return {
    webhooks: new Webhooks({ store, sealer, newSecret, mayReach, notify, clock, ids }),
    sealer,
    start: () => {
      const unsubscribe = agent.payments.subscribe({ event: notify });
      dispatcher.start();
      lifecycle.started('webhooks', () => {
        unsubscribe();
        return dispatcher.stop();
      });
    },
  };
}

/** The whole text is the HMAC key, `whsec_` included. */
function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}
