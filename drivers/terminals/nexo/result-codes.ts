import type { Verdict } from '../../../src/driver-kit/terminal.ts';

/** ErrorConditions after which nothing was charged, and their words. */
const REFUSED: Readonly<Record<string, string>> = {
  Refusal: 'declined by the bank',
  WrongPIN: 'wrong PIN',
  InvalidCard: 'the card cannot be read or is not accepted',
  PaymentRestriction: 'this card may not pay for this',
  NotAllowed: 'the terminal does not allow this request',
  LoggedOut: 'the till is not logged in at the terminal',
  MessageFormat: 'the terminal cannot read the request',
  UnavailableService: 'the terminal does not know this request',
};
const ABORTED: Readonly<Record<string, string>> = {
  Aborted: 'stopped',
  Cancel: 'stopped at the terminal',
};
/** The terminal is in another transaction and has begun nothing. */
export const BUSY = 'Busy';

/**
 * The verdict of a response. UnreachableHost, DeviceOut, UnavailableDevice, InsertedCard, InProgress and NotFound do not say whether the bank had
 * already booked, so they are unclear, like every condition that is not listed.
 */
export function verdictOf(result: string, condition: string | undefined): Verdict {
  if (result === 'Success' || result === 'Partial') return condition === undefined ? 'approved' : 'unclear';
  if (result !== 'Failure' || condition === undefined) return 'unclear';
  if (Object.hasOwn(REFUSED, condition) || condition === BUSY) return 'refused';
  return Object.hasOwn(ABORTED, condition) ? 'aborted' : 'unclear';
}

/** A condition for people. */
export function wordsOf(condition: string | undefined): string {
  if (condition === undefined) return 'without a reason';
  return REFUSED[condition] ?? ABORTED[condition] ?? condition.slice(0, 40);
}
