import { formatMoney } from '../../base/money.ts';
import { whichOf } from '../../terminal/identity.ts';
import type { Attempt } from '../attempt/attempt.ts';

const WHAT = { sale: 'a sale', refund: 'a refund', void: 'a reversal' } as const;

/**
 * The question to a person at a terminal that cannot report how a payment ended: what to look for there, and what to answer.
 * Times are this machine's.
 */
export function questionAt(attempt: Attempt): string {
  const { amount, type, dispatchedAt, ticket, id, report, baseline } = attempt;
  const tip = baseline?.tipAsked ? ', or more with a tip (then say its amount)' : '';
  const at = dispatchedAt === null ? '' : `, at about ${timeOf(dispatchedAt)}`;
  const name = ticket === null ? '' : ` (reference ${ticket} or ${id.slice(0, 8)}, if it prints one)`;
  const terminal = baseline ? `The terminal${whichOf(baseline.terminal)}` : 'This terminal';
  const reported = report?.verdict === 'approved' ? ' It had said that it is approved.' : '';
  return (
    `${terminal} cannot tell how it ended.${reported} Look at its last receipt or its journal: is there ${WHAT[type]} of ` +
    `${formatMoney(amount)}${tip}${at}${name}? If it is there, say "succeeded" with its receipt number or authorisation code; ` +
    `if it is not, say "not charged". Until then, do not take the money again.`
  );
}

const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

function timeOf(instant: number): string {
  return TIME.format(instant);
}
