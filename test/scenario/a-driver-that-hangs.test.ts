import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { isFinal } from '../../src/payment/attempt/state-machine.ts';
import { GIVE_UP_MS, PHASE_MS } from '../../src/payment/dispatch/phase-limits.ts';
import type { Observer, Outcome } from '../../src/terminal/ports.ts';
import { aReport } from '../support/attempts.ts';
import { aShopWith, type Execute } from './odd-driver.ts';

const report = aReport();
const never = new Promise<Outcome>(() => undefined);
/** What a driver has told before it hangs, phase by phase. */
const REPORT: Record<keyof typeof PHASE_MS, (observer: Observer) => void> = {
  dispatched: () => undefined,
  accepted: (observer) => void observer.accepted(),
  approved: (observer) => void (observer.accepted() && observer.beforeAcknowledge(report)),
};
const PHASES = [
  ['dispatched', 'not_charged'],
  ['accepted', 'not_charged'],
  ['approved', 'reversed_by_terminal'],
] as const;

const approves: Execute = async (observer) => {
  const outcome = { kind: 'approved', report, receipts: {} } as const;
  observer.accepted();
  observer.beforeAcknowledge(report);
  observer.beforeEnd(outcome);
  return outcome;
};

describe('a driver that hangs', () => {
  it.each(PHASES)(
    'in "%s" but heeds its signal is in doubt after the time of that phase, then %s, and the queue goes on',
    async (phase, code) => {
      const shop = await aShopWith((observer, signal) => {
        REPORT[phase](observer);
        return new Promise((resolve) => {
          const end = () => resolve({ kind: 'unknown', code: 'PHASE_TIMEOUT', message: 'gave up' });
          signal.addEventListener('abort', end, { once: true });
        });
      });
      const { id } = shop.sell(1234);
      await shop.until(() => shop.attempt(id).state.name === phase, 1000);
      const since = shop.clock.monotonic();
      await shop.clock.advance(PHASE_MS[phase] - 100);
      expect(shop.attempt(id).state.name).toBe(phase);
      await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 1000);
      expect(shop.clock.monotonic() - since).toBeLessThanOrEqual(PHASE_MS[phase] + 100);
      await shop.until(() => isFinal(shop.attempt(id).state), 60_000);
      expect(shop.attempt(id)).toMatchObject({ state: { name: 'error' }, reason: { code } });
      shop.next.execute = approves;
      const second = shop.sell(500);
      await shop.until(() => shop.attempt(second.id).state.name === 'succeeded', 10_000);
    },
  );

  it.each(PHASES)(
    'in "%s" and ignores its signal is left behind, and neither writes nor is allowed anything afterwards',
    async (phase) => {
      const left: { observer?: Observer } = {};
      const shop = await aShopWith((observer) => {
        REPORT[phase](observer);
        left.observer = observer;
        return never;
      });
      const { id } = shop.sell(1234);
      await shop.until(() => shop.attempt(id).state.name === phase, 1000);
      await shop.clock.advance(PHASE_MS[phase] + GIVE_UP_MS - 200);
      expect(shop.attempt(id).state.name).toBe(phase);
      await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 1000);
      expect(shop.attempt(id).reason?.code).toBe('driver_error');
      const before = shop.attempt(id);
      const { observer } = left;
      expect([
        observer?.accepted(),
        observer?.beforeAcknowledge(report),
        observer?.beforeEnd({ kind: 'approved', report, receipts: {} }),
      ]).toEqual([false, false, false]);
      expect(shop.attempt(id)).toEqual(before);
      await shop.until(() => isFinal(shop.attempt(id).state), 60_000);
      shop.next.execute = approves;
      const second = shop.sell(500);
      await shop.until(() => shop.attempt(second.id).state.name === 'succeeded', 10_000);
    },
  );

  it('not: then nobody listens to its signal any more, so that no dialogue stays in memory', async () => {
    const heard: AbortSignal[] = [];
    const shop = await aShopWith((observer, signal, command) => {
      heard.push(signal);
      return approves(observer, signal, command);
    });
    const { id } = shop.sell(1234);
    await shop.until(() => shop.attempt(id).state.name === 'succeeded', 10_000);
    expect(heard.map((signal) => getEventListeners(signal, 'abort'))).toEqual([[]]);
  });

  it('and throws is in doubt at once', async () => {
    const shop = await aShopWith(async () => {
      throw new Error('bug');
    });
    const { id } = shop.sell(1234);
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 1000);
    expect(shop.attempt(id).reason?.code).toBe('driver_error');
  });
});
