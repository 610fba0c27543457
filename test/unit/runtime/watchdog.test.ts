import { describe, expect, it } from 'vitest';
import { overdue } from '../../../src/base/heartbeat.ts';
import { silentLog } from '../../../src/base/log.ts';
import { EventLoopHeartbeat } from '../../../src/runtime/event-loop-heartbeat.ts';
import { Watchdog } from '../../../src/runtime/watchdog.ts';
import { journalSign } from '../../../src/store/journal/journal-sign.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

/** A watchdog with a limit of 60 s over these parts; `fed` counts. */
function aWatchdog(clock: VirtualClock, parts: ConstructorParameters<typeof Watchdog>[0]['parts']) {
  const notified: { readonly message: string; readonly parts: unknown }[] = [];
  const state = { fed: 0, notified };
  const log = {
    ...silentLog,
    error: (fields: object, message: string) =>
      notified.push({ message, parts: 'parts' in fields ? fields.parts : null }),
  };
  const feed = () => {
    state.fed += 1;
  };
  const watchdog = new Watchdog({ timeLimitMs: 60_000, parts, feed, clock, log });
  watchdog.start();
  return Object.assign(state, { watchdog });
}

describe('who is overdue', () => {
  const part = (name: string, dueBy: () => number) => ({ name, dueBy });

  it('is who has passed its own word by more than the grace, and nobody else', () => {
    const parts = [part('early', () => 100), part('late', () => 69), part('never', () => Infinity)];
    expect(overdue(parts, 100, 30)).toEqual(['late']);
    expect(overdue(parts, 99, 30)).toEqual([]);
  });

  it('is also who cannot be asked, or says no number', () => {
    const broken = part('broken', () => {
      throw new Error('gone');
    });
    expect(overdue([broken, part('odd', () => Number.NaN)], 0, 1000)).toEqual(['broken', 'odd']);
  });
});

describe('the watchdog', () => {
  it('is fed three times in the time limit of systemd while every part moves', async () => {
    const clock = new VirtualClock();
    const dog = aWatchdog(clock, [{ name: 'part', dueBy: () => clock.monotonic() }]);
    await clock.advance(120_000);
    expect(dog.fed).toBe(7);
    dog.watchdog.stop();
    await clock.advance(120_000);
    expect(dog.fed).toBe(7);
  });

  it('is not fed while a supervisor hangs, names it once, and is fed again when it moves', async () => {
    const clock = new VirtualClock();
    let due = 10_000;
    const dog = aWatchdog(clock, [{ name: 'terminal of Counter 1', dueBy: () => due }]);
    await clock.advance(40_000);
    const before = dog.fed;
    await clock.advance(120_000);
    expect(dog.fed).toBe(before);
    expect(dog.notified).toEqual([
      {
        message: 'a heartbeat is missing: the watchdog is not fed until it is back',
        parts: ['terminal of Counter 1'],
      },
    ]);
    due = clock.monotonic() + 60_000;
    await clock.advance(20_000);
    expect(dog.fed).toBe(before + 1);
  });

  it('starves when timers run in a loop that never comes to its sockets', async () => {
    const clock = new VirtualClock();
    let turns = true;
    const loop = new EventLoopHeartbeat(clock, (then) => {
      if (turns) then();
    });
    loop.start();
    const dog = aWatchdog(clock, [loop]);
    await clock.advance(60_000);
    expect(dog.fed).toBe(4);
    turns = false;
    await clock.advance(40_000);
    const hungry = dog.fed;
    await clock.advance(120_000);
    expect(dog.fed).toBe(hungry);
  });

  it('starves when the journal cannot be read any more', async () => {
    const clock = new VirtualClock();
    const database = aMoneyDatabase();
    const dog = aWatchdog(clock, [journalSign(database, clock)]);
    await clock.advance(60_000);
    expect(dog.fed).toBe(4);
    database.close();
    await clock.advance(40_000);
    const hungry = dog.fed;
    await clock.advance(120_000);
    expect(dog.fed).toBe(hungry);
  });
});
