import { resultCodes } from '../../../src/driver-kit/terminal.ts';

/**
 * The terminal's explicit results. Every other code is unclear, so that no charge is reported as a refusal.
 * 01 means declined or stopped at the terminal; only its text distinguishes them. 05 and 09 are published and say nothing of money:
 * 05 answers an option that is never sent, 09 is about data of the host that the terminal did not know.
 */
export const { verdictOf, wordsOf: resultWords } = resultCodes(
  {
    '00': ['approved', 'approved'],
    '01': ['refused', 'declined, or stopped at the terminal'],
    '05': ['unclear', 'no card in the terminal'],
    '09': ['unclear', 'the terminal did not know a field that its host sent'],
  },
  (code) => `result ${code}, which is not on the list`,
);
