import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { serveProviderWebhooks } from '../../../src/agent/provider-webhooks.ts';
import { silentLog } from '../../../src/base/log.ts';
import { ProviderWebhooks } from '../../../src/integration/provider-webhooks.ts';
import { Lifecycle } from '../../../src/runtime/lifecycle.ts';
import { SqliteIntegrationStore } from '../../../src/store/integrations/sqlite-integration-store.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { aSealer } from '../../support/webhooks.ts';

const SIGNATURE = { type: 'token', header: 'X-Token', prefix: '' } as const;

/** Until real work beside the clock is done. */
async function until(holds: () => boolean): Promise<void> {
  for (let looks = 0; looks < 500 && !holds(); looks += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(holds()).toBe(true);
}

it('a port that is taken is logged and tried again; the address is shown while it listens', async () => {
  const stranger = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void stranger.close());
  await once(stranger, 'listening');
  const address = stranger.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const clock = new VirtualClock();
  const lifecycle = new Lifecycle(silentLog);
  onTestFinished(() => lifecycle.stop());
  const errors: string[] = [];
  const log = { ...silentLog, error: (facts: object) => errors.push(JSON.stringify(facts)) };
  let made = 0;
  const webhooks = new ProviderWebhooks({
    store: new SqliteIntegrationStore(aMoneyDatabase(), () => {
      made += 1;
      return `0199c0de-00f2-7000-8000-00000000000${made}`;
    }),
    sealer: aSealer(),
    schemes: new Map([['provider_a', { signature: SIGNATURE, event: null }]]),
    wake: () => undefined,
    count: () => undefined,
    clock,
  });
  const listen = { host: '127.0.0.1', port };
  serveProviderWebhooks({ listen, tls: null, webhooks, now: () => clock.now(), clock, log, lifecycle });
  await until(() => errors.length === 1);
  expect(errors[0]).toContain('EADDRINUSE');
  expect(webhooks.view('provider_a')?.url).toBeNull();
  stranger.close();
  await once(stranger, 'close');
  await clock.advance(10_000);
  await until(() => webhooks.view('provider_a')?.url === `http://127.0.0.1:${port}/hooks/provider_a`);
  await lifecycle.stop();
  expect(webhooks.view('provider_a')?.url).toBeNull();
});
