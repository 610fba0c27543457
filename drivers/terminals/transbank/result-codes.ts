import { resultCodes } from '../../../src/driver-kit/terminal.ts';

/**
 * The terminal's explicit codes, after the maker's table. Every other code is unclear: 02 (host does not answer),
 * 03 (connection failed), 16 and 65 (the host's answer), 94 (processing the answer) and 95 (printing) come when money may have moved.
 */
export const { verdictOf, wordsOf: resultWords } = resultCodes({
  '00': ['approved', 'approved'],
  '01': ['refused', 'declined'],
  '04': ['refused', 'this sale was voided already'],
  '05': ['refused', 'there is no such sale to void'],
  '06': ['refused', 'the card is not supported'],
  '07': ['aborted', 'cancelled at the terminal'],
  '08': ['refused', 'a sale by debit card cannot be voided'],
  '09': ['refused', 'the card could not be read'],
  '10': ['refused', 'the amount is below the minimum'],
  '11': ['refused', 'there is no sale'],
  '12': ['refused', 'the terminal does not support this'],
  '13': ['refused', 'close the day of the terminal first'],
  '14': ['refused', 'the terminal has no line to its host'],
  '15': ['refused', 'a file is missing on the terminal (BITMAP.DAT); call Transbank'],
  '17': ['refused', 'the last four digits do not fit the card'],
  '18': ['refused', 'wrong menu'],
  '19': ['refused', 'it is another card'],
  '20': ['refused', 'the card is not valid'],
  '21': ['refused', 'this sale may not be voided'],
  '22': ['aborted', 'the customer did nothing at the terminal in time'],
  '24': ['refused', 'the terminal has no paper; put in a roll'],
  '25': ['refused', 'the date of the terminal is wrong'],
  '26': ['refused', 'the terminal must load its keys first'],
  '27': ['refused', 'the terminal must update its software first'],
  '60': ['refused', 'wrong number of instalments'],
  '61': ['refused', 'the terminal could not build its request'],
  '62': ['refused', 'the PIN pad of the terminal is faulty'],
  '67': ['refused', 'the terminal holds too many sales; close its day first'],
  '68': ['refused', 'the amount could not be entered'],
  '70': ['refused', 'the ticket is longer than six characters'],
  '71': ['refused', 'the print field has a wrong length'],
  '72': ['refused', 'the amount is nothing'],
  '73': ['refused', 'the terminal has no terminal id; call Transbank'],
  '74': ['refused', 'close the day of the terminal first'],
  '75': ['refused', 'no cards are set up for this shop; call Transbank'],
  '76': ['refused', 'the terminal holds too many sales; close its day first'],
  '77': ['refused', 'close the day of the terminal first'],
  '88': ['refused', 'wrong number of instalments'],
  '93': ['refused', 'declined by the bank'],
  '02': ['unclear', 'the host does not answer'],
  '03': ['unclear', 'the connection to the host failed'],
  '16': ['unclear', "the host's answer has a wrong format"],
  '65': ['unclear', "the host's answer could not be processed"],
  '94': ['unclear', 'the answer could not be processed'],
  '95': ['unclear', 'printing failed'],
});

/** "Load keys first": the driver loads them itself. */
export const KEYS_TO_LOAD = '26';
/** Its own printer has no paper. */
export const NO_PAPER = '24';
/** The list, or the last sale, is empty. */
export const NO_SALE = '11';

const PROGRESS: Readonly<Record<string, string>> = {
  '78': 'Waiting for the card',
  '79': 'Confirming the amount',
  '80': 'Choosing instalments',
  '81': 'Entering the PIN',
  '82': 'Asking the bank',
  '83': 'Choosing credit or debit',
  '84': 'Use the card at the terminal',
  '85': 'Choosing instalments',
  '86': 'Entering instalments',
  '87': 'Confirming instalments',
};

/** The progress at the terminal, from the code of a 0900 frame. */
export function progressWords(code: string): string {
  return PROGRESS[code] ?? `The terminal is at work (${code})`;
}
