import { maskCardNumbers, resultCodes, type Verdict } from '../../../src/driver-kit/terminal.ts';

/** The terminal is in another transaction and has begun nothing. */
export const BUSY_CONDITION = 'Busy';

/**
 * ErrorConditions: the bank's or the card's no, and a stop. Those that refuse the request itself are unclear about a payment: they may answer its
 * repetition by a machine in between. UnreachableHost, DeviceOut, UnavailableDevice, InsertedCard, InProgress and NotFound do not say whether the bank
 * had already booked, so they are not listed.
 */
const conditions = resultCodes(
  {
    Refusal: ['refused', 'declined by the bank'],
    WrongPIN: ['refused', 'wrong PIN'],
    InvalidCard: ['refused', 'the card cannot be read or is not accepted'],
    PaymentRestriction: ['refused', 'this card may not pay for this'],
    Aborted: ['aborted', 'stopped'],
    Cancel: ['aborted', 'stopped at the terminal'],
    [BUSY_CONDITION]: ['unclear', 'the terminal is in another transaction'],
    NotAllowed: ['unclear', 'the terminal does not allow this request'],
    LoggedOut: ['unclear', 'the till is not logged in at the terminal'],
    MessageFormat: ['unclear', 'the terminal cannot read the request'],
    UnavailableService: ['unclear', 'the terminal does not know this request'],
  },
  (condition) => maskCardNumbers(condition).slice(0, 40),
);

/** The verdict of a response about money. */
export function verdictOf(result: string, condition: string | undefined): Verdict {
  if (result === 'Success' || result === 'Partial') return condition === undefined ? 'approved' : 'unclear';
  if (result !== 'Failure' || condition === undefined) return 'unclear';
  return conditions.verdictOf(condition);
}

/** Whether a request that moves no money was refused, explicitly. */
export function isRefused(result: string, condition: string | undefined): boolean {
  return result === 'Failure' && condition !== undefined && conditions.has(condition);
}

/** A condition for people. */
export function wordsOf(condition: string | undefined): string {
  return condition === undefined ? 'without a reason' : conditions.wordsOf(condition);
}
