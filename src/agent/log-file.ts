import { resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Config } from '../config/schema.ts';
import { LogFile } from '../runtime/log-file.ts';
import { beside, type LogRing } from '../runtime/log-ring.ts';
import { standardError } from '../runtime/standard-error.ts';

/**
 * The log file; null when the configuration names none.
 * @param ring shows at the pages, too, that the file takes no lines
 * @throws LOG_FILE_UNUSABLE
 */
export function logFile({ log }: Config, ring: LogRing, clock: Pick<Clock, 'monotonic'>): LogFile | null {
  if (!log.file) return null;
  const { path, max_bytes: maxBytes, keep } = log.file;
  const otherwise = standardError();
  return LogFile.open(
    { path: resolve(path), maxBytes, keep },
    { otherwise, notices: beside(otherwise, ring), clock },
  );
}
