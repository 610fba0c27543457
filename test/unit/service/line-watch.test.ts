import { beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { Trouble } from '../../../src/outbox/report-port.ts';
import { LineWatch, type Probe } from '../../../src/service/line-watch.ts';
import { ServiceHealth } from '../../../src/service/service-health.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { APPLIED } from '../outbox/scripted-service.ts';

let clock: VirtualClock;
let watch: LineWatch;
let health: ServiceHealth;
/** What a connection lacks; `hangs`: it is not decided. */
let missing: Trouble | null;
let hangs: boolean;
let tried: number;
let logged: string[];

beforeEach(() => {
  clock = new VirtualClock();
  health = new ServiceHealth(silentLog);
  [missing, hangs, tried, logged] = [null, false, 0, []];
  watch = new LineWatch({
    probe: () => {
      tried += 1;
      return aProbe();
    },
    clock,
    health: {
      get view() {
        return health.view;
      },
      suspect: (trouble) => {
        logged.push(trouble);
        health.suspect(trouble);
      },
    },
    back: () => logged.push('back'),
  });
  watch.start();
  health.observe(APPLIED, 'read');
});

function aProbe(): Probe {
  let close: () => void = () => undefined;
  const ended = hangs
    ? new Promise<void>((resolve) => {
        close = resolve;
      })
    : Promise.resolve();
  return { missing, ended, close: () => close() };
}

/** A request that is answered after so long; null: never. */
function request(ms: number | null): Promise<string> {
  return watch.over(
    () => new Promise((resolve) => void (ms !== null && clock.timer('answer', ms, () => resolve('answer')))),
  );
}

describe('The line to the service', () => {
  it('is not suspected by an answer in time, nor by many that are always slow', async () => {
    for (const ms of [200, 400, 700, 850, 1_200, 1_500, 1_900]) {
      const answer = request(ms);
      await clock.advance(2_000);
      expect(await answer).toBe('answer');
    }
    expect(logged).toEqual([]);
  });

  it.each([
    ['takes connections and is silent', null, false, 'service'],
    ['swallows what is sent to it', 'line', true, 'line'],
    ['has a name that nobody answers for', 'name_resolution', true, 'name_resolution'],
    ['refuses', 'service', false, 'service'],
  ] as const)('is called down within a second where it %s', async (_, layer, isHanging, trouble) => {
    missing = layer;
    hangs = isHanging;
    void request(null);
    await clock.advance(950);
    expect(logged.at(-1)).toBe(trouble);
  });

  it('is tried every second while it is down, and its return is told once', async () => {
    missing = 'line';
    await clock.advance(6_000);
    const before = tried;
    await clock.advance(5_000);
    expect(tried - before).toBe(5);
    expect(new Set(logged)).toEqual(new Set(['line']));
    missing = null;
    await clock.advance(3_000);
    expect(logged.filter((word) => word === 'back')).toHaveLength(1);
  });

  it('is tried while nothing else is sent, so that its loss shows within five seconds', async () => {
    const answer = request(10);
    await clock.advance(10);
    await answer;
    missing = 'line';
    await clock.advance(5_000);
    expect(logged).toContain('line');
  });

  it('is tried every five seconds while it is quiet and well, and not more often', async () => {
    await clock.advance(60_000);
    expect(tried).toBeGreaterThanOrEqual(11);
    expect(tried).toBeLessThanOrEqual(15);
    expect(logged).toEqual([]);
  });

  it('is left alone after the end, with no timer left', async () => {
    hangs = true;
    void request(null);
    await clock.advance(600);
    watch.stop();
    watch.stop();
    const before = tried;
    await clock.advance(60_000);
    expect(tried).toBe(before);
    expect(clock.pending).toEqual([]);
  });
});
