import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../src/api/metrics/families.ts';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually } from '../support/daemon.ts';
import { parseMetrics, type Read } from '../support/prometheus.ts';
import { tillctl } from '../support/till.ts';

/** Needs what this shop has not: a provider, or a service that said its time. */
const NOT_HERE = [
  'tilld_integration_paused',
  'tilld_provider_webhooks_total',
  'tilld_sync_runs_total',
  'tilld_sync_failures_total',
  'tilld_sync_freshness_seconds',
];
const SYNC = /^tilld_sync_/;

async function figuresOf(daemon: Daemon): Promise<readonly Read[]> {
  const answer = await fetch(`${daemon.url}/metrics`);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return parseMetrics(await answer.text());
}

function figure(
  read: readonly Read[],
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  const fits = (one: Read) => Object.entries(labels).every(([label, value]) => one.labels[label] === value);
  return read.find((one) => one.name === name && fits(one))?.value;
}

describe('the figures of a daemon', () => {
  it('show every family, and after a sale what it was, how long it took, and that nothing is pending or unknown', async () => {
    const daemon = await Daemon.start(await aWorld({ autopilotMs: 300 }));
    const before = await figuresOf(daemon);
    expect(figure(before, 'tilld_payments_total', { type: 'payment', outcome: 'succeeded' })).toBe(0);
    expect((await tillctl(daemon, 'pay', '--device', DEVICE_ID, '--amount', '12.50')).code).toBe(0);
    const read = await eventually(async () => {
      const now = await figuresOf(daemon);
      return figure(now, 'tilld_outbox_pending') === 0 && now;
    });
    const families = new Set(read.map(({ family }) => family));
    const wanted = Object.keys(FAMILIES).filter((name) => !NOT_HERE.includes(name) && !SYNC.test(name));
    expect([...families].filter((name) => !SYNC.test(name)).sort()).toEqual(wanted.sort());
    expect(figure(read, 'tilld_payments_total', { type: 'payment', outcome: 'succeeded' })).toBe(1);
    expect(figure(read, 'tilld_payment_seconds_count')).toBe(1);
    expect(figure(read, 'tilld_payment_seconds_bucket', { le: '300' })).toBe(1);
    expect(figure(read, 'tilld_terminal_state', { device: 'Counter 1', state: 'ready' })).toBe(1);
    expect(figure(read, 'tilld_info', { service: 'sandbox' })).toBe(1);
    for (const name of [
      'tilld_unknown_outcomes',
      'tilld_open_tasks',
      'tilld_outbox_parked',
      'tilld_oldest_unreported_seconds',
    ])
      expect(figure(read, name), name).toBe(0);
    for (const name of ['tilld_resident_memory_bytes', 'tilld_disk_free_bytes', 'tilld_database_bytes'])
      expect(figure(read, name), name).toBeGreaterThan(1000);
    await daemon.stop();
  });
});
