import type { Clock, Timer } from '../base/clock.ts';
import type { Trouble } from '../outbox/report-port.ts';
import type { ServiceHealth } from './service-health.ts';

/** A connection attempt without a request; `missing`: the missing layer so far, null: the peer accepted it. */
export interface Probe {
  readonly missing: Trouble | null;
  readonly ended: Promise<void>;
  close(): void;
}

export interface LineWatchDeps {
  readonly probe: () => Probe;
  readonly clock: Clock;
  /** Its state by the last answers; it learns that the line is probably down. */
  readonly health: Pick<ServiceHealth, 'view' | 'suspect'>;
  /** A connection succeeds after one that failed. */
  readonly back: () => void;
}

/** An answer that takes this long is late, unless answers usually take a third of that or more. */
const LATE_MS = 900;
const LATEST_MS = 4_000;
/** A connection is tried this much before an answer counts as late, so that the missing layer is known. */
const AHEAD_MS = 500;
/** Between two connections while the service is down. */
const PAUSE_MS = 1_000;
/** A line on which nothing was seen for this long is tried. */
const QUIET_MS = 4_000;

/**
 * Detects within seconds that the line is down or back, also where no error comes: a network that drops packets, a silent peer.
 * Why bare connections: they do not count against the key's budget, so they may be more frequent than polls, and they distinguish line and service.
 *
 * INVARIANTS:
 * - one connection is tried at a time, and none is kept;
 * - its result is a suspicion: the next answer of the service itself decides.
 */
export class LineWatch {
  readonly #deps: LineWatchDeps;
  readonly #waiting = new Set<Timer>();
  #probe: Probe | null = null;
  /** The missing layer at the last connection. */
  #missing: Trouble | null = null;
  /** The last answer, or the last connection that succeeded. */
  #seenAt = 0;
  #usualMs = 0;
  #timer: Timer | null = null;

  constructor(deps: LineWatchDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer ??= this.#schedule();
  }

  /** No connection is tried after this; idempotent. */
  stop(): void {
    this.#timer?.stop();
    this.#timer = null;
    for (const timer of this.#waiting) timer.stop();
    this.#waiting.clear();
    this.#probe?.close();
  }

  /** Runs one request, and suspects the line when its answer is late. */
  async over<T>(request: () => Promise<T>): Promise<T> {
    const { clock } = this.#deps;
    const sentAt = clock.monotonic();
    const lateMs = Math.min(Math.max(LATE_MS, this.#usualMs * 3), LATEST_MS);
    const probing = this.#after(Math.max(lateMs - AHEAD_MS, 1), () => void this.#tryToConnect());
    const late = this.#after(lateMs, () => this.#suspect());
    try {
      const reply = await request();
      const tookMs = clock.monotonic() - sentAt;
      this.#usualMs = this.#usualMs === 0 ? tookMs : this.#usualMs * 0.8 + tookMs * 0.2;
      return reply;
    } finally {
      this.#seenAt = clock.monotonic();
      for (const timer of [probing, late]) this.#forget(timer);
    }
  }

  /** A peer that accepted the connection and is silent is a failing service; a failure before that is the line's. */
  #suspect(): void {
    this.#deps.health.suspect(this.#probe?.missing ?? this.#missing ?? 'service');
  }

  /** A refused key came over a working line. */
  #isDown(): boolean {
    const { state, reason } = this.#deps.health.view;
    return state === 'offline' && reason !== 'key';
  }

  #schedule(): Timer {
    return this.#deps.clock.timer('line watch', PAUSE_MS, () => {
      this.#timer = this.#schedule();
      this.#look().catch(() => undefined);
    });
  }

  async #look(): Promise<void> {
    const isQuiet = this.#deps.clock.monotonic() - this.#seenAt >= QUIET_MS;
    if (this.#isDown() || isQuiet) await this.#tryToConnect();
  }

  async #tryToConnect(): Promise<void> {
    if (this.#probe) return;
    const probe = this.#deps.probe();
    this.#probe = probe;
    const late = this.#after(LATEST_MS, () => probe.close());
    await probe.ended;
    this.#forget(late);
    this.#probe = null;
    if (!this.#timer) return;
    const before = this.#missing;
    this.#missing = probe.missing;
    if (probe.missing !== null) {
      this.#deps.health.suspect(probe.missing);
      return;
    }
    this.#seenAt = this.#deps.clock.monotonic();
    if (before !== null) this.#deps.back();
  }

  #after(ms: number, act: () => void): Timer {
    const timer = this.#deps.clock.timer('late answer', ms, () => {
      this.#waiting.delete(timer);
      act();
    });
    this.#waiting.add(timer);
    return timer;
  }

  #forget(timer: Timer): void {
    timer.stop();
    this.#waiting.delete(timer);
  }
}
