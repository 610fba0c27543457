import { type Clock, sleep, withDeadline } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { failureOf } from './failure.ts';
import type { PaymentWatch } from './ports.ts';

/** A request must have answered by then. */
const REQUEST_MS = 120_000;
const RETRY_AFTER_MS = [2_000, 8_000] as const;
/** A longer wait ends the run; it goes on where it was. */
const MOST_WAIT_MS = 30_000;
const MOST_WAITS = 10;
/**
 * Between two pages a payment is let pass. A shop that never stops must not go without its invoices: a run has the patience of so many
 * looks, a page that meets no payment gives some of them back, and a run that has none left waits for one look before each page.
 */
const PAYMENT_LOOK_MS = 125;
const MOST_PAYMENT_LOOKS = 240;
const LOOKS_BACK = 8;

export interface FetcherPorts {
  readonly clock: Clock;
  readonly payments: PaymentWatch;
  /** False while the disk has no room to spare. */
  readonly mayWrite: () => boolean;
}

/** Asks others for something, with the patience that the cause of a failure deserves; payments go first. */
export class Fetcher {
  readonly #ports: FetcherPorts;
  /** Tells the lease that the run lives. */
  readonly #onWait: () => void;
  /** Looks at a payment that this run is still ready to wait for. */
  #patience = MOST_PAYMENT_LOOKS;

  constructor(ports: FetcherPorts, onWait: () => void) {
    this.#ports = ports;
    this.#onWait = onWait;
  }

  /** Lets payments pass. @throws STORAGE_FULL where the disk has no room; the signal's reason */
  async makeWay(signal: AbortSignal): Promise<void> {
    const { clock, payments, mayWrite } = this.#ports;
    signal.throwIfAborted();
    for (let looks = Math.max(1, this.#patience); payments.isBusy() && looks > 0; looks -= 1) {
      await sleep(clock, PAYMENT_LOOK_MS, signal, 'sync lets payments pass');
      this.#patience = looks - 1;
    }
    if (!payments.isBusy()) this.#patience = Math.min(MOST_PAYMENT_LOOKS, this.#patience + LOOKS_BACK);
    if (mayWrite()) return;
    throw new AppError('STORAGE_FULL', 'the disk has no room to spare: payments come first', {
      retry: 'safe',
    });
  }

  /** Lets everything else in this process have its turn. */
  async breathe(signal: AbortSignal): Promise<void> {
    await sleep(this.#ports.clock, 1, signal, 'sync breathes');
    await this.makeWay(signal);
  }

  /** Repeats what may be repeated, and waits where it was asked to; a long wait is the caller's. */
  async patiently<T>(signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const patience = { failures: 0, waits: 0 };
    for (;;) {
      try {
        return await withDeadline(this.#ports.clock, REQUEST_MS, late, signal, (inner) =>
          settledBy(inner, ask),
        );
      } catch (error) {
        signal.throwIfAborted();
        const pause = pauseAfter(error, patience);
        if (pause === null) throw error;
        this.#onWait();
        await sleep(this.#ports.clock, pause, signal, 'sync waits');
      }
    }
  }
}

/** A connector that does not heed its signal must not hold the run for ever. */
function settledBy<T>(signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    ask(signal)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** How long to wait before the next try, ms; null: not within this run. */
function pauseAfter(error: unknown, patience: { failures: number; waits: number }): number | null {
  const { consequence, retryAfterMs } = failureOf(error);
  if (consequence === 'retry') {
    const pause = RETRY_AFTER_MS[patience.failures] ?? null;
    patience.failures += 1;
    return pause;
  }
  if (consequence !== 'wait' || retryAfterMs === null || retryAfterMs > MOST_WAIT_MS) return null;
  patience.waits += 1;
  return patience.waits > MOST_WAITS ? null : retryAfterMs;
}

function late(): AppError {
  return new AppError('SOURCE_UNAVAILABLE', `no answer within ${REQUEST_MS / 1000} s`, { retry: 'safe' });
}
