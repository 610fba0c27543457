/** The meaning of an answer. `approved` only where the protocol has one explicit code for it. */
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

/** The text of an E+ result digit. */
export function eplusWords(digit: string): string {
  return EPLUS_WORDS[digit] ?? 'a result that no description knows';
}

/**
 * The meaning of an E+ result digit. Terminals differ in every digit but 0, so the others count as a refusal only where this
 * device was tested to send them when nothing was charged (`results` of its options). 9, not verified, never does.
 */
export function eplusMeaning(
  digit: string,
  proven: Readonly<Partial<Record<string, 'refused' | 'aborted'>>>,
): Meaning {
  if (digit === '0') return 'approved';
  return digit === '9' ? 'unclear' : (proven[digit] ?? 'unclear');
}

/**
 * V3: the first two characters of AF, the reason of an answer with AE 01 (not done), and its meaning. Only a reason that says that
 * nothing was authorised is a refusal:
 * - 04 and 05: refused by the bank and by the card; 06, 08 and 11: ended by a person or a timeout before an authorisation;
 * - 09, 12 and 13: our message, its action or its currency is refused: no payment began;
 * - 01 and 03 mention an authorisation inside an answer that says "not done"; with 02 staff may phone and force it; 00 and 07 ("not
 *   completed") do not say at which point it ended; 10 may come after the card was read. Staff decide all of these.
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
  '08': ['no key was pressed in time', 'aborted'],
  '09': ['the terminal does not understand our message', 'refused'],
  '10': ['selection error', 'unclear'],
  '11': ['stopped by the operator', 'aborted'],
  '12': ['the terminal does not know this action', 'refused'],
  '13': ['the terminal does not know this currency', 'refused'],
};

/** The reason for an unknown action. */
export const UNKNOWN_ACTION = '12';

/** The meaning of a V3 answer with AE 01, by its reason. */
export function v3Refusal(reason: string | undefined): Exclude<Meaning, 'approved'> {
  return REASONS[reason ?? '']?.[1] ?? 'unclear';
}

/** The text of the reason. */
export function v3Words(reason: string | undefined): string {
  return REASONS[reason ?? '']?.[0] ?? 'no known reason';
}
