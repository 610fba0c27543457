import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAMILIES, type Sample } from '../../../src/api/metrics/families.ts';
import { renderMetrics } from '../../../src/api/metrics/render.ts';
import { PaymentMeter } from '../../../src/boot/payment-meter.ts';
import type { PaymentEvent } from '../../../src/payment/payments.ts';
import { parseMetrics } from '../../support/prometheus.ts';

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

function figureOf(samples: readonly Sample[], text: string): number | undefined {
  return samples.find(
    ({ name, suffix = '', labels = {} }) =>
      `${name}${suffix} ${Object.values(labels).join(' ')}`.trim() === text,
  )?.value;
}

describe('the figures', () => {
  it('are read by a parser of the text format whatever a device is called', () => {
    const device = 'Counter "1" \\ 2\nleft';
    const text = renderMetrics([
      { name: 'tilld_lane_waiting', labels: { device }, value: 3 },
      { name: 'tilld_sync_freshness_seconds', labels: { provider: 'a', resource: 'b' }, value: Number.NaN },
      { name: 'tilld_payment_seconds', suffix: '_bucket', labels: { le: '+Inf' }, value: 4 },
    ]);
    expect(parseMetrics(text)).toEqual([
      {
        family: 'tilld_payment_seconds',
        name: 'tilld_payment_seconds_bucket',
        labels: { le: '+Inf' },
        value: 4,
      },
      { family: 'tilld_lane_waiting', name: 'tilld_lane_waiting', labels: { device }, value: 3 },
      {
        family: 'tilld_sync_freshness_seconds',
        name: 'tilld_sync_freshness_seconds',
        labels: { provider: 'a', resource: 'b' },
        value: Number.NaN,
      },
    ]);
  });

  it('have names as Prometheus wants them: a counter ends in _total, and nothing else does', () => {
    for (const [name, { type }] of Object.entries(FAMILIES)) {
      expect(name).toMatch(/^tilld_[a-z_]+$/);
      expect(name.endsWith('_total'), name).toBe(type === 'counter');
    }
  });

  it('are those that the README lists, each with its kind', () => {
    const readme = readFileSync(join(ROOT, 'src/api/metrics/README.md'), 'utf8');
    const told = [...readme.matchAll(/^\| `(tilld_\w+)` \| (\w+) \|/gm)].map(([, name, type]) => ({
      name,
      type,
    }));
    expect(told.map(({ name }) => name).sort()).toEqual(NAMES);
    for (const { name, type } of told)
      expect(Object.entries(FAMILIES).find(([one]) => one === name)?.[1].type).toBe(type);
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
  it('counts each end once, by what it was and how it ended', () => {
    const meter = new PaymentMeter();
    meter.event(ended('terminal_payment.in_progress', 1_000, 2_000));
    meter.event(ended('terminal_payment.succeeded', 1_000, 4_000));
    meter.event(ended('terminal_payment.declined', 1_000, 60_000));
    meter.event(ended('terminal_refund.succeeded', 1_000, 2_000));
    meter.event(ended('settlement.created', 1_000, 2_000));
    const samples = meter.samples();
    expect(figureOf(samples, 'tilld_payments_total payment succeeded')).toBe(1);
    expect(figureOf(samples, 'tilld_payments_total payment declined')).toBe(1);
    expect(figureOf(samples, 'tilld_payments_total refund succeeded')).toBe(1);
    expect(figureOf(samples, 'tilld_payments_total void error')).toBe(0);
  });

  it('puts what it took into every bucket that holds it, and nothing of what never reached a terminal', () => {
    const meter = new PaymentMeter();
    meter.event(ended('terminal_payment.succeeded', 1_000, 4_000));
    meter.event(ended('terminal_payment.cancelled', null, 4_000));
    meter.event(ended('terminal_payment.succeeded', 5_000, 4_000));
    const samples = meter.samples();
    const buckets = ['1', '2', '5', '300', '+Inf'].map((le) =>
      figureOf(samples, `tilld_payment_seconds_bucket ${le}`),
    );
    expect(buckets).toEqual([1, 1, 2, 2, 2]);
    expect([
      figureOf(samples, 'tilld_payment_seconds_sum'),
      figureOf(samples, 'tilld_payment_seconds_count'),
    ]).toEqual([3, 2]);
  });
});
