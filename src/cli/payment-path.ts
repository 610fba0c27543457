import { AppError } from '../base/errors.ts';
import { canonicalId, isUuid } from '../base/ids.ts';

/**
 * Where a payment, or its `what`, is at the local interface.
 * @throws USAGE when `id` is no UUID.
 */
export function paymentPath(id: string, what?: 'explain' | 'cancel' | 'resolve' | 'refund' | 'void'): string {
  if (!isUuid(id))
    throw new AppError('USAGE', 'the id of a payment is a UUID: `tillctl payments` lists them');
  const path = `/v2/terminal-payments/${canonicalId(id)}`;
  return what === undefined ? path : `${path}/${what}`;
}
