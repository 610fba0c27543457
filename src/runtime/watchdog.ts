import type { Clock, Timer } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { overdue, type SignOfLife } from '../base/sign-of-life.ts';

/** How late a sign of life may come: a small machine that is busy, a commit on a slow card. */
const GRACE_MS = 30_000;

export interface WatchdogPorts {
  /** systemd ends us when it is not fed for this long. */
  readonly patienceMs: number;
  readonly parts: readonly SignOfLife[];
  readonly feed: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Feeds systemd's watchdog, three times in its patience, as long as every part shows signs of life. Why: a daemon that hangs takes
 * no payment and tells nobody; a new one finds out how the last payment ended.
 *
 * INVARIANTS:
 * - an event loop that stands still feeds nothing, whatever the parts say;
 * - while one part is late nothing is fed, and the log says which one, once.
 */
export class Watchdog {
  readonly #ports: WatchdogPorts;
  #timer: Timer | null = null;
  #late = '';

  constructor(ports: WatchdogPorts) {
    this.#ports = ports;
  }

  start(): void {
    const { clock, patienceMs } = this.#ports;
    this.#look();
    this.#timer = clock.timer('watchdog', patienceMs / 3, () => this.start());
  }

  stop(): void {
    this.#timer?.stop();
  }

  #look(): void {
    const { parts, feed, clock, log } = this.#ports;
    const names = overdue(parts, clock.monotonic(), GRACE_MS);
    if (names.length === 0) feed();
    const late = names.join(', ');
    if (late !== '' && late !== this.#late)
      log.error({ parts: names }, 'no sign of life: the watchdog is not fed until there is');
    if (late === '' && this.#late !== '') log.warn({}, 'every part shows signs of life again');
    this.#late = late;
  }
}
