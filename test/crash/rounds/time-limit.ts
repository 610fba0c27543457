/** True once a limit is over. */
export type TimeLimit = () => boolean;

/** Over by any clock. */
const MOST_MS = 600_000;

/**
 * A limit on what a process does with its time: what it had to wait for a processor does not count, so that a machine that is busy with
 * other things makes nobody stuck. Ten minutes are the end of it all the same.
 */
export function timeLimitOf(process: { readonly starvedMs: number }, limitMs: number): TimeLimit {
  const startedAt = performance.now();
  const starvedBefore = process.starvedMs;
  return () => {
    const passedMs = performance.now() - startedAt;
    return passedMs > MOST_MS || passedMs - (process.starvedMs - starvedBefore) > limitMs;
  };
}
