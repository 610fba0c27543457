import { invariant } from '../../base/invariant.ts';
import type { MoneyCommand } from '../../terminal/ports.ts';
import type { Attempt } from './attempt.ts';

/** The command to the terminal for an attempt that is dispatched; a void names the transaction that it reverses. */
export function commandOf(attempt: Attempt): MoneyCommand {
  const { id: attemptId, amount, type, original, ticket } = attempt;
  invariant(ticket, 'what is sent has a ticket', { attempt: attemptId });
  if (type !== 'void') return { kind: type, attemptId, ticket, amount };
  invariant(original, 'a void knows what it undoes', { attempt: attemptId });
  return { kind: 'void', attemptId, ticket, amount, original };
}
