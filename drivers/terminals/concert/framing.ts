import type { StxFraming, StxLineTimes } from '../../../src/driver-kit/terminal.ts';

/** "I have something to say", and "I have said it". */
export const ENQ = 0x05;
export const EOT = 0x04;

/**
 * Every message on a cable goes as
 *
 *     02 | text | 03 | LRC          LRC: exclusive or of the text and 03; any byte, control bytes too
 *
 * between an ENQ that the other side acknowledges and an EOT that nobody does.
 */
export const FRAMING: StxFraming = {
  checks: [{ start: 0, covers: 'data_etx' }],
  maxData: 512,
  controls: [0x06, 0x15, ENQ, EOT],
};

/** On a line whose bytes carry a parity bit that the port does not cut. */
export const SEVEN_BIT_FRAMING: StxFraming = { ...FRAMING, sevenBits: true };

/** Up to 3 s for a single byte, the check included; a quiet line is one that says nothing for a tenth of a second. */
export const TIMES: StxLineTimes = { gapMs: 3000, acknowledgementMs: 3000, quietMs: 100 };
