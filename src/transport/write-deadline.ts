import { stat } from 'node:fs';

/**
 * Calls `onLate` when a write is still open after `ms`, unless the machine rather than the port is slow.
 * A write uses the same few threads as name look-ups and files: when all are busy, or the process stood still, it is late although the port works. So
 * a `stat` of the root folder follows it; only a write that is older than an answered `stat` is stuck.
 * @returns a function to call when the write has ended.
 */
export function watchWrite(ms: number, onLate: () => void): () => void {
  let isOpen = true;
  const timer = setTimeout(() => {
    stat('/', () =>
      setImmediate(() => {
        if (isOpen) onLate();
      }),
    );
  }, ms);
  return () => {
    isOpen = false;
    clearTimeout(timer);
  };
}
