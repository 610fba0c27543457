import { type Logger, pino } from 'pino';
import { maskCardNumbers } from '../base/card-number.ts';
import { maskCredentials } from '../base/credential.ts';
import type { Log, LogFields } from '../base/log.ts';
import { type LineSink, standardError } from './standard-error.ts';

/** One line is at most this long; a longer one is cut by the depth and the edge of what it shows. */
const EDGE_LIMIT = 100;
const DEPTH_LIMIT = 6;

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

/**
 * The log of the process: JSON lines on standard error (standard output carries the ready line alone).
 * Every line passes the card number guard, and credentials are cut by name and by form. A line that cannot be written is left out.
 */
export function createLog(level: LogLevel, sink: LineSink = standardError()): Log {
  const logger = pino(
    {
      level,
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
  return asLog(logger);
}

function asLog(logger: Logger): Log {
  return {
    trace: (fields, message) => logger.trace(fields, message),
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    child: (fields: LogFields) => asLog(logger.child(fields)),
  };
}
