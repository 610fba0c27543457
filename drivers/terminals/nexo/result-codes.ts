import { maskCardNumbers, type Verdict } from '../../../src/driver-kit/terminal.ts';

/** ErrorConditions that are the bank's or the card's no, and their words. */
const REFUSED: Readonly<Record<string, string>> = {
  Refusal: 'declined by the bank',
  WrongPIN: 'wrong PIN',
  InvalidCard: 'the card cannot be read or is not accepted',
  PaymentRestriction: 'this card may not pay for this',
};
const ABORTED: Readonly<Record<string, string>> = {
  Aborted: 'stopped',
  Cancel: 'stopped at the terminal',
};
/** The terminal is in another transaction and has begun nothing. */
export const BUSY = 'Busy';
/** The request itself was refused. Of a payment it may be an answer to its repetition by a machine in between, so it is unclear there. */
const REQUEST_REFUSED: Readonly<Record<string, string>> = {
  [BUSY]: 'the terminal is in another transaction',
  NotAllowed: 'the terminal does not allow this request',
  LoggedOut: 'the till is not logged in at the terminal',
  MessageFormat: 'the terminal cannot read the request',
  UnavailableService: 'the terminal does not know this request',
};

/**
 * The verdict of a response about money. UnreachableHost, DeviceOut, UnavailableDevice, InsertedCard, InProgress and NotFound do not say whether the
 * bank had already booked, so they are unclear, like every condition that is not listed.
 */
export function verdictOf(result: string, condition: string | undefined): Verdict {
  if (result === 'Success' || result === 'Partial') return condition === undefined ? 'approved' : 'unclear';
  if (result !== 'Failure' || condition === undefined) return 'unclear';
  if (Object.hasOwn(REFUSED, condition)) return 'refused';
  return Object.hasOwn(ABORTED, condition) ? 'aborted' : 'unclear';
}

/** Whether a request that moves no money was refused, explicitly. */
export function isRefused(result: string, condition: string | undefined): boolean {
  const known = [REFUSED, ABORTED, REQUEST_REFUSED];
  return (
    result === 'Failure' && condition !== undefined && known.some((list) => Object.hasOwn(list, condition))
  );
}

/** A condition for people. */
export function wordsOf(condition: string | undefined): string {
  if (condition === undefined) return 'without a reason';
  const words = { ...REFUSED, ...ABORTED, ...REQUEST_REFUSED };
  return Object.hasOwn(words, condition) ? (words[condition] ?? '') : maskCardNumbers(condition).slice(0, 40);
}
