import { AppError, crc16Kermit, type FrameSource } from '../../../src/driver-kit/terminal.ts';
import { MAX_APDU_LENGTH } from './apdu.ts';

export const ACK = 0x06;
export const NAK = 0x15;
const DLE = 0x10;
const STX = 0x02;
const ETX = 0x03;

/** What arrives on the line. `damaged`: a frame that must be answered with NAK; `noise`: bytes outside any packet. */
export type SerialPacket =
  | { readonly kind: 'ack' | 'nak' | 'noise' }
  | { readonly kind: 'frame'; readonly apdu: Uint8Array }
  | { readonly kind: 'damaged'; readonly why: 'checksum' | 'marks' | 'too_long'; readonly apdu: Uint8Array };

/**
 * Frames an APDU:
 *
 *     10 02 | APDU, every byte 10 twice | 10 03 | CRC low | CRC high
 *
 * The CRC runs over the APDU as it is and one byte 03; its own bytes are never doubled.
 * @see PA00P016 3.1
 */
export function encodeFrame(apdu: Uint8Array): Uint8Array {
  const stuffed = [...apdu].flatMap((byte) => (byte === DLE ? [DLE, DLE] : [byte]));
  const crc = checksumOf(apdu);
  return Uint8Array.from([DLE, STX, ...stuffed, DLE, ETX, crc & 0xff, crc >> 8]);
}

/** CRC-16/KERMIT over the APDU and ETX. */
function checksumOf(apdu: Uint8Array): number {
  return crc16Kermit([...apdu, ETX]);
}

type State = 'idle' | 'mark' | 'body' | 'body_mark' | 'crc_low' | 'crc_high';

/**
 * Finds frames, ACK and NAK in the bytes of a line, in any segmentation.
 * The end of a frame is found by un-stuffing from its start; then come exactly two bytes of CRC, which may look like anything.
 *
 * INVARIANTS:
 * - every byte belongs to exactly one packet;
 * - a frame never grows beyond the longest APDU.
 */
export class SerialReader implements FrameSource<SerialPacket> {
  #state: State = 'idle';
  #body: number[] = [];
  #crcLow = 0;

  /** True inside a frame: the next byte is due within T1. */
  get inFrame(): boolean {
    return this.#state !== 'idle';
  }

  /** Drops the incomplete frame. */
  reset(): void {
    this.#state = 'idle';
    this.#body = [];
  }

  push(bytes: Uint8Array): readonly SerialPacket[] {
    const packets: SerialPacket[] = [];
    for (const byte of bytes) {
      const packet = this.#take(byte);
      if (packet) packets.push(packet);
    }
    return packets;
  }

  #take(byte: number): SerialPacket | undefined {
    switch (this.#state) {
      case 'idle':
        return this.#takeIdle(byte);
      case 'mark':
        this.#state = byte === STX ? 'body' : byte === DLE ? 'mark' : 'idle';
        return byte === STX ? undefined : { kind: 'noise' };
      case 'body':
        if (byte === DLE) this.#state = 'body_mark';
        else return this.#append(byte);
        return undefined;
      case 'body_mark':
        return this.#takeBodyMark(byte);
      case 'crc_low':
        this.#crcLow = byte;
        this.#state = 'crc_high';
        return undefined;
      default:
        return this.#finish(byte);
    }
  }

  #takeIdle(byte: number): SerialPacket | undefined {
    if (byte === ACK) return { kind: 'ack' };
    if (byte === NAK) return { kind: 'nak' };
    if (byte !== DLE) return { kind: 'noise' };
    this.#body = [];
    this.#state = 'mark';
    return undefined;
  }

  /** After a DLE inside a frame: a doubled DLE, the end, the start of another frame after a cut, or an invalid byte. */
  #takeBodyMark(byte: number): SerialPacket | undefined {
    if (byte === DLE) {
      this.#state = 'body';
      return this.#append(byte);
    }
    if (byte === ETX) {
      this.#state = 'crc_low';
      return undefined;
    }
    const apdu = Uint8Array.from(this.#body);
    this.#body = [];
    this.#state = byte === STX ? 'body' : 'idle';
    return byte === STX ? { kind: 'noise' } : { kind: 'damaged', why: 'marks', apdu };
  }

  #append(byte: number): SerialPacket | undefined {
    this.#body.push(byte);
    if (this.#body.length <= MAX_APDU_LENGTH) return undefined;
    this.reset();
    return { kind: 'damaged', why: 'too_long', apdu: new Uint8Array() };
  }

  #finish(crcHigh: number): SerialPacket {
    const apdu = Uint8Array.from(this.#body);
    this.reset();
    const intact = checksumOf(apdu) === (this.#crcLow | (crcHigh << 8));
    return intact ? { kind: 'frame', apdu } : { kind: 'damaged', why: 'checksum', apdu };
  }
}

/**
 * Reads one frame that begins at `at`; returns its APDU and its end.
 * @throws DECODE_CHECKSUM, DECODE_MALFORMED, DECODE_INCOMPLETE
 */
export function readFrame(
  bytes: Uint8Array,
  at: number,
): { readonly apdu: Uint8Array; readonly end: number } {
  const reader = new SerialReader();
  for (let index = at; index < bytes.length; index += 1) {
    const [packet] = reader.push(bytes.subarray(index, index + 1));
    if (packet?.kind === 'frame') return { apdu: packet.apdu, end: index + 1 };
    if (packet?.kind === 'damaged' && packet.why === 'checksum') {
      throw refused('DECODE_CHECKSUM', 'the checksum (CRC-16/KERMIT) does not fit the frame', index - 1);
    }
    if (packet)
      throw refused(
        'DECODE_MALFORMED',
        'a frame is 10 02, the APDU with every 10 doubled, 10 03, CRC',
        index,
      );
  }
  throw refused('DECODE_INCOMPLETE', 'the frame is cut short', bytes.length);
}

/** Wire offset of the byte at `apduOffset` of the APDU in the frame that begins at `at`. */
export function wireOffset(bytes: Uint8Array, at: number, apduOffset: number): number {
  let wire = at + 2;
  for (let index = 0; index < apduOffset; index += 1) wire += bytes[wire] === DLE ? 2 : 1;
  return wire;
}

function refused(code: string, message: string, offset: number): AppError {
  return new AppError(code, message, { context: { offset } });
}
