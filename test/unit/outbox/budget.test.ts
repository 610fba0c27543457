import { describe, expect, it } from 'vitest';
import { Budget, type BudgetLane } from '../../../src/outbox/budget.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const NOTHING = { limit: null, remaining: null };

function drain(budget: Budget, lane: BudgetLane): number {
  let taken = 0;
  while (budget.take(lane) === 0) taken += 1;
  return taken;
}

/** Takes as often as allowed for `ms`. */
async function run(clock: VirtualClock, budget: Budget, lane: BudgetLane, ms: number): Promise<number> {
  let taken = 0;
  for (const end = clock.monotonic() + ms; clock.monotonic() < end; ) {
    const waitMs = budget.take(lane);
    if (waitMs === 0) taken += 1;
    else await clock.advance(Math.min(waitMs, end - clock.monotonic()));
  }
  return taken;
}

describe('Budget', () => {
  it('allows the burst at once and then the rate, no more and no less', async () => {
    const clock = new VirtualClock();
    const budget = new Budget(clock);
    expect(drain(budget, 'outcome')).toBe(10);
    expect(budget.take('outcome')).toBe(1_000);
    const taken = await run(clock, budget, 'outcome', 60_000);
    expect(taken).toBeGreaterThanOrEqual(59);
    expect(taken).toBeLessThanOrEqual(60);
  });

  it('gives polls a quarter of the rate at most', async () => {
    const clock = new VirtualClock();
    const taken = await run(clock, new Budget(clock), 'poll', 10 * 60_000);
    expect(taken).toBeGreaterThanOrEqual(149);
    expect(taken).toBeLessThanOrEqual(153);
  });

  it('keeps half the burst for outcomes while a backlog takes the whole rate', async () => {
    const clock = new VirtualClock();
    const budget = new Budget(clock);
    const taken = await run(clock, budget, 'backlog', 60_000);
    expect(taken).toBeGreaterThanOrEqual(64);
    expect(taken).toBeLessThanOrEqual(65);
    expect(drain(budget, 'outcome')).toBeGreaterThanOrEqual(5);
  });

  it('pays back what could not wait', () => {
    const budget = new Budget(new VirtualClock());
    drain(budget, 'outcome');
    budget.spend(2);
    expect(budget.take('outcome')).toBe(3_000);
  });

  it('does not sink into debt without a bottom', () => {
    const budget = new Budget(new VirtualClock());
    budget.spend(1_000_000);
    expect(budget.take('outcome')).toBe(11_000);
  });

  it('stops every lane after a 429 until Retry-After, then goes slower, and recovers', async () => {
    const clock = new VirtualClock();
    const budget = new Budget(clock);
    budget.exhausted(5_000);
    expect([budget.take('outcome'), budget.take('poll'), budget.take('backlog')]).toEqual([
      5_000, 5_000, 5_000,
    ]);
    expect(budget.perMinute).toBe(45);
    await run(clock, budget, 'outcome', 10 * 60_000);
    expect(budget.perMinute).toBe(60);
  });

  it("waits one token's time after a 429 without Retry-After", () => {
    const budget = new Budget(new VirtualClock());
    budget.exhausted(null);
    expect(budget.take('outcome')).toBe(1_000);
  });

  it('never falls so low that nothing goes, and believes no Retry-After over an hour', () => {
    const budget = new Budget(new VirtualClock());
    for (let count = 0; count < 100; count += 1) budget.exhausted(1e12);
    expect(budget.perMinute).toBe(6);
    expect(budget.take('outcome')).toBe(3_600_000);
  });

  it.each([
    [{ limit: 600, remaining: null }, 600],
    [{ limit: 30, remaining: null }, 30],
    [{ limit: 0, remaining: null }, 60],
    [{ limit: 1, remaining: null }, 6],
    [{ limit: 999_999_999, remaining: null }, 6_000],
    [NOTHING, 60],
  ])('learns %o as %i a minute', (headers, perMinute) => {
    const budget = new Budget(new VirtualClock());
    budget.learn(headers);
    expect(budget.perMinute).toBe(perMinute);
  });

  it('a header that repeats the known limit does not undo the slowing after a 429', () => {
    const budget = new Budget(new VirtualClock());
    budget.exhausted(0);
    budget.learn({ limit: 60, remaining: null });
    expect(budget.perMinute).toBe(45);
  });

  it("takes the service's word for what is left", () => {
    const budget = new Budget(new VirtualClock());
    budget.learn({ limit: null, remaining: 3 });
    expect(drain(budget, 'outcome')).toBe(3);
    budget.learn({ limit: null, remaining: 50 });
    expect(drain(budget, 'outcome')).toBe(0);
  });
});
