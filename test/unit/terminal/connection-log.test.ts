import { describe, expect, it } from 'vitest';
import { SqliteTerminalActivity } from '../../../src/store/terminals/sqlite-terminal-activity.ts';
import { ConnectionLog, uptimeOf } from '../../../src/terminal/connection-log.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';

const COUNTER = '0199c0de-0000-7000-8000-000000000001';
const UP = { kind: 'up' } as const;
const DOWN = { kind: 'down', reason: 'connection lost: no power' } as const;
const MINUTE = 60_000;

function aShop() {
  const store = new SqliteTerminalActivity(aMoneyDatabase());
  const clock = { now: 1_000 * MINUTE };
  const start = () => new ConnectionLog({ store, deviceIds: [COUNTER], now: () => clock.now });
  return { store, clock, start };
}

describe('when a terminal was connected', () => {
  it('is recorded with its times and the reason, and the newest connection lasts', () => {
    const { clock, start } = aShop();
    const log = start();
    log.changed(COUNTER, UP);
    clock.now += 30 * MINUTE;
    log.changed(COUNTER, DOWN);
    clock.now += 10 * MINUTE;
    log.changed(COUNTER, UP);
    clock.now += 20 * MINUTE;
    const spans = log.spans(COUNTER, 0);
    expect(spans).toEqual([
      { state: 'connected', since: 1_040 * MINUTE, until: null, reason: null },
      {
        state: 'not_connected',
        since: 1_030 * MINUTE,
        until: 1_040 * MINUTE,
        reason: 'connection lost: no power',
      },
      { state: 'connected', since: 1_000 * MINUTE, until: 1_030 * MINUTE, reason: null },
    ]);
    expect(uptimeOf(spans, 0, clock.now)).toEqual({ connectedMs: 50 * MINUTE, knownMs: 60 * MINUTE });
  });

  it('counts the time in which tilld did not run as unknown, after a crash from the last note on', () => {
    const { clock, start } = aShop();
    const first = start();
    first.changed(COUNTER, UP);
    clock.now += 10 * MINUTE;
    first.keep();
    clock.now += 500 * MINUTE;
    const second = start();
    clock.now += MINUTE;
    second.changed(COUNTER, UP);
    clock.now += 9 * MINUTE;
    const spans = second.spans(COUNTER, 0);
    expect(spans.map(({ since, until }) => [since / MINUTE, until && until / MINUTE])).toEqual([
      [1_511, null],
      [1_000, 1_010],
    ]);
    expect(uptimeOf(spans, 0, clock.now)).toEqual({ connectedMs: 19 * MINUTE, knownMs: 19 * MINUTE });
  });

  it('of a terminal that was never reached is recorded from the start on', () => {
    const { clock, start } = aShop();
    const log = start();
    clock.now += 10 * MINUTE;
    log.keep();
    expect(log.spans(COUNTER, 0)).toMatchObject([{ state: 'not_connected', since: 1_000 * MINUTE }]);
    expect(uptimeOf(log.spans(COUNTER, 0), 0, clock.now)).toEqual({ connectedMs: 0, knownMs: 10 * MINUTE });
  });

  it('counts only what is inside of the time that is asked for, also of a connection that began before', () => {
    const { clock, start } = aShop();
    const log = start();
    log.changed(COUNTER, UP);
    clock.now += 100 * MINUTE;
    const from = clock.now - 40 * MINUTE;
    expect(uptimeOf(log.spans(COUNTER, from), from, clock.now)).toEqual({
      connectedMs: 40 * MINUTE,
      knownMs: 40 * MINUTE,
    });
  });

  it('counts no moment twice where the clock was set back', () => {
    const spans = [
      { state: 'connected', since: 50, until: null, reason: null },
      { state: 'not_connected', since: 0, until: 100, reason: 'no power' },
    ] as const;
    expect(uptimeOf(spans, 0, 120)).toEqual({ connectedMs: 70, knownMs: 120 });
  });

  it('keeps the newest thousand changes of a terminal that is connected and lost all the time', () => {
    const { clock, start } = aShop();
    const log = start();
    for (let no = 0; no < 1_100; no += 1) {
      clock.now += 1;
      log.changed(COUNTER, no % 2 === 0 ? UP : DOWN);
    }
    const spans = log.spans(COUNTER, 0);
    expect(spans.length).toBe(1_000);
    expect(spans[0]).toMatchObject({ state: 'not_connected', until: null });
  });
});
