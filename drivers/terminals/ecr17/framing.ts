import type { LrcRule, StxFraming, StxLineTimes } from '../../../src/driver-kit/terminal.ts';

const START = 0x7f;

/**
 * The four ways in which devices compute the LRC: the published text starts it with 7F and does not say which bytes follow.
 * `std`: the text alone; `noext`: text and 03; `stx`: 02, text and 03; `stx_noext`: 02 and text. The words are those that integrators
 * use. No two modes give the same LRC for one frame.
 */
export const LRC_MODES = {
  std: { start: START, covers: 'data' },
  noext: { start: START, covers: 'data_etx' },
  stx: { start: START, covers: 'stx_data_etx' },
  stx_noext: { start: START, covers: 'stx_data' },
} as const satisfies Readonly<Record<string, LrcRule>>;

export type LrcMode = keyof typeof LRC_MODES;

/** The name of a rule of {@link LRC_MODES}. */
export function modeOf(rule: LrcRule): LrcMode {
  const { std, noext, stx } = LRC_MODES;
  if (rule.covers === std.covers) return 'std';
  if (rule.covers === noext.covers) return 'noext';
  return rule.covers === stx.covers ? 'stx' : 'stx_noext';
}

/** Longest text: VAS data, 26 characters and 1024 of XML, with a margin. */
const MAX_TEXT = 1200;
/** Characters of a progress text. */
export const PROGRESS_LENGTH = 20;

/**
 * Packets:
 *
 *     02 | text | 03 | LRC      answered with ACK or NAK
 *     06 | 03 | LRC             ACK
 *     15 | 03 | LRC             NAK: damaged, not known, not for this terminal
 *     01 | 20 characters | 04   progress; not acknowledged
 *
 * `mode` null: any of the four modes; the first packet shows the device's mode.
 */
export function framingOf(mode: LrcMode | null): StxFraming {
  const { std, noext, stx, stx_noext } = LRC_MODES;
  return {
    checks: mode === null ? [std, noext, stx, stx_noext] : [LRC_MODES[mode]],
    maxData: MAX_TEXT,
    controls: [],
    framedControls: [0x06, 0x15],
    notice: { start: 0x01, end: 0x04, maxText: PROGRESS_LENGTH },
  };
}

/** No times are published: gap and wait are those that integrators have measured. */
export const TIMES: StxLineTimes = { gapMs: 200, acknowledgementMs: 2000 };
