import { beforeEach, describe, expect, it } from 'vitest';
import { SilenceWatch } from '../../../src/terminal/silence-watch.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

let clock: VirtualClock;
let watch: SilenceWatch;
let silences: number;
beforeEach(() => {
  clock = new VirtualClock();
  watch = new SilenceWatch(clock);
  silences = 0;
});

function silent(): void {
  silences += 1;
}

/** A heartbeat whose answer comes when `answer` is called. */
function heartbeat(): { answer(): void; answered: Promise<string> } {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { answer: () => resolve('ready'), answered: watch.during(() => promise, silent) };
}

describe('a terminal counts as silent', () => {
  it('after 750 ms without an answer, once, and its late answer counts', async () => {
    const { answer, answered } = heartbeat();
    await clock.advance(749);
    expect(silences).toBe(0);
    await clock.advance(1);
    expect(silences).toBe(1);
    await clock.advance(10_000);
    answer();
    expect(await answered).toBe('ready');
    expect(silences).toBe(1);
    expect(clock.pending).toEqual([]);
  });

  it('not when it has answered in time', async () => {
    const { answer, answered } = heartbeat();
    await clock.advance(700);
    answer();
    await answered;
    await clock.advance(10_000);
    expect(silences).toBe(0);
    expect(clock.pending).toEqual([]);
  });

  it('later where it usually takes longer, and after 3 s at the latest', async () => {
    for (let beat = 0; beat < 10; beat += 1) {
      const { answer, answered } = heartbeat();
      await clock.advance(1000);
      answer();
      await answered;
    }
    silences = 0;
    heartbeat();
    await clock.advance(1700);
    expect(silences).toBe(0);
    await clock.advance(1300);
    expect(silences).toBe(1);
  });

  it('not because tilld stood still while the answer came', async () => {
    const { answer, answered } = heartbeat();
    clock.standStill(5000);
    // What fell due meanwhile comes first, as in the event loop, and only then what has been received.
    await clock.advance(0);
    expect(silences).toBe(0);
    answer();
    await answered;
    await clock.advance(10_000);
    expect(silences).toBe(0);
  });
});
