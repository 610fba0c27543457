import { type Logger, pino } from 'pino';
import type { Log, LogFields } from '../base/log.ts';
import { LOG_REDACTION } from './log-redaction.ts';
import { type LineSink, standardError } from './standard-error.ts';

/** A line shows at most this many entries and this many levels of an object, so that it stays short. */
const EDGE_LIMIT = 100;
const DEPTH_LIMIT = 6;

const WEIGHT = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, silent: 60 } as const;
export type LogLevel = keyof typeof WEIGHT;

/** The log of the process. Its minimum level can be changed while it runs, also for its child loggers. */
export interface ProcessLog extends Log {
  setLevel(level: LogLevel): void;
}

/**
 * The log of the process: JSON lines on standard error (standard output carries only the ready line). Every line passes the redaction.
 * A line that cannot be written stops nothing.
 */
export function createLog(level: LogLevel, sink: LineSink = standardError()): ProcessLog {
  const logger = pino(
    {
      level: 'trace',
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      edgeLimit: EDGE_LIMIT,
      depthLimit: DEPTH_LIMIT,
      ...LOG_REDACTION,
      formatters: { level: (label) => ({ level: label }) },
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

/** A pino child keeps the level that its parent had at creation; the shared gate can change later. */
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
