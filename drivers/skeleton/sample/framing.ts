import type { StxFraming, StxLineTimes } from '../../../src/driver-kit/terminal.ts';

/**
 * Every message is sent as
 *
 *     02 | text | 03 | LRC          LRC: exclusive or of the text and 03
 *
 * and is answered with one raw byte: 06, received; 15, damaged, repeat it.
 */
export const FRAMING: StxFraming = {
  checks: [{ start: 0, covers: 'data_etx' }],
  maxData: 200,
  controls: [0x06, 0x15],
};

/** Longest gap between two bytes of a frame, and longest wait for 06 or 15. */
export const TIMES: StxLineTimes = { gapMs: 200, acknowledgementMs: 2000 };
