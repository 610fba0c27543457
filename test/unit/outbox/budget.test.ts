import { describe, expect, it } from 'vitest';
import { Budget, type BudgetPriority } from '../../../src/outbox/budget.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const NOTHING = { limit: null, remaining: null };

function drain(budget: Budget, priority: BudgetPriority): number {
  let taken = 0;
  while (budget.take(priority) === 0) taken += 1;
  return taken;
}

/** Takes as often as allowed for `ms`. */
async function run(
  clock: VirtualClock,
  budget: Budget,
  priority: BudgetPriority,
  ms: number,
): Promise<number> {
  let taken = 0;
  for (const end = clock.monotonic() + ms; clock.monotonic() < end; ) {
    const waitMs = budget.take(priority);
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

  it('gives a sync the rate that nothing else wants, and leaves most of the burst to payments', async () => {
    const clock = new VirtualClock();
    const budget = new Budget(clock);
    const taken = await run(clock, budget, 'sync', 10 * 60_000);
    expect(taken).toBeGreaterThanOrEqual(598);
    expect(drain(budget, 'outcome')).toBeGreaterThanOrEqual(6);
  });

  it.each(['backlog', 'poll and backlog', 'outcome'] as const)(
    'a sync has a quarter of the rate at most, and never much less, while %s wants all of it',
    async (others) => {
      const [clock, minutes] = [new VirtualClock(), 30];
      const budget = new Budget(clock);
      const counts: Record<BudgetPriority, number> = { outcome: 0, poll: 0, sync: 0, backlog: 0 };
      const order: readonly BudgetPriority[] =
        others === 'poll and backlog' ? ['poll', 'backlog', 'sync'] : [others, 'sync'];
      for (let tick = 0; tick < minutes * 60; tick += 1) {
        // Outcomes come at half the rate: at all of it nothing else could go at all.
        for (const priority of order)
          while ((priority !== 'outcome' || counts.outcome * 2 < tick) && budget.take(priority) === 0)
            counts[priority] += 1;
        await clock.advance(1_000);
      }
      expect(counts.sync).toBeGreaterThanOrEqual(minutes * 14);
      if (others !== 'outcome') expect(counts.sync).toBeLessThanOrEqual(minutes * 15 + 6);
      if (others === 'backlog') expect(counts.backlog).toBeGreaterThanOrEqual(minutes * 44);
      if (others === 'poll and backlog') expect(counts.poll).toBeGreaterThanOrEqual(minutes * 14);
    },
  );

  it('has room for a fresh outcome whatever syncs and reports that have waited take', async () => {
    const clock = new VirtualClock();
    const budget = new Budget(clock);
    for (let tick = 0; tick < 600; tick += 1) {
      for (const priority of ['sync', 'backlog', 'sync'] as const) while (budget.take(priority) === 0);
      if (tick % 10 === 0) expect(budget.take('outcome')).toBe(0);
      await clock.advance(500);
    }
  });

  it('a sync goes with the smallest burst, too', async () => {
    const clock = new VirtualClock();
    const budget = new Budget(clock, { perMinute: 60, burst: 1 });
    expect(await run(clock, budget, 'sync', 60_000)).toBeGreaterThanOrEqual(59);
  });

  it('pays back what could not wait', () => {
    const budget = new Budget(new VirtualClock());
    drain(budget, 'outcome');
    budget.spend();
    budget.spend();
    expect(budget.take('outcome')).toBe(3_000);
  });

  it('does not sink into debt without a bottom', () => {
    const budget = new Budget(new VirtualClock());
    for (let count = 0; count < 1_000; count += 1) budget.spend();
    expect(budget.take('outcome')).toBe(11_000);
  });

  it('stops every priority after a 429 until Retry-After, then goes slower, and recovers', async () => {
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
