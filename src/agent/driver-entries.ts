import type { Clock } from '../base/clock.ts';
import type { Link } from '../terminal/link.ts';

/** The clock as a driver gets it: `enter` is called before its timers run. */
export function clockOf(clock: Clock, enter: () => void): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    timer: (name, ms, fn) =>
      clock.timer(name, ms, () => {
        enter();
        fn();
      }),
  };
}

/** The link as a driver gets it: `enter` is called before the driver goes on with what it waited for. */
export function linkOf(link: Link, enter: () => void): Link {
  const entered = async <T>(wanted: Promise<T>): Promise<T> => {
    try {
      return await wanted;
    } finally {
      enter();
    }
  };
  return {
    kind: link.kind,
    closed: entered(link.closed),
    bytes: { [Symbol.asyncIterator]: () => chunksOf(link, enter) },
    write: (bytes) => entered(link.write(bytes)),
    close: () => entered(link.close()),
    abandon: () => entered(link.abandon()),
  };
}

async function* chunksOf(link: Link, enter: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of link.bytes) {
    enter();
    yield chunk;
  }
}
