import { type Clock, sleep, withDeadline } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { failureOf } from '../failure/failure.ts';
import type { PaymentWatch } from '../ports.ts';

/** The timeout of a request. */
const REQUEST_MS = 120_000;
const RETRY_AFTER_MS = [2_000, 8_000] as const;
/** A longer wait ends the run; the next run continues at the same place. */
const MOST_WAIT_MS = 30_000;
const MOST_WAITS = 10;
/** The shortest wait for a source that limits requests: one that counts by the second and rounds its wait down asks for 0 s. */
const LEAST_WAIT_MS = 1_000;
/**
 * Between two pages a run yields to payments. A shop with endless payments must still get its invoices: a run has a quota of checks, a page that
 * meets no payment returns some of them, and a run without quota waits for one check before each page.
 */
const PAYMENT_LOOK_MS = 125;
const MOST_PAYMENT_LOOKS = 240;
const LOOKS_BACK = 8;

export interface PageReaderDeps {
  readonly clock: Clock;
  readonly payments: PaymentWatch;
  /** False while disk space is short. */
  readonly mayWrite: () => boolean;
}

/** Sends requests with the retries that the cause of a failure allows; payments go first. */
export class PageReader {
  readonly #deps: PageReaderDeps;
  /** Renews the lease. */
  readonly #onWait: () => void;
  /** Checks for a payment that this run still waits for. */
  #looksLeft = MOST_PAYMENT_LOOKS;

  constructor(deps: PageReaderDeps, onWait: () => void) {
    this.#deps = deps;
    this.#onWait = onWait;
  }

  /** Yields to payments. @throws STORAGE_FULL where disk space is short; the signal's reason */
  async yieldToPayments(signal: AbortSignal): Promise<void> {
    const { clock, payments, mayWrite } = this.#deps;
    signal.throwIfAborted();
    for (let looks = Math.max(1, this.#looksLeft); payments.isBusy() && looks > 0; looks -= 1) {
      await sleep(clock, PAYMENT_LOOK_MS, signal, 'sync lets payments pass');
      this.#looksLeft = looks - 1;
    }
    if (!payments.isBusy()) this.#looksLeft = Math.min(MOST_PAYMENT_LOOKS, this.#looksLeft + LOOKS_BACK);
    if (mayWrite()) return;
    throw new AppError('STORAGE_FULL', 'the disk has no room to spare: payments come first', {
      retry: 'safe',
    });
  }

  /** Yields to all other work of this process, then to payments. @throws like `yieldToPayments` */
  async yieldToOtherWork(signal: AbortSignal): Promise<void> {
    await sleep(this.#deps.clock, 1, signal, 'sync pause');
    await this.yieldToPayments(signal);
  }

  /** Retries what may be retried, and waits where the other side asks for it; a long wait is left to the caller. */
  async patiently<T>(signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const tries = { failures: 0, waits: 0 };
    for (;;) {
      try {
        return await withDeadline(this.#deps.clock, REQUEST_MS, late, signal, (inner) =>
          settledBy(inner, ask),
        );
      } catch (error) {
        signal.throwIfAborted();
        const pause = pauseAfter(error, tries);
        if (pause === null) throw error;
        this.#onWait();
        await sleep(this.#deps.clock, pause, signal, 'sync waits');
      }
    }
  }
}

/** A connector that ignores its signal must not hold the run for ever. */
function settledBy<T>(signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    ask(signal)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** The wait before the next try, ms; null: no retry within this run. */
function pauseAfter(error: unknown, tries: { failures: number; waits: number }): number | null {
  const { effect, retryAfterMs } = failureOf(error);
  if (effect === 'retry') {
    const pause = RETRY_AFTER_MS[tries.failures] ?? null;
    tries.failures += 1;
    if (pause === null || retryAfterMs === null) return pause;
    return retryAfterMs > MOST_WAIT_MS ? null : Math.max(pause, retryAfterMs);
  }
  if (effect !== 'wait' || retryAfterMs === null || retryAfterMs > MOST_WAIT_MS) return null;
  tries.waits += 1;
  return tries.waits > MOST_WAITS ? null : Math.max(retryAfterMs, LEAST_WAIT_MS);
}

function late(): AppError {
  return new AppError('SOURCE_UNAVAILABLE', `no answer within ${REQUEST_MS / 1000} s`, { retry: 'safe' });
}
