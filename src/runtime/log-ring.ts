import type { LineSink } from './standard-error.ts';

/** How far back the pages can look; the system's journal holds more. */
const MOST_LINES = 2_000;
const MOST_CHARACTERS = 1_000_000;
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;
const LEVEL = /^\{"level":"(\w+)"/;

export type RingLevel = (typeof LEVELS)[number];

/** A line of the log; `id` is its position and names the process run that wrote it. */
export interface RingLine {
  readonly id: string;
  readonly level: RingLevel;
  /** JSON as it was written to the log, without its line break. */
  readonly text: string;
}

interface Kept {
  readonly place: number;
  readonly level: RingLevel;
  readonly text: string;
}

/**
 * The newest lines of the log, in memory. The log masks card numbers and credentials before a line gets here.
 *
 * INVARIANTS:
 * - never more than 2,000 lines or a million characters: the oldest lines are dropped first;
 * - positions only rise, and each process run gives other ids: a reader that continues after a restart misses nothing.
 */
export class LogRing implements LineSink {
  readonly #life: string;
  readonly #lines: Kept[] = [];
  #characters = 0;
  #place = 0;

  /** @param life an id that differs for each process run; no `-` in it */
  constructor(life: string) {
    this.#life = life;
  }

  write(line: string): void {
    const text = line.trimEnd();
    this.#place += 1;
    this.#lines.push({ place: this.#place, level: levelOf(text), text });
    this.#characters += text.length;
    while (this.#lines.length > MOST_LINES || this.#characters > MOST_CHARACTERS) {
      this.#characters -= this.#lines.shift()?.text.length ?? 0;
    }
  }

  /** The newest `limit` lines after `after`, oldest first, of level `least` and worse. An `after` of another process run is ignored. */
  tail(asked: {
    readonly after: string | null;
    readonly least: RingLevel;
    readonly limit: number;
  }): readonly RingLine[] {
    const least = LEVELS.indexOf(asked.least);
    const behind = this.#positionOf(asked.after);
    return this.#lines
      .filter(({ place, level }) => place > behind && LEVELS.indexOf(level) >= least)
      .slice(-asked.limit)
      .map(({ place, level, text }) => ({ id: `${this.#life}-${place}`, level, text }));
  }

  #positionOf(id: string | null): number {
    const [life, place] = (id ?? '').split('-');
    return life === this.#life ? Number(place) || 0 : 0;
  }
}

/** Writes each line to both sinks. */
export function beside(first: LineSink, second: LineSink): LineSink {
  return {
    write: (line) => {
      first.write(line);
      second.write(line);
    },
  };
}

/** A line without a level is shown at every level. */
function levelOf(text: string): RingLevel {
  const [, word] = LEVEL.exec(text) ?? [];
  return LEVELS.find((level) => level === word) ?? 'error';
}
