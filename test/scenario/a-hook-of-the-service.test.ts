import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';

const KEY = 'rk_sandbox_daemon_under_test';

async function post(url: string, body: object): Promise<{ data: { id: string; secret: string } }> {
  const headers = { 'content-type': 'application/json', 'x-api-key': KEY };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.status).toBeLessThan(300);
  return (await response.json()) as { data: { id: string; secret: string } };
}

/** The hook's secret is known only once the endpoint is registered; it is used without a restart. */
async function register(world: World, daemon: Daemon): Promise<void> {
  const { data } = await post(`${world.service.url}/v2/webhook-endpoints`, {
    url: `${daemon.url}/hooks/service`,
    events: ['terminal_payment.requested', 'terminal_payment.cancelled'],
  });
  const file = join(world.folder, 'state', 'credentials', 'hook-secret');
  writeFileSync(file, `${data.secret}\n`, { mode: 0o600 });
}

describe('a webhook of the service', () => {
  it('makes work run long before the next poll would have found it', async () => {
    const world = await aWorld(
      { autopilotMs: 50 },
      {},
      { poll_interval_ms: 600_000, webhook_credential: 'hook-secret' },
    );
    const daemon = await Daemon.start(world);
    await register(world, daemon);
    const body = { device_id: DEVICE_ID, amount_minor: 4200, currency: 'EUR' };
    const { data } = await post(`${world.service.url}/sandbox/payments`, body);
    await eventually(() =>
      world.service.control.ledger().find((line) => line['id'] === data.id && line['status'] === 'succeeded'),
    );
    expect(world.terminal.snapshot().ledger).toMatchObject([{ amountMinor: 4200, result: 'approved' }]);
  });
});
