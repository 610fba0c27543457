import type { Verdict } from '../../../src/driver-kit/terminal.ts';

/**
 * Results that are explicit words of the terminal. Whatever is not here is unclear: that is what keeps money safe.
 * 01 is both, declined and stopped at the terminal; only its text tells which. 05 and 09 are published and say nothing of money:
 * 05 answers a wish that we never send, 09 is about data of the host that the terminal did not know.
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

/** Words for people. */
export function resultWords(code: string): string {
  return WORDS[code] ?? `result ${code}, which is not on the list`;
}
