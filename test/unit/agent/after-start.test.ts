import { describe, expect, it } from 'vitest';
import { afterStart } from '../../../src/agent/after-start.ts';
import { silentLog } from '../../../src/base/log.ts';
import { Lifecycle } from '../../../src/runtime/lifecycle.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

function aStart() {
  const clock = new VirtualClock();
  const lifecycle = new Lifecycle(silentLog);
  const stopping = new AbortController();
  const begun: number[] = [];
  const over = afterStart({ clock, lifecycle, signal: stopping.signal }, () => begun.push(clock.monotonic()));
  return { clock, lifecycle, stopping, begun, over };
}

describe('what no payment needs', () => {
  it('begins a second after the start is over, once', async () => {
    const { clock, begun, over } = aStart();
    await clock.advance(300);
    over();
    await clock.advance(60_000);
    expect(begun).toEqual([1_300]);
  });

  it('does not wait for a terminal that does not come, and does not begin again when it comes', async () => {
    const { clock, begun, over } = aStart();
    await clock.advance(20_000);
    over();
    await clock.advance(60_000);
    expect(begun).toEqual([15_000]);
  });

  it('does not begin any more when tilld is told to stop', async () => {
    const { clock, lifecycle, stopping, begun, over } = aStart();
    over();
    stopping.abort();
    await clock.advance(60_000);
    await lifecycle.stop();
    over();
    expect([begun, clock.pending]).toEqual([[], []]);
  });
});
