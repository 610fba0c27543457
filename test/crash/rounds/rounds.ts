import { playRounds, type RoundsOptions } from './run.ts';

const INTERRUPTED = 130;

/**
 * Kills the real daemon, round after round, and holds the terminal's ledger against its books.
 * Prints one JSON line at the end; what was broken goes to standard error with its seed.
 * @returns the exit code: 1 when a rule was broken or a commit that was seen was never hit, 130 after Ctrl-C.
 */
export async function runRounds(options: RoundsOptions): Promise<number> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    const summary = await playRounds(options, stop.signal);
    process.stdout.write(`${JSON.stringify(summary)}\n`);
    if (stop.signal.aborted) return INTERRUPTED;
    return summary.failures.length > 0 || summary.uncovered.length > 0 ? 1 : 0;
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}
