import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import { Exchange } from '../../../src/driver-kit/exchange.ts';
import { memoryLinkPair } from '../../support/memory-link.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const forever = new AbortController().signal;
const limit = { name: 't', ms: 1000 };

function opened() {
  const clock = new VirtualClock();
  const pair = memoryLinkPair();
  const exchange = new Exchange<number>(pair.ours, clock, {
    push: (bytes) => {
      if (bytes.includes(0xff)) throw new AppError('TERMINAL_GARBLED', 'no frame begins with FF');
      return [...bytes];
    },
  });
  exchange.start();
  return { clock, pair, exchange };
}

describe('Exchange', () => {
  it('loses no frame that came before the cut', async () => {
    const { clock, pair, exchange } = opened();
    await pair.theirs.write(Uint8Array.of(1, 2));
    pair.cut('unplugged', 'the cable');
    await clock.settle();
    expect([await exchange.next(limit, forever), await exchange.next(limit, forever)]).toEqual([1, 2]);
    await expect(exchange.next(limit, forever)).rejects.toMatchObject({
      code: 'TERMINAL_LINK_LOST',
      message: expect.stringContaining('the cable'),
    });
  });

  it('ends with the error of a stream that can no longer be read', async () => {
    const { clock, pair, exchange } = opened();
    await pair.theirs.write(Uint8Array.of(0xff));
    await clock.settle();
    await expect(exchange.next(limit, forever)).rejects.toMatchObject({ code: 'TERMINAL_GARBLED' });
  });

  it('gives the frames that came before the rest became unreadable, in the same piece too', async () => {
    const clock = new VirtualClock();
    const pair = memoryLinkPair();
    let broken: AppError | undefined;
    const exchange = new Exchange<number>(pair.ours, clock, {
      push: (bytes) => {
        const end = bytes.indexOf(0xff);
        if (end !== -1) broken = new AppError('TERMINAL_GARBLED', 'no frame begins with FF');
        return [...bytes.subarray(0, end === -1 ? bytes.length : end)];
      },
      get broken() {
        return broken;
      },
    });
    exchange.start();
    await pair.theirs.write(Uint8Array.of(1, 0xff, 2));
    expect(await exchange.next(limit, forever)).toBe(1);
    await expect(exchange.next(limit, forever)).rejects.toMatchObject({ code: 'TERMINAL_GARBLED' });
  });

  it('forgets what came unasked when it is drained', async () => {
    const { clock, pair, exchange } = opened();
    await pair.theirs.write(Uint8Array.of(1, 2));
    await clock.settle();
    expect(exchange.drain()).toBe(2);
    await pair.theirs.write(Uint8Array.of(3));
    expect(await exchange.next(limit, forever)).toBe(3);
  });
});
