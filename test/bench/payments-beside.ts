import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { BenchAgent, DEVICE_ID } from './agent.ts';
import { type BenchOptions, type Print, quantile, rounded } from './figure.ts';
import { importIntegration, writeCustomers } from './sync-rows.ts';

const BLOCKS = 10;
const PAYMENTS = 20;
/** Between two customers: a sync that may run only while nobody pays would prove nothing in a shop that never rests. */
const REST_MS = 250;
const LOOK_MS = 2;
const AMOUNT = 1_000;
const SETTLE_MS = 1_000;
const FINAL = new Set(['succeeded', 'declined', 'cancelled', 'error']);

/** Payments while a million rows are imported, and while they are not, in blocks that take turns. */
export async function paymentsBeside({ rows }: BenchOptions, print: Print): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-bench-drop-'));
  await writeCustomers(folder, rows);
  const agent = await BenchAgent.start({ integrations: { provider_a: importIntegration(folder) } }, 0);
  const idle: number[] = [];
  const beside: number[] = [];
  try {
    await agent.ask('POST', '/v2/integrations/provider_a/activate', {});
    for (let block = 0; block < BLOCKS; block += 1) {
      const isIdle = block % 2 === 0;
      await agent.ask('PUT', '/v2/integrations/provider_a/sync-toggle', { enabled: !isIdle });
      if (!isIdle) await agent.ask('POST', '/v2/integrations/provider_a/sync', {});
      await wait(SETTLE_MS);
      (isIdle ? idle : beside).push(...(await paid(agent, block * PAYMENTS)));
    }
    await stillSyncing(agent);
  } finally {
    await agent.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  for (const [metric, q] of [
    ['median', 0.5],
    ['p95', 0.95],
  ] as const) {
    const value = quantile(beside, q);
    print({
      bench: 'payments-beside',
      metric: `payment beside an import, ${metric}`,
      value: rounded(value, 1),
      unit: 'ms',
      against: 'the same without it',
      ratio: rounded(value / quantile(idle, q)),
    });
  }
}

/** From the request to the outcome that a client sees, ms; one after the other. No two have the same amount: they would be taken for one sale. */
async function paid(agent: BenchAgent, from: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let count = 0; count < PAYMENTS; count += 1) {
    await wait(REST_MS);
    const startedAt = performance.now();
    const body = { device_id: DEVICE_ID, amount_minor: AMOUNT + from + count, currency: 'EUR' };
    const made = idOf(await agent.ask('POST', '/v2/terminal-payments', body));
    while (!FINAL.has(statusOf(await agent.ask('GET', `/v2/terminal-payments/${made}`)))) await wait(LOOK_MS);
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** An import that was over before the payments were would have proved nothing. */
async function stillSyncing(agent: BenchAgent): Promise<void> {
  const answer = (await agent.ask('GET', '/v2/integrations/provider_a/streams')) as {
    data: { run: { read: number; outcome: string } | null }[];
  };
  const run = answer.data[0]?.run;
  if (run?.outcome !== 'running' || run.read === 0)
    throw new Error(
      `payments-beside: the import did not last as long as the payments: ${JSON.stringify(run)}`,
    );
}

function idOf(answer: unknown): string {
  return (answer as { data: { id: string } }).data.id;
}

function statusOf(answer: unknown): string {
  return (answer as { data: { status: string } }).data.status;
}
