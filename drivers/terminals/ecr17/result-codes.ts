import type { Verdict } from '../../../src/driver-kit/terminal.ts';

/**
 * The terminal's explicit results. Every other code is unclear, so that no charge is reported as a refusal.
 * 01 means declined or stopped at the terminal; only its text distinguishes them. 05 and 09 are published and say nothing of money:
 * 05 answers an option that is never sent, 09 is about data of the host that the terminal did not know.
 */
const VERDICTS: Readonly<Record<string, Verdict>> = { '00': 'approved', '01': 'refused' };

const WORDS: Readonly<Record<string, string>> = {
  '00': 'approved',
  '01': 'declined, or stopped at the terminal',
  '05': 'no card in the terminal',
  '09': 'the terminal did not know a field that its host sent',
};

export function verdictOf(code: string): Verdict {
  return VERDICTS[code] ?? 'unclear';
}

/** Text for staff. */
export function resultWords(code: string): string {
  return WORDS[code] ?? `result ${code}, which is not on the list`;
}
