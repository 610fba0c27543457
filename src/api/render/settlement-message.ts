import { assertNever } from '../../base/invariant.ts';
import type { Settlement } from '../../payment/batch/settlement.ts';

/** Part of every message but that of a clean close: staff must neither doubt payments nor take one again. */
const NOBODY_CHARGED = 'An end of day charges no customer: every payment stands as it was.';

/** What staff should know and do now about an end of day, for every state. */
export function settlementMessage(settlement: Settlement): string {
  const why = words(settlement);
  switch (settlement.status) {
    case 'requested':
      return `The end of day waits for the terminal. ${NOBODY_CHARGED} Wait, do not start it again.`;
    case 'in_progress':
      return `The terminal is closing its day. ${NOBODY_CHARGED} Wait, and leave the terminal switched on.`;
    case 'succeeded':
      return `${closed(settlement)} ${NOBODY_CHARGED} ${compared(settlement.differs)}`;
    case 'refused':
      return `The terminal refused to close its day${why} Its batch is still open. ${NOBODY_CHARGED} Mend what it names, then start the end of day again.`;
    case 'cancelled':
      return `The end of day never reached the terminal${why} ${NOBODY_CHARGED} Start it again.`;
    case 'unknown':
      return `It is not known whether the terminal closed its day${why} ${NOBODY_CHARGED} Look at the terminal: if it printed the totals, the day is closed; else start the end of day again.`;
    default:
      return assertNever(settlement.status);
  }
}

function closed({ source }: Settlement): string {
  return source === 'terminal' ? 'The terminal closed its day by itself.' : 'The day is closed.';
}

function compared(differs: boolean | null): string {
  if (differs === null)
    return 'Its sum could not be compared with our books: keep the printed totals for the accounts.';
  return differs
    ? "The terminal's sum is NOT ours: compare its journal with the payments of the day before you put the totals away."
    : "The terminal's sum is ours. Nothing else is to be done.";
}

/** `: paper is out.`, or a full stop. */
function words({ reason }: Settlement): string {
  const text = reason?.message.trim();
  if (!text) return '.';
  return /[.!?]$/.test(text) ? `: ${text}` : `: ${text}.`;
}
