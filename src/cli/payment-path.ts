import { AppError } from '../base/errors.ts';
import { isUuid } from '../base/ids.ts';

/**
 * Where a payment's `what` is at the local interface.
 * @throws USAGE when `id` is no UUID.
 */
export function paymentPath(id: string, what: 'explain' | 'cancel' | 'resolve'): string {
  if (!isUuid(id))
    throw new AppError('USAGE', 'the id of a payment is a UUID: `tillctl payments` lists them');
  return `/v2/terminal-payments/${id.toLowerCase()}/${what}`;
}
