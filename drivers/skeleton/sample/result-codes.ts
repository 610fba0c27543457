import { resultCodes } from '../../../src/driver-kit/terminal.ts';

/** The terminal's explicit result codes. Every other code is unclear, so that no charge is reported as a refusal. */
export const codes = resultCodes({
  '00': ['approved', 'approved'],
  '09': ['refused', 'this terminal has another currency'],
  '17': ['aborted', 'stopped at the terminal, or no card came'],
  '51': ['refused', 'declined by the bank'],
});
