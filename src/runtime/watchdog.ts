import type { Clock, Timer } from '../base/clock.ts';
import { type Heartbeat, overdue } from '../base/heartbeat.ts';
import type { Log } from '../base/log.ts';

/** How late a heartbeat may be: a small machine that is busy, a commit on a slow card. */
const GRACE_MS = 30_000;

export interface WatchdogDeps {
  /** systemd kills tilld when it gets no keep-alive for this long. */
  readonly timeLimitMs: number;
  readonly parts: readonly Heartbeat[];
  readonly feed: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Sends systemd's watchdog keep-alive three times per timeout, as long as every part sends heartbeats. Why: a daemon that hangs takes no payment and
 * reports nothing; a new process finds out how the last payment ended.
 *
 * INVARIANTS:
 * - while the event loop hangs no keep-alive is sent, whatever the parts report;
 * - while one part is late no keep-alive is sent, and the log says which part, once.
 */
export class Watchdog {
  readonly #deps: WatchdogDeps;
  #timer: Timer | null = null;
  #late = '';

  constructor(deps: WatchdogDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { clock, timeLimitMs } = this.#deps;
    this.#look();
    this.#timer = clock.timer('watchdog', timeLimitMs / 3, () => this.start());
  }

  stop(): void {
    this.#timer?.stop();
  }

  #look(): void {
    const { parts, feed, clock, log } = this.#deps;
    const names = overdue(parts, clock.monotonic(), GRACE_MS);
    if (names.length === 0) feed();
    const late = names.join(', ');
    if (late !== '' && late !== this.#late)
      log.error({ parts: names }, 'a heartbeat is missing: the watchdog is not fed until it is back');
    if (late === '' && this.#late !== '') log.warn({}, 'every heartbeat is back');
    this.#late = late;
  }
}
