import type { Attempt } from './attempt.ts';
import { type PublicStatus, publicStatus } from './state-machine.ts';

/** The fields of `details` about a payment, in an error response: the same names and values as in the payment itself. */
export interface PaymentDetails {
  readonly payment_id: string;
  readonly status: PublicStatus;
  readonly in_doubt: boolean;
}

/** What an error response says of the payment that it is about. */
export function paymentDetails({ id, state }: Pick<Attempt, 'id' | 'state'>): PaymentDetails {
  return { payment_id: id, status: publicStatus(state), in_doubt: state.name === 'in_doubt' };
}
