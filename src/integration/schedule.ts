import type { Clock, Timer } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';

/** Of the interval, at most: streams of one interval must not all begin in the same second. */
const JITTER = 0.1;
/** A failed or waiting run is tried again no sooner. */
const LEAST_AGAIN_MS = 60_000;
/** The net below the ticks of whoever calls us. */
const NET_MS = 30_000;

/** What the schedule needs to know of a stream. */
export interface Scheduled {
  readonly name: string;
  readonly intervalMs: number;
  /** False: the slot is off, disabled or paused; its slots pass without a run. */
  readonly mayRun: () => boolean;
  /** One run; gives how long to wait at least before the next, ms (0: nothing special). Never rejects for what a source does. */
  readonly run: (signal: AbortSignal) => Promise<number>;
}

/** When a stream runs next, wall clock: `nextAt` null: at once. */
export function nextDue(
  { intervalMs }: Pick<Scheduled, 'intervalMs'>,
  endedAt: number,
  { waitMs, random }: { readonly waitMs: number; readonly random: number },
): number {
  const jitter = Math.round(intervalMs * JITTER * random);
  const again = waitMs > 0 ? Math.max(waitMs, LEAST_AGAIN_MS) : intervalMs;
  return endedAt + again + jitter;
}

interface Entry {
  readonly stream: Scheduled;
  dueAt: number;
  running: Promise<void> | null;
  /** Asked for while it ran: once more, at once. */
  again: boolean;
}

export interface SchedulePorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/**
 * Runs each stream at its interval.
 * The next slot is counted from the end of a run, on the wall clock; so a machine that slept, or whose clock was set, runs once and not
 * once per slot that it missed, and a clock that was set back by more than an interval does not make it wait for that.
 *
 * INVARIANTS:
 * - a stream never runs twice at a time;
 * - one stream runs at a time in all: sources share the line and the disk with payments.
 */
export class Schedule {
  readonly #ports: SchedulePorts;
  readonly #entries: readonly Entry[];
  #stop: AbortController | null = null;
  #timer: Timer | null = null;
  #current: Entry | null = null;

  constructor(ports: SchedulePorts, streams: readonly Scheduled[]) {
    this.#ports = ports;
    this.#entries = streams.map((stream) => ({ stream, dueAt: 0, running: null, again: false }));
  }

  /** What was missed while nobody ran is due now, each stream once. */
  start(): void {
    if (this.#stop) return;
    this.#stop = new AbortController();
    this.#arm();
    this.tick();
  }

  /** Stops runs where they are; they go on there next time. Idempotent. */
  async stop(reason: Error): Promise<void> {
    const running = this.#current?.running;
    this.#stop?.abort(reason);
    this.#stop = null;
    this.#timer?.stop();
    await running;
  }

  /** Starts what is due; call it as often as you like. */
  tick(): void {
    const stop = this.#stop;
    if (!stop || this.#current) return;
    const next = this.#next();
    if (next) this.#begin(next, stop.signal);
  }

  /** Runs a stream now, or once more after the run that is under way. */
  runNow(name: string): void {
    const entry = this.#entries.find(({ stream }) => stream.name === name);
    if (!entry) return;
    if (entry.running) entry.again = true;
    else entry.dueAt = 0;
    this.tick();
  }

  /** When it is due; null: it runs. */
  dueOf(name: string): number | null {
    const entry = this.#entries.find(({ stream }) => stream.name === name);
    return !entry || entry.running ? null : entry.dueAt;
  }

  #next(): Entry | undefined {
    const now = this.#ports.clock.now();
    for (const entry of this.#entries) {
      const { intervalMs } = entry.stream;
      // The clock was set back: nobody waits longer than a slot and its jitter.
      const most = now + Math.max(intervalMs * (1 + JITTER), LEAST_AGAIN_MS) + intervalMs;
      if (entry.dueAt > most) entry.dueAt = now + intervalMs;
    }
    return this.#entries
      .filter(({ dueAt, stream }) => dueAt <= now && stream.mayRun())
      .toSorted((one, other) => one.dueAt - other.dueAt)[0];
  }

  #begin(entry: Entry, signal: AbortSignal): void {
    this.#current = entry;
    entry.running = this.#run(entry, signal).finally(() => {
      entry.running = null;
      this.#current = null;
      this.tick();
    });
  }

  async #run(entry: Entry, signal: AbortSignal): Promise<void> {
    const { clock, ids, log } = this.#ports;
    let waitMs = 0;
    try {
      waitMs = await entry.stream.run(signal);
    } catch (error) {
      waitMs = LEAST_AGAIN_MS;
      if (!signal.aborted)
        log.error({ stream: entry.stream.name, error: messageOf(error) }, 'sync run broke');
    }
    entry.dueAt = entry.again ? 0 : nextDue(entry.stream, clock.now(), { waitMs, random: ids.random() });
    entry.again = false;
  }

  #arm(): void {
    this.#timer = this.#ports.clock.timer('sync schedule', NET_MS, () => {
      if (!this.#stop) return;
      this.#arm();
      this.tick();
    });
  }
}
