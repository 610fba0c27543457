import { describe, expect, it } from 'vitest';
import type { StateName } from '../../../src/payment/attempt/state-machine.ts';
import { PHASE_MS, PhaseWatch } from '../../../src/payment/dispatch/phase-limits.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const way: readonly (readonly [keyof typeof PHASE_MS, readonly StateName[]])[] = [
  ['dispatched', []],
  ['accepted', ['accepted']],
  ['accepted', ['accepted', 'cancelling']],
  ['approved', ['accepted', 'approved']],
];

describe('the phases of a dialogue', () => {
  it.each(way)('give up after the time of "%s", to the millisecond, by way of %j', async (phase, states) => {
    const clock = new VirtualClock();
    const watch = new PhaseWatch(clock);
    for (const state of states) watch.entered(state);
    await clock.advance(PHASE_MS[phase] - 1);
    expect(watch.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(watch.signal.reason).toMatchObject({
      code: 'PHASE_TIMEOUT',
      moneyMoved: 'unknown',
      retry: 'after_recovery',
    });
  });

  it('count from the beginning of the phase, however often it is told', async () => {
    const clock = new VirtualClock();
    const watch = new PhaseWatch(clock);
    await clock.advance(PHASE_MS.dispatched - 1);
    watch.entered('accepted');
    await clock.advance(PHASE_MS.accepted - 1);
    watch.entered('accepted');
    watch.entered('cancelling');
    await clock.advance(1);
    expect(watch.signal.aborted).toBe(true);
  });

  it('begin anew when an approval is replaced by another result', async () => {
    const clock = new VirtualClock();
    const watch = new PhaseWatch(clock);
    for (const state of ['accepted', 'approved'] as const) watch.entered(state);
    await clock.advance(PHASE_MS.approved - 1);
    watch.entered('accepted');
    await clock.advance(PHASE_MS.accepted - 1);
    expect(watch.signal.aborted).toBe(false);
  });

  it('are over with the dialogue, and leave no timer', async () => {
    const clock = new VirtualClock();
    const watch = new PhaseWatch(clock);
    watch.entered('succeeded');
    watch.over();
    expect(clock.pending).toEqual([]);
    await clock.advance(PHASE_MS.accepted);
    expect(watch.signal.aborted).toBe(false);
  });
});
