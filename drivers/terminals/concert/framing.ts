import type { StxFraming, StxLineTimes } from '../../../src/driver-kit/terminal.ts';

/** ENQ: request to send. EOT: end of the dialogue. */
export const ENQ = 0x05;
export const EOT = 0x04;

/**
 * Every message on a cable is sent as
 *
 *     02 | text | 03 | LRC          LRC: exclusive or of the text and 03; any byte, control bytes too
 *
 * between an ENQ that the other side acknowledges and an EOT without acknowledgement.
 */
export const FRAMING: StxFraming = {
  checks: [{ start: 0, covers: 'data_etx' }],
  maxData: 512,
  controls: [0x06, 0x15, ENQ, EOT],
};

/** For a line whose bytes carry a parity bit that the port does not remove. */
export const SEVEN_BIT_FRAMING: StxFraming = { ...FRAMING, sevenBits: true };

/** Up to 3 s for a single byte, the LRC included; a line is quiet after a tenth of a second without bytes. */
export const TIMES: StxLineTimes = { gapMs: 3000, acknowledgementMs: 3000, quietMs: 100 };
