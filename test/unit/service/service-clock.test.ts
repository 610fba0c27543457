import { describe, expect, it } from 'vitest';
import { ServiceClock } from '../../../src/service/service-clock.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { readableLog } from '../outbox/sender-harness.ts';

describe("The service's clock", () => {
  it('is not known before the service told its date', () => {
    const time = new ServiceClock(new VirtualClock(), readableLog().log);
    time.observe(null);
    expect([time.now(), time.skewMs()]).toEqual([null, null]);
  });

  it('goes on with the monotonic clock, whatever is done to the wall clock', async () => {
    const clock = new VirtualClock();
    const time = new ServiceClock(clock, readableLog().log);
    const date = clock.now() + 5_000;
    time.observe(date);
    await clock.advance(1_000);
    clock.jumpWallClock(-86_400_000);
    expect(time.now()).toBe(date + 1_000);
    expect(time.skewMs()).toBe(86_400_000 + 5_000);
  });

  it.each([
    [30_000, 0],
    [-30_000, 0],
    [30_001, 1],
    [-30_001, 1],
  ])('with a skew of %i ms warns %i times', (skew, times) => {
    const clock = new VirtualClock();
    const { log, lines } = readableLog();
    const time = new ServiceClock(clock, log);
    for (let count = 0; count < 3; count += 1) time.observe(clock.now() + skew);
    expect(lines.filter((line) => line.level === 'warn')).toHaveLength(times);
  });

  it('says when both agree again', () => {
    const clock = new VirtualClock();
    const { log, lines } = readableLog();
    const time = new ServiceClock(clock, log);
    time.observe(clock.now() + 60_000);
    time.observe(clock.now());
    expect(lines.map((line) => line.level)).toEqual(['warn', 'info']);
  });
});
