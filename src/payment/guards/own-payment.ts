import { canonicalId } from '../../base/ids.ts';
import type { PaymentStore } from '../ports.ts';

/** Whether a payment at the service is one of our attempts in any state: by its id, by an alias, or by `metadata.tilld`. */
export function isOurs(
  store: Pick<PaymentStore, 'attemptOfServiceId' | 'findAttempt'>,
  serviceId: string,
  metadata: Readonly<Record<string, unknown>>,
): boolean {
  if (store.attemptOfServiceId(serviceId)) return true;
  const reported = attemptNamedIn(metadata);
  return reported !== null && store.findAttempt(reported) !== null;
}

/** The attempt of ours that a payment at the service reports; null for work. */
export function attemptNamedIn({ tilld }: Readonly<Record<string, unknown>>): string | null {
  if (typeof tilld !== 'object' || tilld === null || !('attempt' in tilld)) return null;
  return typeof tilld.attempt === 'string' ? canonicalId(tilld.attempt) : null;
}
