import { statfsSync, statSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Each beat wakes the process: at 100 ms the beats were a third of its idle work. A shorter delay may fall between two beats. */
const RESOLUTION_MS = 250;
const NS_PER_S = 1e9;

/** What the process and its disk are doing. */
export interface ProcessView {
  /** Event loop delay since the last read, in s, by quantile. */
  readonly delays: readonly (readonly [quantile: string, seconds: number])[];
  readonly residentBytes: number;
  /** Unix time, s. */
  readonly startedAt: number;
  /** null: the file system does not report it. */
  readonly freeBytes: number | null;
  readonly databaseBytes: number;
  readonly archiveBytes: number;
}

/** Watches the event loop from the start; each read begins a new interval. */
export class ProcessGauges {
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  readonly #startedAt = Date.now() / 1000 - process.uptime();
  readonly #folder: string;
  readonly #database: string;
  readonly #archive: string;

  constructor(folder: string, database: string, archive: string) {
    this.#folder = folder;
    this.#database = database;
    this.#archive = archive;
    this.#delay.enable();
  }

  look(): ProcessView {
    const delays = [
      ['0.5', this.#delay.percentile(50)],
      ['0.99', this.#delay.percentile(99)],
      ['1', this.#delay.max],
    ] as const;
    const view = {
      delays: delays.map(([quantile, ns]) => [quantile, secondsOf(ns)] as const),
      residentBytes: process.memoryUsage.rss(),
      startedAt: this.#startedAt,
      freeBytes: freeIn(this.#folder),
      databaseBytes: sizeOf(this.#database) + sizeOf(`${this.#database}-wal`),
      archiveBytes: sizeOf(this.#archive) + sizeOf(`${this.#archive}-wal`),
    };
    this.#delay.reset();
    return view;
  }

  stop(): void {
    this.#delay.disable();
  }
}

/** The timer's own resolution is no delay; before its first beat there is none. */
function secondsOf(ns: number): number {
  return Number.isFinite(ns) ? Math.max(0, ns / NS_PER_S - RESOLUTION_MS / 1000) : 0;
}

function freeIn(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
