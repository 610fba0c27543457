import { expect, it } from 'vitest';
import { STREAM_LIMITS } from '../../../src/api/stream/event-stream.ts';
import { EventStreams } from '../../../src/api/stream/event-streams.ts';
import { openShop } from './shop.ts';

const PLACES = 8;
const stillAllowed = () => true;

/** Opens a stream for a caller; false when it is refused. */
function opener() {
  const streams = new EventStreams(openShop().deps, STREAM_LIMITS, PLACES);
  const open = (id: string): boolean => {
    try {
      const stop = streams.reply(null, { id, stillAllowed }).open({
        write: () => undefined,
        buffered: 0,
        onDrain: () => undefined,
        onClose: () => undefined,
        end: () => undefined,
        cut: () => undefined,
      });
      stops.push(stop);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'STREAMS_EXHAUSTED', retry: 'safe' });
      return false;
    }
  };
  const stops: (() => void)[] = [];
  return { open, streams, stops };
}

it('one key takes a quarter of the event streams at most, and gives them back', () => {
  const { open, streams, stops } = opener();
  expect([open('a'), open('a'), open('a')]).toEqual([true, true, false]);
  stops[0]?.();
  expect([open('a'), open('a')]).toEqual([true, false]);
  streams.stop();
});

it('keys that take all their places leave the unix socket its own', () => {
  const { open, streams } = opener();
  for (const id of ['a', 'b', 'c', 'd']) expect([open(id), open(id)]).toEqual([true, true]);
  expect(open('e')).toBe(false);
  expect(Array.from({ length: PLACES + 1 }, () => open('socket'))).toEqual([
    ...Array.from({ length: PLACES }, () => true),
    false,
  ]);
  streams.stop();
});
