import type { LineSink } from './standard-error.ts';

/** What the pages can look back at; more is in the journal of the system. */
const MOST_LINES = 2_000;
const MOST_CHARACTERS = 1_000_000;
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;
const LEVEL = /^\{"level":"(\w+)"/;

export type RingLevel = (typeof LEVELS)[number];

/** A line of the log; `id` is its place, and names the life of the process that wrote it. */
export interface RingLine {
  readonly id: string;
  readonly level: RingLevel;
  /** JSON as it went to standard error, without its line break. */
  readonly text: string;
}

interface Kept {
  readonly place: number;
  readonly level: RingLevel;
  readonly text: string;
}

/**
 * The newest lines of the log, in memory. It stands behind the log's own guards: card numbers and credentials are masked before.
 *
 * INVARIANTS:
 * - never more than 2,000 lines or a million characters: the oldest go first;
 * - places only rise, and another life of the process gives other ids: who reads on after a restart misses nothing.
 */
export class LogRing implements LineSink {
  readonly #life: string;
  readonly #lines: Kept[] = [];
  #characters = 0;
  #place = 0;

  /** @param life another one for each start of the process; no `-` in it */
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

  /**
   * The newest `limit` lines behind `after`, oldest first, of `least` and worse. An `after` of another life counts for nothing.
   */
  tail(asked: {
    readonly after: string | null;
    readonly least: RingLevel;
    readonly limit: number;
  }): readonly RingLine[] {
    const least = LEVELS.indexOf(asked.least);
    const behind = this.#placeOf(asked.after);
    return this.#lines
      .filter(({ place, level }) => place > behind && LEVELS.indexOf(level) >= least)
      .slice(-asked.limit)
      .map(({ place, level, text }) => ({ id: `${this.#life}-${place}`, level, text }));
  }

  #placeOf(id: string | null): number {
    const [life, place] = (id ?? '').split('-');
    return life === this.#life ? Number(place) || 0 : 0;
  }
}

/** Gives each line to both. */
export function beside(first: LineSink, second: LineSink): LineSink {
  return {
    write: (line) => {
      first.write(line);
      second.write(line);
    },
  };
}

/** What does not say its level is shown to everybody who looks for trouble. */
function levelOf(text: string): RingLevel {
  const [, word] = LEVEL.exec(text) ?? [];
  return LEVELS.find((level) => level === word) ?? 'error';
}
