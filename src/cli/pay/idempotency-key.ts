import { randomUUID } from 'node:crypto';
import { AppError } from '../../base/errors.ts';

/**
 * The key of this command: the given one of an earlier try, or a new one.
 * @throws USAGE when it is not 1 to 255 visible ASCII characters.
 */
export function idempotencyKey(wanted: string | undefined): string {
  const key = wanted ?? randomUUID();
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new AppError('USAGE', '--idempotency-key must be 1 to 255 visible ASCII characters');
}
