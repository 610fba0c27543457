import { invariant } from '../../base/invariant.ts';
import { isSameTerminal } from '../../terminal/identity.ts';
import type { MoneyCommand, OriginalTransaction } from '../../terminal/ports.ts';
import type { PaymentStore } from '../ports.ts';
import type { Attempt } from './attempt.ts';
import { originalOf } from './create-attempt.ts';

/**
 * The command to the terminal for an attempt that is dispatched; a sale says whether the customer is asked for a tip, a void names the transaction
 * that it reverses, a refund its sale where the same terminal took it.
 */
export function commandOf(attempt: Attempt, store: Pick<PaymentStore, 'findAttempt'>): MoneyCommand {
  const { id: attemptId, amount, type, original, ticket, baseline } = attempt;
  invariant(ticket, 'what is sent has a ticket', { attempt: attemptId });
  if (type === 'sale')
    return { kind: 'sale', attemptId, ticket, amount, ...(baseline?.tipAsked ? { tip: 'ask' } : {}) };
  if (type === 'refund') {
    const sale = refundedSale(attempt, store);
    return { kind: 'refund', attemptId, ticket, amount, ...(sale ? { original: sale } : {}) };
  }
  invariant(original, 'a void knows what it undoes', { attempt: attemptId });
  return { kind: 'void', attemptId, ticket, amount, original };
}

/** Null without proof that the same terminal took it: numbers of another terminal would name a payment of another customer here. */
function refundedSale(
  { parentId, deviceId, baseline }: Attempt,
  store: Pick<PaymentStore, 'findAttempt'>,
): OriginalTransaction | null {
  const sale = parentId === null ? null : store.findAttempt(parentId);
  if (!sale?.report || !sale.baseline || !baseline || sale.deviceId !== deviceId) return null;
  const { terminal } = sale.baseline;
  const isNamed = terminal.serial !== undefined || terminal.terminalId !== undefined;
  return isNamed && isSameTerminal(terminal, baseline.terminal) ? originalOf(sale) : null;
}
