import type { Clock, Timer } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';

/** At most this share of the interval: streams with the same interval must not all start in the same second. */
const JITTER = 0.1;
/** The minimum wait after a failed or waiting run. */
const LEAST_AGAIN_MS = 60_000;
/** A timer calls `tick` this often, in case no other caller does. */
const NET_MS = 30_000;

/** What the schedule needs to know of a stream. */
export interface Scheduled {
  readonly name: string;
  /** Streams of one group share a source, and run one after the other. */
  readonly group: string;
  readonly intervalMs: number;
  /** When its last run ended, in this process run or an earlier one; null: no run ended. */
  readonly lastEndedAt: number | null;
  /** The source asked not to be read before then; null: it did not. */
  readonly notBefore: number | null;
  /** False: the integration is off or paused; a requested run waits. */
  readonly mayRun: () => boolean;
  /** False: it is off, toggled off or paused; its due times pass without a run. */
  readonly isScheduled: () => boolean;
  /** One run; returns the minimum wait before the next, ms (0: the normal interval). Never rejects for an error of a source. */
  readonly run: (signal: AbortSignal) => Promise<number>;
}

/** When a stream runs next, by the wall clock. */
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
  /** The wait that the last run asked for, ms. */
  waitMs: number;
  /** A run was requested. */
  isAsked: boolean;
  running: { readonly done: Promise<void>; readonly stop: AbortController } | null;
}

export interface ScheduleDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/**
 * Runs each stream at its interval.
 * The interval is counted from the end of a run, on the wall clock. So a machine that slept or was off, or whose clock was set, runs a stream once
 * and not once per missed interval, and a clock that was set back by more than an interval adds no such wait.
 *
 * INVARIANTS:
 * - a stream never runs twice at a time, nor two of one group;
 * - one stream runs at a time in all, for sources share the internet connection and the disk with payments; only a requested run does not
 *   wait for streams of other groups.
 */
export class Schedule {
  readonly #deps: ScheduleDeps;
  readonly #entries: readonly Entry[];
  #isStarted = false;
  #timer: Timer | null = null;

  constructor(deps: ScheduleDeps, streams: readonly Scheduled[]) {
    this.#deps = deps;
    this.#entries = streams.map((stream) => ({ stream, dueAt: 0, waitMs: 0, isAsked: false, running: null }));
  }

  /** Runs that were missed while tilld was off are due now, each stream once. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    for (const entry of this.#entries) {
      const { lastEndedAt, notBefore } = entry.stream;
      if (lastEndedAt === null || entry.isAsked) continue;
      entry.waitMs = Math.max(0, (notBefore ?? 0) - lastEndedAt);
      entry.dueAt = this.#dueAfter(entry, lastEndedAt);
    }
    this.#arm();
    this.tick();
  }

  /** Stops runs where they are; they continue there next time. Idempotent. */
  async stop(reason: Error): Promise<void> {
    this.#isStarted = false;
    this.#timer?.stop();
    const running = this.#running();
    for (const { stop } of running) stop.abort(reason);
    await Promise.all(running.map(({ done }) => done));
  }

  /** Starts what is due; safe to call at any time. */
  tick(): void {
    if (!this.#isStarted) return;
    for (let next = this.#next(); next; next = this.#next()) this.#begin(next);
  }

  /** Runs a stream now, or once more after the run that is under way. */
  runNow(name: string): void {
    const entry = this.#entryOf(name);
    if (!entry) return;
    entry.isAsked = true;
    this.tick();
  }

  /** What was read is gone: every stream is due, and one that runs ends and runs again. The next tick starts them. */
  startOver(reason: Error): void {
    for (const entry of this.#entries) {
      entry.dueAt = 0;
      if (!entry.running) continue;
      entry.isAsked ||= entry.stream.isScheduled();
      entry.running.stop.abort(reason);
    }
  }

  /** Stops the run of a stream where it is, and drops a requested one. */
  stopRun(name: string, reason: Error): void {
    const entry = this.#entryOf(name);
    if (!entry) return;
    entry.isAsked = false;
    entry.running?.stop.abort(reason);
  }

  stateOf(name: string): 'idle' | 'queued' | 'running' {
    const entry = this.#entryOf(name);
    if (entry?.running) return 'running';
    return entry?.isAsked && entry.stream.mayRun() ? 'queued' : 'idle';
  }

  /** When it is due; null: it runs. */
  dueOf(name: string): number | null {
    const entry = this.#entryOf(name);
    if (!entry || entry.running) return null;
    return entry.isAsked ? this.#deps.clock.now() : entry.dueAt;
  }

  #entryOf(name: string): Entry | undefined {
    return this.#entries.find(({ stream }) => stream.name === name);
  }

  #running(): readonly NonNullable<Entry['running']>[] {
    return this.#entries.flatMap(({ running }) => (running ? [running] : []));
  }

  #next(): Entry | undefined {
    const now = this.#deps.clock.now();
    for (const entry of this.#entries) {
      const { intervalMs } = entry.stream;
      const usual = Math.max(intervalMs, entry.waitMs);
      // The clock was set back: the stream waits one interval from now, or as long as the source asked for.
      const most = now + Math.max(usual + intervalMs * JITTER, LEAST_AGAIN_MS) + intervalMs;
      if (entry.dueAt > most) entry.dueAt = now + usual;
    }
    const busy = new Set(this.#entries.filter(({ running }) => running).map(({ stream }) => stream.group));
    return this.#entries
      .filter(({ dueAt, isAsked, stream }) =>
        isAsked ? stream.mayRun() : dueAt <= now && busy.size === 0 && stream.isScheduled(),
      )
      .filter(({ running, stream }) => !running && !busy.has(stream.group))
      .toSorted((one, other) => Number(other.isAsked) - Number(one.isAsked) || one.dueAt - other.dueAt)[0];
  }

  #begin(entry: Entry): void {
    const stop = new AbortController();
    entry.isAsked = false;
    const done = this.#run(entry, stop.signal).finally(() => {
      entry.running = null;
      this.tick();
    });
    entry.running = { done, stop };
  }

  async #run(entry: Entry, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#deps;
    entry.waitMs = 0;
    try {
      entry.waitMs = await entry.stream.run(signal);
    } catch (error) {
      entry.waitMs = LEAST_AGAIN_MS;
      if (!signal.aborted)
        log.error({ stream: entry.stream.name, error: messageOf(error) }, 'sync run broke');
    }
    entry.dueAt = this.#dueAfter(entry, clock.now());
  }

  #dueAfter({ stream, waitMs }: Entry, endedAt: number): number {
    return nextDue(stream, endedAt, { waitMs, random: this.#deps.ids.random() });
  }

  #arm(): void {
    this.#timer = this.#deps.clock.timer('sync schedule', NET_MS, () => {
      if (!this.#isStarted) return;
      this.#arm();
      this.tick();
    });
  }
}
