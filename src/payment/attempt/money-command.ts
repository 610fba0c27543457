import { invariant } from '../../base/invariant.ts';
import type { MoneyCommand } from '../../terminal/ports.ts';
import type { Attempt } from './attempt.ts';

/** The command to the terminal for an attempt that is dispatched; a sale says whether the customer is asked for a tip, a void names the transaction that it reverses. */
export function commandOf(attempt: Attempt): MoneyCommand {
  const { id: attemptId, amount, type, original, ticket, baseline } = attempt;
  invariant(ticket, 'what is sent has a ticket', { attempt: attemptId });
  if (type === 'sale')
    return { kind: 'sale', attemptId, ticket, amount, ...(baseline?.tipAsked ? { tip: 'ask' } : {}) };
  if (type === 'refund') return { kind: 'refund', attemptId, ticket, amount };
  invariant(original, 'a void knows what it undoes', { attempt: attemptId });
  return { kind: 'void', attemptId, ticket, amount, original };
}
