import { describe, expect, it } from 'vitest';
import { CreateWatch, type Listed } from '../../../src/service/create-watch.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { APPLIED, LOST, no } from '../outbox/scripted-service.ts';

const body = { deviceId: 'd', amountMinor: 5 };
const sale = (deviceId: string, amountMinor: number): Listed => ({
  type: 'sale',
  parentId: null,
  deviceId,
  amountMinor,
});

describe('Creates on their way', () => {
  it('make a listed payment of the same device and amount suspect until a poll is asked after their answer', async () => {
    const clock = new VirtualClock();
    const creates = new CreateWatch(clock);
    expect(creates.mayBeOurs(sale('d', 5), 0)).toBe(false);
    creates.begin('k', body);
    expect(creates.mayBeOurs(sale('d', 5), clock.monotonic())).toBe(true);
    await clock.advance(100);
    creates.end('k', APPLIED);
    expect(creates.mayBeOurs(sale('d', 5), 99)).toBe(true);
    expect(creates.mayBeOurs(sale('d', 5), 101)).toBe(false);
  });

  it('say nothing of another device or amount', () => {
    const creates = new CreateWatch(new VirtualClock());
    creates.begin('k', body);
    expect([creates.mayBeOurs(sale('e', 5), 0), creates.mayBeOurs(sale('d', 6), 0)]).toEqual([false, false]);
  });

  it('of a refund or void make suspect what is listed below that sale, under either of its names, and nothing else', async () => {
    const clock = new VirtualClock();
    const creates = new CreateWatch(clock);
    creates.begin('k', { type: 'refund', parentIds: ['ours', 'theirs'] });
    const below = (type: Listed['type'], parentId: string | null) =>
      creates.mayBeOurs({ type, parentId, deviceId: 'd', amountMinor: 5 }, clock.monotonic());
    expect([below('refund', 'ours'), below('refund', 'theirs')]).toEqual([true, true]);
    expect([
      below('refund', 'other'),
      below('refund', null),
      below('void', 'ours'),
      below('sale', null),
    ]).toEqual([false, false, false, false]);
    await clock.advance(1);
    creates.end('k', APPLIED);
    await clock.advance(1);
    expect(below('refund', 'ours')).toBe(false);
  });

  it('stay open without an answer, and end with a final no', async () => {
    const clock = new VirtualClock();
    const creates = new CreateWatch(clock);
    creates.begin('k', body);
    creates.end('k', LOST);
    await clock.advance(1_000);
    expect(creates.mayBeOurs(sale('d', 5), 900)).toBe(true);
    creates.end('k', no('refused', 422));
    expect(creates.mayBeOurs(sale('d', 5), 1_001)).toBe(false);
  });

  it('are remembered up to a maximum, the oldest gives way', () => {
    const creates = new CreateWatch(new VirtualClock());
    for (let count = 0; count <= 1_000; count += 1)
      creates.begin(`k${count}`, { deviceId: 'd', amountMinor: count });
    expect([
      creates.mayBeOurs(sale('d', 0), 0),
      creates.mayBeOurs(sale('d', 1), 0),
      creates.mayBeOurs(sale('d', 1_000), 0),
    ]).toEqual([false, true, true]);
  });
});
