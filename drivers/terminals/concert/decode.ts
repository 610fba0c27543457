import {
  AppError,
  type DecodedPart,
  type Decoder,
  malformed,
  readStxPacket,
  type StxFraming,
} from '../../../src/driver-kit/terminal.ts';
import { controlPart, isControl, isV3, messagePart } from './decode-parts.ts';
import { FRAMING, SEVEN_BIT_FRAMING } from './framing.ts';

/** Longest recording that is decoded at once. */
const MAX_BYTES = 1024 * 1024;
const [STX, ETX] = [0x02, 0x03];

/**
 * `frame`: one `02 … 03 LRC`; `message`: the text of one, or of a V3 answer over TCP, or a lone control; `stream`: any sequence of
 * frames and controls. A recording whose data has even parity in bit 7 throughout is read without it.
 */
export const decode: Decoder = (bytes, layer) => {
  if (bytes.length === 0) throw refused('DECODE_INCOMPLETE', 'there are no bytes', 0);
  if (bytes.length > MAX_BYTES) throw malformed(MAX_BYTES, `more than ${MAX_BYTES} bytes`);
  if (layer === 'apdu') throw malformed(0, 'this protocol has no APDUs: try frame, message or stream');
  if (layer === 'message') return lonePart(bytes);
  try {
    return linePart(bytes, layer, FRAMING);
  } catch (error) {
    if (!hasEvenParity(bytes)) throw error;
    return linePart(bytes, layer, SEVEN_BIT_FRAMING);
  }
};

function linePart(
  bytes: Uint8Array,
  layer: DecodedPart['layer'] | undefined,
  framing: StxFraming,
): DecodedPart {
  if (layer === 'stream') return streamPart(bytes, framing);
  const first = bytes[0] ?? 0;
  const isOnLine = isControl(first) || (framing.sevenBits ? first & 0x7f : first) === STX;
  if (layer === undefined && !isOnLine) return lonePart(bytes);
  const { part, end } = packetPart(bytes, 0, framing);
  if (end === bytes.length) return part;
  if (layer === 'frame') throw refused('DECODE_TRAILING_BYTES', `${bytes.length - end} bytes follow`, end);
  return streamPart(bytes, framing);
}

function lonePart(bytes: Uint8Array): DecodedPart {
  const [first] = bytes;
  return bytes.length === 1 && first !== undefined && isControl(first)
    ? controlPart(first)
    : messagePart(bytes, 0);
}

function streamPart(bytes: Uint8Array, framing: StxFraming): DecodedPart {
  const parts: DecodedPart[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { part, end } = packetPart(bytes, at, framing);
    parts.push(part);
    at = end;
  }
  return {
    layer: 'stream',
    kind: 'line',
    name: `${parts.length} packets`,
    fields: {},
    checksum: { mode: 'lrc', ok: true },
    parts,
  };
}

function packetPart(
  bytes: Uint8Array,
  at: number,
  framing: StxFraming,
): { readonly part: DecodedPart; readonly end: number } {
  const { packet, end } = readStxPacket(bytes, at, framing);
  if (packet.kind === 'control') return { part: controlPart(packet.byte), end };
  if (packet.kind === 'notice') throw malformed(at, 'this protocol has no notices');
  const { fields, ...inner } = messagePart(packet.data, at + 1);
  const variant = isV3(packet.data) ? 'V3-serial' : 'E+';
  const part: DecodedPart = {
    ...inner,
    layer: 'frame',
    fields: { ...fields, variant, length: end - at },
    checksum: { mode: 'lrc', ok: true },
  };
  return { part, end };
}

/** Whether some bytes have bit 7 set, and every byte of data has it as even parity: a lone bit that turned over is damage. */
function hasEvenParity(bytes: Uint8Array): boolean {
  const isData = (byte: number, index: number) =>
    (byte & 0x7f) > ETX && !isControl(byte & 0x7f) && (bytes[index - 1] ?? 0) % 0x80 !== ETX;
  return (
    bytes.some((byte) => byte > 0x7f) && bytes.every((byte, index) => !isData(byte, index) || isEven(byte))
  );
}

function isEven(byte: number): boolean {
  let bits = 0;
  for (let rest = byte; rest > 0; rest >>= 1) bits += rest & 1;
  return bits % 2 === 0;
}

function refused(code: string, message: string, offset: number): AppError {
  return new AppError(code, message, { context: { offset } });
}
