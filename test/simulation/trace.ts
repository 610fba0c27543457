import type { Log, LogFields } from '../../src/base/log.ts';
import type { SimClock } from './sim-clock.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** The trace of one history, line by line, with the time it happened; kept only when somebody wants to read it. */
export class Trace {
  readonly lines: string[] = [];
  /** What the log was told, frames left out; always kept, for who searches it at the end. */
  readonly heard: string[] = [];
  readonly on: boolean;
  readonly #clock: SimClock;
  readonly #print: ((line: string) => void) | null;

  constructor(clock: SimClock, on: boolean, print: ((line: string) => void) | null = null) {
    this.#clock = clock;
    this.on = on;
    this.#print = print;
  }

  /** `text` may be a function, so that nothing is composed in vain. */
  say(who: string, text: string | (() => string)): void {
    if (!this.on) return;
    const seconds = (this.#clock.elapsed / 1000).toFixed(3).padStart(10);
    const line = `${seconds}  ${who.padEnd(11)} ${typeof text === 'string' ? text : text()}`;
    this.lines.push(line);
    this.#print?.(line);
  }

  /** A log whose lines go into the trace; `hear` gets each, traced or not. */
  log(who: string, hear: (fields: LogFields, message: string) => void = () => undefined): Log {
    const writerOf = (level: string) => (fields: LogFields, message: string) => {
      hear(fields, message);
      if (level !== 'debug') this.heard.push(JSON.stringify(fields));
      this.say(who, () => `${level === 'frame' ? '' : `${level}: `}${message} ${short(fields)}`);
    };
    const [debug, info, warn, error] = LEVELS.map(writerOf);
    const log: Log = {
      trace: (fields, message) => {
        if (message === 'frame') this.say(who, () => `${fields['direction']} ${fields['frame']}`);
      },
      debug: debug ?? (() => undefined),
      info: info ?? (() => undefined),
      warn: warn ?? (() => undefined),
      error: error ?? (() => undefined),
      child: () => log,
    };
    return log;
  }
}

function short(fields: LogFields): string {
  return JSON.stringify(fields).slice(0, 400);
}
