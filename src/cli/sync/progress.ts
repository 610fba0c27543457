import type { SyncStream } from '../../api/contract/sync.ts';
import { counted } from '../../base/counted.ts';
import type { Io } from '../io.ts';
import { plain } from '../show/plain.ts';

const BAR = 24;
const CLEAR = '\r\u001B[K';
/** Interval between two plain lines about the same run. */
const LINE_EVERY_MS = 10_000;

export interface Progress {
  show(streams: readonly SyncStream[]): void;
  /** Ends the line of the bar. */
  end(): void;
}

/** On a terminal one line that is redrawn; in a file or a pipe a few plain lines. */
export function progressOn(io: Io, now: () => number = () => performance.now()): Progress {
  return io.terminal ? bar(io, io.terminal.columns, now) : lines(io, now);
}

function bar(io: Io, columns: number, now: () => number): Progress {
  const rate = new Rate(now);
  let isDrawn = false;
  return {
    show: (streams) => {
      io.err(`${CLEAR}${barText(streams, rate.of(streams)).slice(0, Math.max(20, columns - 1))}`);
      isDrawn = true;
    },
    end: () => {
      if (isDrawn) io.err('\n');
      isDrawn = false;
    },
  };
}

function lines(io: Io, now: () => number): Progress {
  const said = new Map<string, { readonly state: string; readonly at: number }>();
  return {
    show: (streams) => {
      for (const stream of streams) {
        const { resource, run } = stream;
        const state =
          run?.outcome === 'running' ? 'running' : `${stream.state} ${run?.no ?? 0} ${run?.outcome ?? ''}`;
        const last = said.get(resource);
        const isDue = state === 'running' && now() - (last?.at ?? 0) >= LINE_EVERY_MS;
        if (last?.state === state && !isDue) continue;
        said.set(resource, { state, at: now() });
        io.err(`${plain(lineText(stream))}\n`);
      }
    },
    end: () => undefined,
  };
}

function lineText({ provider, resource, state, run, expected }: SyncStream): string {
  const name = `${provider}/${resource}`;
  if (state === 'queued' || run === null) return `${name}: ${state}`;
  const isPart = run.outcome === 'running' && expected !== null;
  const rows = isPart ? `${run.read} of about ${expected} rows` : counted(run.read, 'row', 'rows');
  const why = run.message === null ? '' : ` (${run.message})`;
  return `${name}: ${run.outcome}, ${rows} read${why}`;
}

interface Sum {
  readonly read: number;
  /** null: one of the runs does not know. */
  readonly expected: number | null;
  readonly running: readonly string[];
}

function sumOf(streams: readonly SyncStream[]): Sum {
  const open = streams.filter(({ run }) => run?.outcome === 'running');
  const isKnown = open.length > 0 && open.every(({ expected }) => expected !== null);
  return {
    read: open.reduce((sum, { run }) => sum + (run?.read ?? 0), 0),
    expected: isKnown ? open.reduce((sum, { expected }) => sum + (expected ?? 0), 0) : null,
    running: open.map(({ provider, resource }) => `${provider}/${resource}`),
  };
}

/** Rows per second since the current runs were first seen. */
class Rate {
  readonly #now: () => number;
  #runs = '';
  #since = 0;
  #first = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  of(streams: readonly SyncStream[]): number {
    const { read, running } = sumOf(streams);
    const runs = running.join();
    if (runs !== this.#runs || read < this.#first) {
      this.#runs = runs;
      this.#since = this.#now();
      this.#first = read;
    }
    const seconds = (this.#now() - this.#since) / 1000;
    return seconds <= 0 ? 0 : (read - this.#first) / seconds;
  }
}

function barText(streams: readonly SyncStream[], rate: number): string {
  const { read, expected, running } = sumOf(streams);
  const [first] = running;
  if (first === undefined) {
    const queued = streams.filter(({ state }) => state === 'queued').length;
    return queued > 0 ? `${queued} waiting for their turn` : 'nothing runs now';
  }
  const name = plain(running.length === 1 ? first : `${running.length} streams`);
  const shown = rate > 0 ? `  ${Math.round(rate)}/s` : '';
  if (expected === null || expected <= 0) return `${name}  ${counted(read, 'row', 'rows')}${shown}`;
  const part = Math.min(1, read / expected);
  const full = Math.floor(part * BAR);
  const drawn = `[${'#'.repeat(full)}${'.'.repeat(BAR - full)}]`;
  return `${name}  ${drawn} ${Math.floor(part * 100)} %  ${read} of about ${expected} rows${shown}${leftText(expected - read, rate)}`;
}

function leftText(rows: number, rate: number): string {
  if (rate <= 0 || rows <= 0) return '';
  const seconds = Math.ceil(rows / rate);
  return seconds < 90 ? `  about ${seconds} s left` : `  about ${Math.ceil(seconds / 60)} min left`;
}
