/** What an answer comes to. `approved` only where the protocol has one word for it. */
export type Meaning = 'approved' | 'refused' | 'aborted' | 'unclear';

/** E+: digit 2 of an answer. Only 0, 7 and 9 are published; the others come from one unproved source (?). */
const EPLUS_WORDS: Readonly<Record<string, string>> = {
  '0': 'done',
  '1': 'call the bank (?)',
  '2': 'forced (?)',
  '3': 'refused (?)',
  '4': 'card forbidden (?)',
  '5': 'cancelled (?)',
  '6': 'not done (?)',
  '7': 'not done',
  '8': 'unknown error (?)',
  '9': 'not verified',
};

/** What an E+ result digit says, in words. */
export function eplusWords(digit: string): string {
  return EPLUS_WORDS[digit] ?? 'a result that no description knows';
}

/**
 * What an E+ result digit means. Terminals differ in every digit but 0, so the others count as a no only where this very device was
 * seen to give them when nothing was charged (`results` of its options). 9, not verified, never does.
 */
export function eplusMeaning(
  digit: string,
  proven: Readonly<Partial<Record<string, 'refused' | 'aborted'>>>,
): Meaning {
  if (digit === '0') return 'approved';
  return digit === '9' ? 'unclear' : (proven[digit] ?? 'unclear');
}

/**
 * V3: the first two characters of AF, the reason of an answer with AE 01 (not done), and what we take it for. Only what says that
 * nothing was authorised is a no:
 * - 04 and 05 are the bank's and the card's no; 06, 08 and 11 an end by a person or by a clock before an authorisation;
 * - 09, 12 and 13 refuse our message, its action or its currency: no payment began;
 * - 01 and 03 speak of an authorisation inside an answer that says "not done"; with 02 staff may phone and force it; 00 and 07 ("not
 *   completed") do not say at which point it ended; 10 may come after the card was read. All of these are for a person.
 */
const REASONS: Readonly<Record<string, readonly [words: string, meaning: Exclude<Meaning, 'approved'>]>> = {
  '00': ['unknown reason', 'unclear'],
  '01': ['authorised', 'unclear'],
  '02': ['the bank wants a phone call', 'unclear'],
  '03': ['forced', 'unclear'],
  '04': ['refused', 'refused'],
  '05': ['card forbidden', 'refused'],
  '06': ['abandoned', 'aborted'],
  '07': ['not completed', 'unclear'],
  '08': ['nobody typed in time', 'aborted'],
  '09': ['the terminal does not understand our message', 'refused'],
  '10': ['selection error', 'unclear'],
  '11': ['stopped by the operator', 'aborted'],
  '12': ['the terminal does not know this action', 'refused'],
  '13': ['the terminal does not know this currency', 'refused'],
};

/** The reason with which a terminal says that it has no such action. */
export const UNKNOWN_ACTION = '12';

/** What a V3 answer with AE 01 means, by its reason. */
export function v3Refusal(reason: string | undefined): Exclude<Meaning, 'approved'> {
  return REASONS[reason ?? '']?.[1] ?? 'unclear';
}

/** The reason in words. */
export function v3Words(reason: string | undefined): string {
  return REASONS[reason ?? '']?.[0] ?? 'no known reason';
}
