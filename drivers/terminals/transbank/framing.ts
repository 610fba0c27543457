import type { StxFraming, StxLineTimes } from '../../../src/driver-kit/terminal.ts';

/**
 * Every frame is sent as
 *
 *     02 | text | 03 | LRC          LRC: exclusive or of the text and 03; it may be any byte, 02, 06 and 15 included
 *
 * and is answered with one raw byte: 06, received; 15, damaged. The longest text is an answer with a voucher in it (21 lines of 40
 * and more).
 */
export const FRAMING: StxFraming = {
  checks: [{ start: 0, covers: 'data_etx' }],
  maxData: 4096,
  controls: [0x06, 0x15],
};

/** Longest gap between two bytes of a frame; longest wait for 06 or 15: that of the maker's own library. */
export const TIMES: StxLineTimes = { gapMs: 200, acknowledgementMs: 2000 };
