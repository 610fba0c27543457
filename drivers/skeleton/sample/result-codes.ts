import type { Verdict } from '../../../src/driver-kit/terminal.ts';

/** The terminal's explicit result codes. Every other code is unclear, so that no charge is reported as a refusal. */
const VERDICTS: Readonly<Record<string, readonly [verdict: Verdict, words: string]>> = {
  '00': ['approved', 'approved'],
  '09': ['refused', 'this terminal has another currency'],
  '17': ['aborted', 'stopped at the terminal, or no card came'],
  '51': ['refused', 'declined by the bank'],
};

export function verdictOf(code: string): Verdict {
  return VERDICTS[code]?.[0] ?? 'unclear';
}

/** Text for staff. */
export function resultWords(code: string): string {
  return VERDICTS[code]?.[1] ?? `code ${code}, which is not on the list`;
}
