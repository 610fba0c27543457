import type { Clock, Timer } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import { jitterOf, outOfQuiet, type Timetable, timesAfter } from './timetable.ts';

/** The minimum wait after a failed or waiting run. */
const LEAST_AGAIN_MS = 60_000;
/** A timer calls `tick` this often, in case no other caller does. */
const NET_MS = 30_000;

/** How long more wakeups of one burst are waited for; also, a source may show a change a moment after it says so. */
const GATHER_MS = 1_000;
/** The minimum wait between the end of a run and one that a wakeup begins. */
const WAKE_GAP_MS = 10_000;

/** What the schedule needs to know of a stream. */
export interface Scheduled {
  readonly name: string;
  /** Streams of one group share a source, and run one after the other. */
  readonly group: string;
  readonly timetable: Timetable;
  /** When its last run ended, in this process run or an earlier one; null: no run ended. */
  readonly lastEndedAt: number | null;
  /** The minimum wait after that run, ms; 0: its timetable says. */
  readonly waitLeft: number;
  /** False: the integration is off or paused; a requested run waits. */
  readonly mayRun: () => boolean;
  /** False: it is off, toggled off or paused; its due times pass without a run. */
  readonly isScheduled: () => boolean;
  /** When it runs once although its schedule does not: an outage has paused it, and it tries again. Null: it does not. */
  readonly probeAt: () => number | null;
  /** False: a wakeup changes nothing: its last run failed or waits, or its source wants no request now. Absent: none ever does. */
  readonly mayWake?: () => boolean;
  /** A person asked for what it still has to do: quiet hours do not hold it. */
  readonly isRequested: () => boolean;
  /** One run; returns the minimum wait before the next, ms (0: its timetable says). Never rejects for an error of a source. */
  readonly run: (signal: AbortSignal) => Promise<number>;
}

/** When a stream runs next, by the wall clock; a time within quiet hours moves to their end. */
export function nextDue(
  timetable: Timetable,
  endedAt: number,
  { waitMs, random, ignoresQuiet }: Wait,
): number {
  const cron = waitMs > 0 ? undefined : timetable.cron?.after(endedAt, 1)[0];
  const again = waitMs > 0 ? Math.max(waitMs, LEAST_AGAIN_MS) : timetable.intervalMs;
  // A stream that runs once a day does not wait for hours where its source asks for a minute.
  const most = waitMs > 0 ? Math.min(timetable.jitterMs, jitterOf(again)) : timetable.jitterMs;
  const jitter = Math.round(most * random);
  const base = cron ?? endedAt + again;
  if (ignoresQuiet) return base + jitter;
  const ends = timetable.quietUntil(base);
  if (ends !== null) return ends + jitter;
  // Jitter must not push a time into quiet hours, and so away by a night.
  return timetable.quietUntil(base + jitter) === null ? base + jitter : base;
}

interface Wait {
  /** The wait that the last run asked for, ms. */
  readonly waitMs: number;
  /** 0 to 1. */
  readonly random: number;
  readonly ignoresQuiet: boolean;
}

interface Entry {
  readonly stream: Scheduled;
  dueAt: number;
  /** The wait that the last run asked for, ms. */
  waitMs: number;
  /** A run was requested. */
  isAsked: boolean;
  /** The run that is under way was requested, or the last one was and has to wait: quiet hours do not hold it. */
  isForced: boolean;
  /** A wakeup came while it ran. */
  isWoken: boolean;
  wakeTimer: Timer | null;
  /** By the monotonic clock: until then it is not asked again whether a wakeup may begin a run. */
  deferredUntil: number;
  /** When its last run ended; null: none did. */
  endedAt: number | null;
  running: { readonly done: Promise<void>; readonly stop: AbortController } | null;
}

export interface ScheduleDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

const IDLE = {
  waitMs: 0,
  isAsked: false,
  isForced: false,
  isWoken: false,
  wakeTimer: null,
  deferredUntil: 0,
  running: null,
};

/**
 * Runs each stream by its timetable.
 * The next time is counted from the end of a run, on the wall clock. So a machine that slept or was off, or whose clock was set, runs a stream once
 * and not once per missed time, and a clock that was set back adds no such wait.
 *
 * INVARIANTS:
 * - a stream never runs twice at a time, nor two of one group;
 * - one stream runs at a time in all, for sources share the internet connection and the disk with payments; only a requested run does not
 *   wait for streams of other groups;
 * - no run begins in quiet hours, except a requested one and what is left of it;
 * - a wakeup makes a run due sooner and nothing else: however many come, one run begins, ten seconds after the one before at the earliest, and
 *   what comes during a run is one more run after it.
 */
export class Schedule {
  readonly #deps: ScheduleDeps;
  readonly #entries: readonly Entry[];
  /** The wall clock, when it was last looked at. */
  #seenAt = 0;
  #isStarted = false;
  #timer: Timer | null = null;

  constructor(deps: ScheduleDeps, streams: readonly Scheduled[]) {
    this.#deps = deps;
    this.#entries = streams.map((stream) => ({ stream, dueAt: 0, endedAt: stream.lastEndedAt, ...IDLE }));
  }

  /** Runs that were missed while tilld was off are due now, each stream once. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    for (const entry of this.#entries) {
      const { lastEndedAt, waitLeft } = entry.stream;
      if (lastEndedAt === null || entry.isAsked) continue;
      entry.waitMs = waitLeft;
      entry.dueAt = this.#dueAfter(entry, lastEndedAt);
    }
    this.#arm();
    this.tick();
  }

  /** Stops runs where they are; they continue there next time. Idempotent. */
  async stop(reason: Error): Promise<void> {
    this.#isStarted = false;
    this.#timer?.stop();
    for (const { wakeTimer } of this.#entries) wakeTimer?.stop();
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

  /** The source says that there is something new: the stream is due soon, unless it may not run. */
  wake(name: string): void {
    const entry = this.#entryOf(name);
    if (!entry || !this.#isStarted) return;
    if (entry.running) entry.isWoken = true;
    else this.#hasten(entry);
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
    const now = this.#deps.clock.now();
    if (entry.isAsked) return now;
    const dueAt = this.#dueAt(entry) ?? entry.dueAt;
    if (ignoresQuiet(entry)) return dueAt;
    return entry.stream.timetable.quietUntil(Math.max(dueAt, now)) ?? dueAt;
  }

  /** The next times, the first one as {@link dueOf} has it; those behind it without the jitter. */
  timesOf(name: string, count: number): readonly number[] {
    const entry = this.#entryOf(name);
    if (!entry) return [];
    const { timetable } = entry.stream;
    const due = this.dueOf(name);
    const now = this.#deps.clock.now();
    if (due === null) return timesAfter(timetable, now, count);
    const first = Math.max(due, now);
    return [first, ...timesAfter(timetable, first, count - 1)];
  }

  #entryOf(name: string): Entry | undefined {
    return this.#entries.find(({ stream }) => stream.name === name);
  }

  #hasten(entry: Entry): void {
    const { clock } = this.#deps;
    const now = clock.now();
    const free = entry.endedAt === null ? now : Math.min(entry.endedAt, now) + WAKE_GAP_MS;
    const at = Math.max(now + GATHER_MS, free);
    // Before anything is read from the disk: a provider may send hundreds a second, and anyone may replay them.
    if (at >= entry.dueAt || entry.waitMs > 0 || clock.monotonic() < entry.deferredUntil) return;
    if (!entry.stream.mayWake?.()) {
      entry.deferredUntil = clock.monotonic() + GATHER_MS;
      return;
    }
    entry.dueAt = at;
    entry.wakeTimer?.stop();
    entry.wakeTimer = clock.timer('sync wakeup', at - now, () => this.tick());
  }

  #running(): readonly NonNullable<Entry['running']>[] {
    return this.#entries.flatMap(({ running }) => (running ? [running] : []));
  }

  #next(): Entry | undefined {
    const now = this.#deps.clock.now();
    if (now < this.#seenAt)
      for (const entry of this.#entries) if (entry.dueAt > now) entry.dueAt = this.#dueAgain(entry, now);
    this.#seenAt = now;
    const busy = new Set(this.#entries.filter(({ running }) => running).map(({ stream }) => stream.group));
    return this.#entries
      .filter(
        (entry) => (entry.isAsked && entry.stream.mayRun()) || (busy.size === 0 && this.#isDue(entry, now)),
      )
      .filter(
        (entry) => entry.isAsked || ignoresQuiet(entry) || entry.stream.timetable.quietUntil(now) === null,
      )
      .filter(({ running, stream }) => !running && !busy.has(stream.group))
      .toSorted((one, other) => Number(other.isAsked) - Number(one.isAsked) || one.dueAt - other.dueAt)[0];
  }

  #isDue(entry: Entry, now: number): boolean {
    // Before anything is read from the disk: this is asked of every stream twice a minute.
    if (entry.dueAt > now && entry.stream.probeAt() === null) return false;
    const dueAt = this.#dueAt(entry);
    return dueAt !== null && dueAt <= now;
  }

  /** Null: it does not run by itself. */
  #dueAt({ stream, dueAt, endedAt }: Entry): number | null {
    if (stream.isScheduled()) return dueAt;
    const probeAt = stream.probeAt();
    // A probe that only has to wait is not counted, and leaves the time of the next one as it was.
    const isJust = endedAt !== null && endedAt <= this.#deps.clock.now();
    return probeAt !== null && isJust ? Math.max(probeAt, endedAt + LEAST_AGAIN_MS) : probeAt;
  }

  #begin(entry: Entry): void {
    const stop = new AbortController();
    entry.isForced ||= entry.isAsked;
    entry.isAsked = false;
    entry.isWoken = false;
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
    entry.isForced &&= entry.waitMs > 0;
    entry.endedAt = clock.now();
    entry.deferredUntil = 0;
    entry.dueAt = this.#dueAfter(entry, entry.endedAt);
    if (entry.isWoken) this.#hasten(entry);
  }

  #dueAfter(entry: Entry, endedAt: number): number {
    return nextDue(entry.stream.timetable, endedAt, {
      waitMs: entry.waitMs,
      random: this.#deps.ids.random(),
      ignoresQuiet: ignoresQuiet(entry),
    });
  }

  /** The clock was set back: a time may be much too late, then the wait begins again. */
  #dueAgain(entry: Entry, now: number): number {
    const { timetable } = entry.stream;
    const { waitMs, dueAt } = entry;
    if (dueAt <= now + Math.max(timetable.intervalMs, waitMs, LEAST_AGAIN_MS)) return dueAt;
    const most = Math.max(latestDue(timetable, now, 0), waitMs > 0 ? latestDue(timetable, now, waitMs) : 0);
    return dueAt > most + timetable.intervalMs ? this.#dueAfter(entry, now) : dueAt;
  }

  #arm(): void {
    this.#timer = this.#deps.clock.timer('sync schedule', NET_MS, () => {
      if (!this.#isStarted) return;
      this.#arm();
      this.tick();
    });
  }
}

function latestDue(timetable: Timetable, now: number, waitMs: number): number {
  const latest = nextDue(timetable, now, { waitMs, random: 1, ignoresQuiet: true });
  return outOfQuiet(timetable, latest) + timetable.jitterMs;
}

function ignoresQuiet({ isForced, stream }: Pick<Entry, 'isForced' | 'stream'>): boolean {
  return isForced || stream.isRequested();
}
