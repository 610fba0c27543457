import { describe, expect, it } from 'vitest';
import { DriverTurns } from '../../../src/agent/driver-turns.ts';
import { type Log, type LogFields, silentLog } from '../../../src/base/log.ts';

/** Turns on a clock that the test sets, and what was logged. */
function someTurns() {
  const seen: { fields: LogFields; message: string }[] = [];
  const log: Log = { ...silentLog, error: (fields, message) => void seen.push({ fields, message }) };
  const time = { now: 0 };
  const turnEnds: (() => void)[] = [];
  const turns = new DriverTurns(
    log,
    () => time.now,
    (then) => void turnEnds.push(then),
  );
  const endTurn = () => {
    for (const then of turnEnds.splice(0)) then();
  };
  return { turns, time, endTurn, seen };
}

describe('a driver that holds the event loop', () => {
  it('is named with its device and the time, once the loop turns again', () => {
    const { turns, time, endTurn, seen } = someTurns();
    turns.enter('counter-1');
    time.now += 8000;
    endTurn();
    expect(seen).toEqual([
      { fields: { device: 'counter-1', blocked_ms: 8000 }, message: 'driver held the event loop' },
    ]);
  });

  it('is not confused with the one that runs before or after it in the same turn', () => {
    const { turns, time, endTurn, seen } = someTurns();
    turns.enter('counter-1');
    time.now += 10;
    turns.enter('counter-2');
    time.now += 2000;
    turns.enter('counter-3');
    time.now += 10;
    endTurn();
    expect(seen.map(({ fields }) => fields['device'])).toEqual(['counter-2']);
  });

  it('is not blamed for the time that a commit of the core takes, nor for what runs after its turn', () => {
    const { turns, time, endTurn, seen } = someTurns();
    turns.enter('counter-1');
    turns.inCore(() => {
      time.now += 5000;
    });
    endTurn();
    time.now += 60_000;
    turns.enter('counter-1');
    endTurn();
    expect(seen).toEqual([]);
  });
});
