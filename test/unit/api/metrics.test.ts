import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PaymentMeter } from '../../../src/agent/payment-meter.ts';
import { FAMILIES, type Family } from '../../../src/api/metrics/families.ts';
import { Metrics } from '../../../src/api/metrics/metrics.ts';
import type { PaymentEvent } from '../../../src/payment/payments.ts';
import { parseMetrics, type Read } from '../../support/prometheus.ts';

const ROOT = join(import.meta.dirname, '../../..');
const NAMES = Object.keys(FAMILIES).sort();

function ended(
  type: string,
  dispatchedAt: number | null,
  completedAt: number,
): Pick<PaymentEvent, 'type' | 'subject'> {
  const attempt = { dispatchedAt, completedAt };
  // The meter reads two instants of it.
  return { type, subject: { kind: 'payment', view: { attempt } } } as unknown as PaymentEvent;
}

/** A meter, and what a scraper reads of it. */
function aMeter() {
  const metrics = new Metrics();
  return { meter: new PaymentMeter(metrics), read: async () => parseMetrics(await metrics.text([])) };
}

function figureOf(read: readonly Read[], text: string): number | undefined {
  return read.find(({ name, labels }) => `${name} ${Object.values(labels).join(' ')}`.trim() === text)?.value;
}

describe('the figures', () => {
  it('are read by a parser of the text format whatever a device is called', async () => {
    const device = 'Counter "1" \\ 2\nleft';
    const text = await new Metrics().text([
      { name: 'tilld_lane_waiting', labels: { device }, value: 3 },
      { name: 'tilld_sync_freshness_seconds', labels: { provider: 'a', resource: 'b' }, value: Number.NaN },
    ]);
    expect(parseMetrics(text).filter(({ family }) => family !== 'tilld_payment_seconds')).toEqual([
      { family: 'tilld_lane_waiting', name: 'tilld_lane_waiting', labels: { device }, value: 3 },
      {
        family: 'tilld_sync_freshness_seconds',
        name: 'tilld_sync_freshness_seconds',
        labels: { provider: 'a', resource: 'b' },
        value: Number.NaN,
      },
    ]);
  });

  it('are written as they were before prom-client wrote them', async () => {
    const metrics = new Metrics();
    const meter = new PaymentMeter(metrics);
    meter.event(ended('terminal_payment.succeeded', 1_000, 4_200));
    meter.event(ended('terminal_void.error', 1_000, 400_000));
    metrics.syncRuns.inc({ provider: 'shop', resource: 'invoices', outcome: 'complete' });
    metrics.syncRuns.inc({ provider: 'shop', resource: 'invoices', outcome: 'complete' });
    const streams = { provider: 'shop', resource: 'a "b" \\ c\nd' };
    const text = await metrics.text([
      {
        name: 'tilld_info',
        labels: { version: '1', node: '24', environment: 'live', service: 'none' },
        value: 1,
      },
      { name: 'tilld_terminal_state', labels: { device: 'Kasse ä', state: 'ready' }, value: 1 },
      { name: 'tilld_terminal_state', labels: { device: 'Kasse ä', state: 'busy' }, value: 0 },
      { name: 'tilld_sync_freshness_seconds', labels: streams, value: Number.NaN },
      { name: 'tilld_oldest_unreported_seconds', value: 0.125 },
      { name: 'tilld_disk_free_bytes', value: 1.5e21 },
      { name: 'tilld_service_clock_skew_seconds', value: Number.NEGATIVE_INFINITY },
    ]);
    await expect(text).toMatchFileSnapshot('metrics.txt');
  });

  it('leave out what was known at the last look and is not known now', async () => {
    const metrics = new Metrics();
    expect(await metrics.text([{ name: 'tilld_service_clock_skew_seconds', value: 1 }])).toContain('skew');
    expect(await metrics.text([])).not.toContain('skew');
  });

  it('have names as Prometheus wants them: a counter ends in _total, and nothing else does', () => {
    for (const [name, { type }] of Object.entries(FAMILIES)) {
      expect(name).toMatch(/^tilld_[a-z_]+$/);
      expect(name.endsWith('_total'), name).toBe(type === 'counter');
    }
  });

  it('are those that the README lists, each with its kind and its labels', () => {
    const readme = readFileSync(join(ROOT, 'src/api/metrics/README.md'), 'utf8');
    const documented = [...readme.matchAll(/^\| `(tilld_\w+)` \| (\w+) \| ([\w, ]*) \|/gm)].map(
      ([, name, type, labels = '']) => ({ name, type, labels: labels.split(', ').filter(Boolean) }),
    );
    expect(documented.map(({ name }) => name).sort()).toEqual(NAMES);
    for (const { name, type, labels } of documented) {
      const family: Family | undefined = Object.entries(FAMILIES).find(([one]) => one === name)?.[1];
      expect([family?.type, family?.type === 'histogram' ? ['le'] : (family?.labels ?? [])]).toEqual([
        type,
        labels,
      ]);
    }
  });

  it('are all on the dashboard, and it asks for no other', () => {
    const dashboard = readFileSync(join(ROOT, 'config/grafana/tilld.json'), 'utf8');
    const used = [...dashboard.matchAll(/tilld_[a-z_]+/g)].map(([name]) =>
      name.replace(/_(bucket|sum|count)$/, ''),
    );
    expect([...new Set(used)].sort()).toEqual(NAMES);
    expect(JSON.parse(dashboard).panels.length).toBeGreaterThan(15);
  });
});

describe('the meter of payments', () => {
  it('counts each end once, by what it was and how it ended', async () => {
    const { meter, read } = aMeter();
    meter.event(ended('terminal_payment.in_progress', 1_000, 2_000));
    meter.event(ended('terminal_payment.succeeded', 1_000, 4_000));
    meter.event(ended('terminal_payment.declined', 1_000, 60_000));
    meter.event(ended('terminal_refund.succeeded', 1_000, 2_000));
    meter.event(ended('settlement.created', 1_000, 2_000));
    const figures = await read();
    expect(figureOf(figures, 'tilld_payments_total payment succeeded')).toBe(1);
    expect(figureOf(figures, 'tilld_payments_total payment declined')).toBe(1);
    expect(figureOf(figures, 'tilld_payments_total refund succeeded')).toBe(1);
    expect(figureOf(figures, 'tilld_payments_total void error')).toBe(0);
  });

  it('puts what it took into every bucket that holds it, and nothing of what never reached a terminal', async () => {
    const { meter, read } = aMeter();
    meter.event(ended('terminal_payment.succeeded', 1_000, 4_000));
    meter.event(ended('terminal_payment.cancelled', null, 4_000));
    meter.event(ended('terminal_payment.succeeded', 5_000, 4_000));
    const figures = await read();
    const buckets = ['1', '2', '5', '300', '+Inf'].map((le) =>
      figureOf(figures, `tilld_payment_seconds_bucket ${le}`),
    );
    expect(buckets).toEqual([1, 1, 2, 2, 2]);
    expect([
      figureOf(figures, 'tilld_payment_seconds_sum'),
      figureOf(figures, 'tilld_payment_seconds_count'),
    ]).toEqual([3, 2]);
  });
});
