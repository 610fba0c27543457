import { AppError } from '../../base/errors.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { paymentDetails } from '../attempt/error-details.ts';
import { isFinal } from '../attempt/state-machine.ts';
import type { AttemptView } from '../payments.ts';
import { alreadyOpen, alreadyPaid } from './duplicate-sale.ts';

/**
 * A sale is tried again once, by whichever till is first, and only where it is proved that it charged nothing. A retry that charged nothing either is
 * what is tried again next, so that two tills never take the same sale side by side.
 * @param first the sale that is tried again; `next` its retry so far, null: there is none; `after` a paid payment that a person passes by
 * @throws PAYMENT_ALREADY_OPEN, PAYMENT_ALREADY_PAID, PAYMENT_RETRIED; `context.details` names the payment and what to do.
 */
export function guardRetry(first: AttemptView, next: Attempt | null, after: string | null): void {
  const { attempt, charged } = first;
  if (next) throw retried(next);
  if (!isFinal(attempt.state)) throw alreadyOpen(attempt);
  if (charged !== 'no' && attempt.id !== after) throw alreadyPaid(attempt);
}

function retried(next: Attempt): AppError {
  return new AppError(
    'PAYMENT_RETRIED',
    'This payment was tried again already, and this one was not started.',
    {
      context: {
        details: {
          ...paymentDetails(next),
          what_to_do: 'look at this payment; if it charged nothing, send "retry_of" with its id',
        },
      },
    },
  );
}
