import { type Logger, pino } from 'pino';
import { maskCardNumbers } from '../base/card-number.ts';
import { maskCredentials } from '../base/credential.ts';
import type { Log, LogFields } from '../base/log.ts';
import { type LineSink, standardError } from './standard-error.ts';

/** One line is at most this long; a longer one is cut by the depth and the edge of what it shows. */
const EDGE_LIMIT = 100;
const DEPTH_LIMIT = 6;

const WEIGHT = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, silent: 60 } as const;
export type LogLevel = keyof typeof WEIGHT;

/** The log of the process, whose least level can be changed while it runs, for its children too. */
export interface ProcessLog extends Log {
  setLevel(level: LogLevel): void;
}

/**
 * The log of the process: JSON lines on standard error (standard output carries the ready line alone).
 * Every line passes the card number guard, and credentials are cut by name and by form. A line that cannot be written is left out.
 */
export function createLog(level: LogLevel, sink: LineSink = standardError()): ProcessLog {
  const logger = pino(
    {
      level: 'trace',
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      edgeLimit: EDGE_LIMIT,
      depthLimit: DEPTH_LIMIT,
      redact: {
        paths: ['key', 'secret', 'authorization', '*.key', '*.secret', '*.authorization'],
        censor: '[cut]',
      },
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: (line) => maskCredentials(maskCardNumbers(line)) },
    },
    sink,
  );
  const gate = { least: WEIGHT[level] };
  return {
    ...asLog(logger, gate),
    setLevel: (next) => {
      gate.least = WEIGHT[next];
    },
  };
}

/** pino's children keep the level that their parent had when they were made; a gate that all share can be moved. */
function asLog(logger: Logger, gate: { readonly least: number }): Log {
  const line = (level: Exclude<LogLevel, 'silent'>) => (fields: LogFields, message: string) => {
    if (WEIGHT[level] >= gate.least) logger[level](fields, message);
  };
  return {
    trace: line('trace'),
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    child: (fields: LogFields) => asLog(logger.child(fields), gate),
  };
}
