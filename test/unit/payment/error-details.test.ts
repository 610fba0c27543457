import { describe, expect, it } from 'vitest';
import { PaymentStatus } from '../../../src/api/contract/terminal-payment.ts';
import { paymentDetails } from '../../../src/payment/attempt/error-details.ts';
import type { AttemptState } from '../../../src/payment/attempt/state-machine.ts';

const STATES: Readonly<Record<AttemptState['name'], readonly [state: AttemptState, status: string]>> = {
  requested: [{ name: 'requested' }, 'requested'],
  dispatched: [{ name: 'dispatched' }, 'in_progress'],
  accepted: [{ name: 'accepted', lastVerdict: null }, 'in_progress'],
  cancelling: [{ name: 'cancelling', accepted: true, lastVerdict: null }, 'in_progress'],
  approved: [{ name: 'approved', cancelledBefore: false }, 'in_progress'],
  in_doubt: [{ name: 'in_doubt', hadApproval: false }, 'in_progress'],
  succeeded: [{ name: 'succeeded' }, 'succeeded'],
  declined: [{ name: 'declined' }, 'declined'],
  cancelled: [{ name: 'cancelled' }, 'cancelled'],
  error: [{ name: 'error' }, 'error'],
  written_off: [{ name: 'written_off' }, 'error'],
};

describe('what an error response says of a payment', () => {
  it.each(Object.values(STATES))('%o has the status %s', (state, status) => {
    const details = paymentDetails({ id: 'p1', state });
    expect(details).toEqual({ payment_id: 'p1', status, in_doubt: state.name === 'in_doubt' });
    expect(PaymentStatus.options).toContain(details.status);
  });
});
