import { AppError } from '../base/errors.ts';
import { canonicalId, isUuid } from '../base/ids.ts';

/**
 * Path of a payment, or of its `what`, in the local API.
 * @throws USAGE when `id` is no UUID.
 */
export function paymentPath(id: string, what?: 'explain' | 'cancel' | 'resolve' | 'refund' | 'void'): string {
  if (!isUuid(id))
    throw new AppError('USAGE', 'the id of a payment is a UUID: `tillctl payments` lists them');
  const path = `/v2/terminal-payments/${canonicalId(id)}`;
  return what === undefined ? path : `${path}/${what}`;
}
