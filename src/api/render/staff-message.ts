import { assertNever } from '../../base/invariant.ts';
import type { Attempt } from '../../payment/attempt.ts';
import { type AttemptState, chargedOf, isFinal } from '../../payment/machine.ts';
import type { AttemptView } from '../../payment/payments.ts';
import type { TaskKind } from '../../payment/task.ts';
import { succeededGivingBack, succeededSale } from './staff-message-succeeded.ts';
import { STAFF_WORDS, UNDOING } from './staff-words.ts';

/** Kinds whose question the messages here ask themselves; every other open task is added in its own words. */
const ASKED_HERE: readonly TaskKind[] = [
  'cancel_too_late',
  'partial_approval',
  'amount_differs',
  'correction',
];

/** What staff should know and do now: whether the customer was charged, and the next step. For every state. */
export function staffMessage(view: AttemptView): string {
  const { attempt, tasks } = view;
  const { state } = attempt;
  const others = tasks.filter(({ kind }) => !ASKED_HERE.includes(kind)).map(({ message }) => message);
  if (isFinal(state) && view.charged !== chargedOf(state)) return sentences(contradicted(view), ...others);
  switch (state.name) {
    case 'succeeded':
      if (attempt.type === 'sale') return sentences(succeededSale(view), ...others);
      return sentences(...succeededGivingBack(attempt, others));
    case 'declined':
    case 'cancelled':
    case 'error':
      return sentences(withoutMoney(attempt, state.name), ...others);
    case 'written_off':
      return sentences(STAFF_WORDS[attempt.type].writtenOff, ...others);
    default:
      return sentences(undoingNow(attempt), unfinished(attempt, state));
  }
}

type Ended = 'succeeded' | 'declined' | 'cancelled' | 'error' | 'written_off';

function unfinished(attempt: Attempt, state: Exclude<AttemptState, { name: Ended }>): string {
  const { notYet, unknown } = STAFF_WORDS[attempt.type];
  switch (state.name) {
    case 'requested':
      return `${notYet} It waits for the terminal. Wait, do not start it again.`;
    case 'dispatched':
    case 'accepted':
      return `${unknown} The terminal is working on it. Wait for the result, do not start it again.`;
    case 'cancelling':
      return `${unknown} The cancel was asked for and the terminal decides. Press its stop key and wait.`;
    case 'approved':
      return `${unknown} The terminal approved it and is finishing. Wait for the result.`;
    case 'in_doubt':
      return inDoubt(attempt, state.hadApproval);
    default:
      return assertNever(state);
  }
}

/** Why tilld itself is undoing a payment; nothing for what somebody asked for. */
function undoingNow({ cause }: Attempt): string {
  return cause === null || cause === 'correction' ? '' : UNDOING[cause].now;
}

function inDoubt(attempt: Attempt, hadApproval: boolean): string {
  const { unknown, notAgain } = STAFF_WORDS[attempt.type];
  const number = attempt.report?.number;
  const receipt = number === undefined ? '' : `, receipt ${number}`;
  const approval = hadApproval ? `The terminal had said approved${receipt}.` : '';
  if (attempt.reason?.code === 'terminal_replaced')
    return sentences(
      unknown,
      approval,
      `The terminal that took it was replaced: find out from the customer's slip, the acquirer's statement or the old terminal's journal and decide; ${notAgain} before that.`,
    );
  const next = attempt.needsPerson
    ? `Look at the last receipt on the terminal and decide; ${notAgain} before that.`
    : `The terminal is being asked. Wait, and ${notAgain}.`;
  return sentences(unknown, approval, next);
}

/** The end proved that no money moved. */
function withoutMoney(attempt: Attempt, end: Exclude<Ended, 'succeeded' | 'written_off'>): string {
  const words = STAFF_WORDS[attempt.type];
  const { cause } = attempt;
  const next = cause === null || cause === 'correction' ? words[end] : UNDOING[cause].failed;
  return sentences(words.no, because(attempt, HAPPENED[end]), next);
}

const HAPPENED = {
  declined: 'The terminal declined it.',
  cancelled: 'It was cancelled.',
  error: 'It did not go through.',
} as const;

/** The newest evidence says otherwise than the end that was told. */
function contradicted({ attempt, charged, correctedBy }: AttemptView): string {
  const words = STAFF_WORDS[attempt.type];
  const see = correctedBy === null ? '' : `See payment ${correctedBy}.`;
  if (charged === 'unknown')
    return sentences(
      "The terminal's records do not fit how this payment ended.",
      words.unknown,
      `Compare the terminal's journal with the receipt; ${words.notAgain} before that.`,
      see,
    );
  const truth = charged === 'yes' ? words.afterAll : words.notAfterAll;
  return sentences(`The terminal's records say otherwise: ${truth}`, see);
}

function because(attempt: Attempt, otherwise: string): string {
  const text = attempt.reason?.message.trim();
  if (!text) return otherwise;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function sentences(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}
