import { maskCardNumbers } from '../base/card-number.ts';
import { assertNever } from '../base/invariant.ts';
import { formatMoney } from '../base/money.ts';
import type { OutboxRow, ReportSubject } from './ports.ts';

/**
 * What staff read when a report was parked: what the terminal says, what the service says, whether money moved, what to do.
 * `reason` is the row's own, with the service's words in it.
 */
export function reportTaskMessage(
  row: Pick<OutboxRow, 'kind'>,
  reason: string,
  subject: ReportSubject,
): string {
  const what = `${NAMES[subject.type]} of ${formatMoney(subject.amount)}`;
  const told = row.kind === 'create' ? `this ${what}` : `how this ${what} ended`;
  const parts = [
    `The service did not accept ${told}.`,
    `The terminal: ${TERMINAL_WORDS[subject.status]}.`,
    `Its answer: ${maskCardNumbers(reason)}.`,
    moneyWords(subject),
    'Have it put right in the service, then close this task.',
  ];
  return parts.join(' ');
}

const NAMES = { sale: 'sale', refund: 'refund', void: 'void' } as const;

const TERMINAL_WORDS = {
  requested: 'not asked yet',
  in_progress: 'not finished yet',
  succeeded: 'succeeded',
  declined: 'declined',
  cancelled: 'cancelled',
  error: 'not carried out',
} as const;

function moneyWords(subject: ReportSubject): string {
  const moved = movedOf(subject);
  const isSale = subject.type === 'sale';
  switch (moved) {
    case 'yes':
      return isSale
        ? 'The customer HAS paid: do not charge again.'
        : 'The customer HAS the money back: do not give it back again.';
    case 'no':
      return isSale ? 'The customer was NOT charged.' : 'Nothing was given back.';
    case 'unknown':
      return isSale
        ? 'Whether the customer was charged is not known yet: wait for its outcome before charging again.'
        : 'Whether the money was given back is not known yet: wait for its outcome before giving it back again.';
    default:
      return assertNever(moved);
  }
}

/** Whether money moved, by the newest evidence: a correction says the opposite of the end that it contradicts. */
function movedOf({ status, corrected }: ReportSubject): 'yes' | 'no' | 'unknown' {
  if (status === 'requested' || status === 'in_progress') return 'unknown';
  return (status === 'succeeded') !== corrected ? 'yes' : 'no';
}
