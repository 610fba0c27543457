import { assertNever } from '../../base/invariant.ts';
import { formatMoney } from '../../base/money.ts';
import type { Attempt } from '../../payment/attempt.ts';

interface Words {
  readonly yes: (amount: string) => string;
  readonly no: string;
  readonly notYet: string;
  readonly unknown: string;
  readonly next: string;
}

const CHARGE: Words = {
  yes: (amount) => `The customer HAS paid ${amount}.`,
  no: 'The customer was not charged.',
  notYet: 'The customer has not been charged so far.',
  unknown: 'It is not known yet whether the customer was charged.',
  next: 'Hand over the goods.',
};

const GIVE_BACK: Words = {
  yes: (amount) => `${amount} WAS given back to the customer.`,
  no: 'No money was given back.',
  notYet: 'No money has been given back so far.',
  unknown: 'It is not known yet whether money was given back.',
  next: 'Nothing else is to be done.',
};

/** What staff should know and do now: whether the customer was charged, and the next step. For every state. */
export function staffMessage(attempt: Attempt): string {
  const words = attempt.type === 'sale' ? CHARGE : GIVE_BACK;
  const { state } = attempt;
  switch (state.name) {
    case 'requested':
      return `${words.notYet} It waits for the terminal. Wait, do not start it again.`;
    case 'dispatched':
    case 'accepted':
      return `${words.unknown} The terminal is working on it. Wait for the result, do not start it again.`;
    case 'cancelling':
      return `${words.unknown} The cancel was asked for and the terminal decides. Press its stop key and wait.`;
    case 'approved':
      return `${words.unknown} The terminal approved it and is finishing. Wait for the result.`;
    case 'in_doubt':
      return inDoubt(attempt, words, state.hadApproval);
    case 'succeeded':
      return succeeded(attempt, words);
    case 'declined':
      return `${words.no} ${because(attempt, 'The payment was declined.')} Try another card or another way to pay.`;
    case 'cancelled':
      return `${words.no} ${because(attempt, 'It was cancelled.')} Start again if it is still wanted.`;
    case 'error':
      return `${words.no} ${because(attempt, 'It did not go through.')} Look at the terminal, then try again.`;
    default:
      return assertNever(state);
  }
}

function inDoubt(attempt: Attempt, words: Words, hadApproval: boolean): string {
  const receipt = attempt.report?.number;
  const approval = hadApproval
    ? ` The terminal had said approved${receipt ? `, receipt ${receipt}` : ''}.`
    : '';
  const next = attempt.needsPerson
    ? 'Look at the last receipt on the terminal and decide; do not take this payment again before that.'
    : 'The terminal is being asked. Wait, and do not take this payment again.';
  return `${words.unknown}${approval} ${next}`;
}

function succeeded(attempt: Attempt, words: Words): string {
  const amount = formatMoney({
    ...attempt.amount,
    minor: attempt.report?.amountMinor ?? attempt.amount.minor,
  });
  if (attempt.type === 'sale' && attempt.cancelRequestedAt !== null) {
    return `Cancel came too late. ${words.yes(amount)} Hand over the goods or refund.`;
  }
  return `${words.yes(amount)} ${words.next}`;
}

function because(attempt: Attempt, otherwise: string): string {
  const text = attempt.reason?.message.trim();
  if (!text) return otherwise;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
