import { stat } from 'node:fs';

/**
 * Calls `onLate` when a write is still open after `ms`, unless the machine rather than the port is slow.
 * A write goes through the same few threads as name look-ups and files: when they are all taken, or the process stood still,
 * it is late although the port is well. So a look at the root folder is sent after it; only a write that is older than an answered
 * look is stuck.
 * @returns to be called when the write has ended.
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
