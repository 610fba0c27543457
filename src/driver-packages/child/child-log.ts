import type { Log, LogFields } from '../../base/log.ts';
import { post } from './channel.ts';

const MOST = 500;
const MOST_OF_FIELDS = 1000;

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** The log of a package: its lines are written by tilld, with the package's name. */
export const childLog: Log = logWith({});

function logWith(own: LogFields): Log {
  const at = (level: Level) => (fields: LogFields, message: string) =>
    post({ type: 'log', level, message: cut(message, MOST), fields: textOf({ ...own, ...fields }) });
  return {
    trace: at('trace'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => logWith({ ...own, ...fields }),
  };
}

/** What a package writes to its console. */
export function consoleLine(level: Exclude<Level, 'trace'>, ...words: unknown[]): void {
  const message = words.map((word) => (typeof word === 'string' ? word : textOf(word))).join(' ');
  post({ type: 'log', level, message: cut(message, MOST), fields: '' });
}

function textOf(value: unknown): string {
  try {
    return cut(JSON.stringify(value) ?? String(value), MOST_OF_FIELDS);
  } catch {
    return '';
  }
}

function cut(text: string, most: number): string {
  return String(text).slice(0, most);
}
