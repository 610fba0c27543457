import { AppError } from '../base/errors.ts';
import { invariant } from '../base/invariant.ts';
import { type LrcRule, lrcOf } from './checksum.ts';
import type { FrameSource } from './exchange.ts';

const STX = 0x02;
const ETX = 0x03;

/** A text between two marks, without an acknowledgement and without a check. */
export interface StxNotice {
  readonly start: number;
  readonly end: number;
  readonly maxText: number;
}

/**
 * A dialect of `02 | data | 03 | LRC`. There is no escaping: data never holds 02 or 03, and the one byte after 03 may be anything.
 */
export interface StxFraming {
  /** The check; several where devices differ, the first that fits counts. */
  readonly checks: readonly [LrcRule, ...LrcRule[]];
  /** Bytes of the longest data. */
  readonly maxData: number;
  /** Bytes that are packets by themselves: ACK, NAK, ENQ, EOT. */
  readonly controls: readonly number[];
  /** Controls that are sent as `byte | 03 | LRC` instead. */
  readonly framedControls?: readonly number[];
  readonly notice?: StxNotice;
  /** Bit 7 of each received byte is parity and is cut. */
  readonly sevenBits?: boolean;
}

/**
 * A received packet. `damaged`: a frame that must be answered with NAK; `noise`: bytes outside any packet.
 * `check`: the rule that fits.
 */
export type StxPacket =
  | { readonly kind: 'frame'; readonly data: Uint8Array; readonly check: LrcRule }
  | { readonly kind: 'control'; readonly byte: number; readonly check?: LrcRule }
  | { readonly kind: 'notice'; readonly text: Uint8Array }
  | { readonly kind: 'damaged'; readonly why: 'checksum' | 'too_long' }
  | { readonly kind: 'noise' };

/**
 * Frames data.
 * @throws INVARIANT_BROKEN when the data holds a mark or is longer than the dialect allows.
 */
export function encodeStx(data: Uint8Array, { maxData, checks }: StxFraming, check = checks[0]): Uint8Array {
  const clean = data.every((byte) => byte !== STX && byte !== ETX);
  invariant(clean && data.length <= maxData, 'this cannot be framed', { length: data.length });
  return Uint8Array.from([STX, ...data, ETX, lrcOf(data, check)]);
}

/** A control in the dialect's form: bare, or `byte | 03 | LRC`. */
export function encodeControl(
  byte: number,
  { framedControls = [], checks }: StxFraming,
  check = checks[0],
): Uint8Array {
  return framedControls.includes(byte) ? Uint8Array.of(byte, ETX, lrcOf([byte], check)) : Uint8Array.of(byte);
}

type State = 'idle' | 'data' | 'overlong' | 'lrc' | 'overlong_lrc' | 'notice' | 'control' | 'control_lrc';

/**
 * Finds frames, controls and notices in the bytes of a line, in any segmentation. After the last framing byte exactly one is read: a check may look
 * like ACK, STX or EOT. A start mark inside a frame begins a new one: the old one was cut.
 *
 * INVARIANTS:
 * - no byte belongs to two packets;
 * - never more than the longest frame is held; a longer one is skipped to its end, so that its check is no control.
 */
export class StxReader implements FrameSource<StxPacket> {
  readonly #framing: StxFraming;
  #checks: readonly LrcRule[];
  #state: State = 'idle';
  #body: number[] = [];
  #control = 0;

  constructor(framing: StxFraming) {
    this.#framing = framing;
    this.#checks = framing.checks;
  }

  /** An unfinished packet: the next byte is due. */
  get begun(): 'nothing' | 'frame' | 'other' {
    if (this.#state === 'idle') return 'nothing';
    return ['notice', 'control', 'control_lrc'].includes(this.#state) ? 'other' : 'frame';
  }

  /** Drops the unfinished packet. */
  reset(): void {
    this.#become('idle');
  }

  /** From now on only this check counts: it is the device's own. */
  narrow(check: LrcRule): void {
    this.#checks = [check];
  }

  push(bytes: Uint8Array): readonly StxPacket[] {
    const packets: StxPacket[] = [];
    for (const byte of bytes) {
      const packet = this.#take(this.#framing.sevenBits ? byte & 0x7f : byte);
      if (packet) packets.push(packet);
    }
    return packets;
  }

  #take(byte: number): StxPacket | undefined {
    switch (this.#state) {
      case 'idle':
        return this.#takeIdle(byte);
      case 'data':
      case 'overlong':
        return this.#takeData(byte);
      case 'lrc':
        return this.#finish(byte);
      case 'overlong_lrc':
        this.#become('idle');
        return { kind: 'damaged', why: 'too_long' };
      case 'notice':
        return this.#takeNotice(byte);
      case 'control':
        return this.#takeControl(byte);
      default:
        return this.#finishControl(byte);
    }
  }

  #takeIdle(byte: number): StxPacket | undefined {
    const { controls, framedControls = [], notice } = this.#framing;
    if (byte === STX) return this.#become('data');
    if (byte === notice?.start) return this.#become('notice');
    if (framedControls.includes(byte)) {
      this.#control = byte;
      return this.#become('control');
    }
    return controls.includes(byte) ? { kind: 'control', byte } : { kind: 'noise' };
  }

  #takeData(byte: number): StxPacket | undefined {
    if (byte === STX) {
      this.#become('data');
      return { kind: 'noise' };
    }
    const overlong = this.#state === 'overlong';
    if (byte === ETX) this.#state = overlong ? 'overlong_lrc' : 'lrc';
    else if (!overlong && this.#body.length === this.#framing.maxData) this.#become('overlong');
    else if (!overlong) this.#body.push(byte);
    return undefined;
  }

  #finish(lrc: number): StxPacket {
    const data = Uint8Array.from(this.#body);
    this.#become('idle');
    const check = this.#fitting(data, lrc);
    return check ? { kind: 'frame', data, check } : { kind: 'damaged', why: 'checksum' };
  }

  #takeNotice(byte: number): StxPacket | undefined {
    const { notice } = this.#framing;
    if (byte === notice?.end) {
      const text = Uint8Array.from(this.#body);
      this.#become('idle');
      return { kind: 'notice', text };
    }
    if (byte === STX || this.#body.length === (notice?.maxText ?? 0)) {
      this.#become(byte === STX ? 'data' : 'idle');
      return { kind: 'noise' };
    }
    this.#body.push(byte);
    return undefined;
  }

  /** A control without a following 03 was noise, and the byte is processed again. */
  #takeControl(byte: number): StxPacket | undefined {
    if (byte === ETX) return this.#become('control_lrc');
    this.#become('idle');
    return this.#takeIdle(byte) ?? { kind: 'noise' };
  }

  #finishControl(lrc: number): StxPacket {
    this.#become('idle');
    const check = this.#fitting([this.#control], lrc);
    return check ? { kind: 'control', byte: this.#control, check } : { kind: 'noise' };
  }

  #fitting(data: Iterable<number>, lrc: number): LrcRule | undefined {
    const mask = this.#framing.sevenBits ? 0x7f : 0xff;
    return this.#checks.find((check) => (lrcOf(data, check) & mask) === lrc);
  }

  #become(state: State): undefined {
    this.#state = state;
    this.#body = [];
  }
}

/**
 * Reads the one packet that begins at `at`, for recorded bytes; returns it and its end.
 * @throws DECODE_CHECKSUM, DECODE_MALFORMED, DECODE_INCOMPLETE; `context.offset` is the position.
 */
export function readStxPacket(
  bytes: Uint8Array,
  at: number,
  framing: StxFraming,
): { readonly packet: Exclude<StxPacket, { kind: 'damaged' | 'noise' }>; readonly end: number } {
  const reader = new StxReader(framing);
  for (let index = at; index < bytes.length; index += 1) {
    const [packet] = reader.push(bytes.subarray(index, index + 1));
    if (packet?.kind === 'noise') throw refused('DECODE_MALFORMED', 'no packet of this protocol', index);
    if (packet?.kind === 'damaged')
      throw packet.why === 'checksum'
        ? refused('DECODE_CHECKSUM', 'the check (LRC) does not fit the frame', index)
        : refused('DECODE_MALFORMED', `the frame is longer than ${framing.maxData} bytes`, index);
    if (packet) return { packet, end: index + 1 };
  }
  throw refused('DECODE_INCOMPLETE', 'the packet is cut short', bytes.length);
}

function refused(code: string, message: string, offset: number): AppError {
  return new AppError(code, message, { context: { offset } });
}
