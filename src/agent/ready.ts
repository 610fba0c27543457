import { type Clock, sleep } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { StatusReport } from './status-report.ts';

/** How often the state is checked, at first and after a while. */
const LOOK_MS = { first: 5, later: 250 } as const;
/** After this long the log says why no payment can be taken yet. */
const SAY_WHY_MS = 10_000;

/** Resolves to true once tilld can take a payment, or to false when the signal aborts first. */
export async function whenReady(
  board: StatusReport,
  clock: Clock,
  log: Log,
  signal: AbortSignal,
): Promise<boolean> {
  const startedAt = clock.monotonic();
  let late = false;
  while (!signal.aborted) {
    const { can_sell, reasons } = board.health();
    if (can_sell) return true;
    if (!late && clock.monotonic() - startedAt >= SAY_WHY_MS) {
      late = true;
      log.warn({ reasons }, 'cannot sell yet');
    }
    await sleep(clock, late ? LOOK_MS.later : LOOK_MS.first, signal, 'ready').catch(() => undefined);
  }
  return false;
}
