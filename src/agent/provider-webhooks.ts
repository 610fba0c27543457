import type { Tls } from '../api/create-api.ts';
import { listenForWebhooks, type RunningWebhookListener } from '../api/provider-webhooks/listener.ts';
import type { Clock, Timer } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Config } from '../config/schema.ts';
import type { ProviderWebhooks } from '../integration/provider-webhooks.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';

/** Pause before it is tried again to listen. */
const AGAIN_MS = 10_000;
/** The log repeats why it does not listen after so many tries. */
const SAY_AGAIN = 60;

export interface WebhookServiceDeps {
  readonly listen: NonNullable<Config['listen']['webhooks']>;
  readonly tls: Tls | null;
  readonly webhooks: ProviderWebhooks;
  /** Epoch ms, by the best clock there is. */
  readonly now: () => number;
  readonly clock: Clock;
  readonly log: Log;
  readonly lifecycle: Pick<Lifecycle, 'started'>;
}

/** Listens for webhooks of providers. A port that is taken is logged and tried again: the shop sells, and syncs run at their times. */
export function serveProviderWebhooks(deps: WebhookServiceDeps): { renewTls(tls: Tls): void } {
  const { listen, webhooks, now, clock, log } = deps;
  const state: { running?: RunningWebhookListener; timer?: Timer; tls: Tls | null } = { tls: deps.tls };
  let isStopped = false;
  let failures = 0;
  const step = async () => {
    try {
      const running = await listenForWebhooks({ ...listen, tls: state.tls }, { webhooks, now, clock, log });
      if (isStopped) return await running.stop();
      state.running = running;
      webhooks.listening(running.url);
      log.info({ url: running.url }, 'listening for webhooks of providers');
    } catch (error) {
      if (failures % SAY_AGAIN === 0)
        log.error(
          { port: listen.port, error: messageOf(error), mend: 'another listen.webhooks.port' },
          'webhooks of providers are not taken as configured',
        );
      failures += 1;
      if (!isStopped) state.timer = clock.timer('provider webhooks', AGAIN_MS, () => void step());
    }
  };
  deps.lifecycle.started('webhooks of providers', async () => {
    isStopped = true;
    state.timer?.stop();
    webhooks.listening(null);
    await state.running?.stop();
  });
  void step();
  return {
    renewTls: (tls) => {
      state.tls = tls;
      state.running?.renewTls(tls);
    },
  };
}
