import {
  AppError,
  type DecodedPart,
  type Decoder,
  malformed,
  readStxPacket,
} from '../../../src/driver-kit/terminal.ts';
import { decodeMessage } from './decode-message.ts';
import { framingOf, modeOf, PROGRESS_LENGTH } from './framing.ts';

/** Any of the four checks: a recording does not say which device it came from. */
const FRAMING = framingOf(null);
const [SOH, ACK, NAK] = [0x01, 0x06, 0x15];
/** Longest recording that is decoded at once. */
const MAX_BYTES = 1024 * 1024;

/**
 * `frame`: one packet with its check, in any of the four modes; `message`: a text without its frame, or a lone ACK, NAK or progress
 * packet; `stream`: any sequence of packets. `context`: the request that a message answers, framed or not; some codes mean one thing
 * from the till and another from the terminal.
 */
export const decode: Decoder = (bytes, layer, context) => {
  if (bytes.length === 0) throw refused('DECODE_INCOMPLETE', 'there are no bytes', 0);
  if (bytes.length > MAX_BYTES) throw malformed(MAX_BYTES, `more than ${MAX_BYTES} bytes`);
  const isAnswer = context !== undefined;
  switch (layer) {
    case 'apdu':
      throw malformed(0, 'this protocol has no APDUs: try frame, message or stream');
    case 'message':
      return isLonePacket(bytes) ? onlyPacket(bytes, isAnswer) : decodeMessage(bytes, isAnswer, 0);
    case 'frame':
      return onlyPacket(bytes, isAnswer);
    case 'stream':
      return streamPart(bytes, isAnswer);
    default:
      return found(bytes, isAnswer);
  }
};

/** Digits in front are a text without its frame; more than one packet is a stream. */
function found(bytes: Uint8Array, isAnswer: boolean): DecodedPart {
  if (isDigit(bytes[0])) return decodeMessage(bytes, isAnswer, 0);
  const { part, end } = packetPart(bytes, 0, isAnswer);
  return end === bytes.length ? part : streamPart(bytes, isAnswer);
}

function onlyPacket(bytes: Uint8Array, isAnswer: boolean): DecodedPart {
  const { part, end } = packetPart(bytes, 0, isAnswer);
  if (end === bytes.length) return part;
  throw refused('DECODE_TRAILING_BYTES', `${bytes.length - end} bytes follow`, end);
}

function streamPart(bytes: Uint8Array, isAnswer: boolean): DecodedPart {
  const parts: DecodedPart[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { part, end } = packetPart(bytes, at, isAnswer);
    parts.push(part);
    at = end;
  }
  const modes = new Set(parts.flatMap(({ checksum }) => (checksum ? [checksum.mode] : [])));
  return {
    layer: 'stream',
    kind: 'line',
    name: `${parts.length} packets`,
    fields: {},
    checksum: modes.size === 0 ? null : { mode: [...modes].join(', '), ok: true },
    parts,
  };
}

function packetPart(
  bytes: Uint8Array,
  at: number,
  isAnswer: boolean,
): { readonly part: DecodedPart; readonly end: number } {
  const { packet, end } = readStxPacket(bytes, at, FRAMING);
  switch (packet.kind) {
    case 'control':
      return { part: controlPart(packet.byte, packet.check && modeOf(packet.check)), end };
    case 'notice':
      return { part: progressPart(packet.text, at), end };
    default: {
      const message = decodeMessage(packet.data, isAnswer, at + 1);
      return {
        part: { ...message, layer: 'frame', checksum: { mode: modeOf(packet.check), ok: true } },
        end,
      };
    }
  }
}

function controlPart(byte: number, mode: string | undefined): DecodedPart {
  const name = byte === ACK ? 'ACK' : 'NAK';
  return {
    layer: 'message',
    kind: 'control',
    name,
    fields: { control: name },
    checksum: mode === undefined ? null : { mode, ok: true },
    parts: [],
  };
}

function progressPart(text: Uint8Array, at: number): DecodedPart {
  if (text.length !== PROGRESS_LENGTH)
    throw malformed(at + 1 + text.length, `a progress text has ${PROGRESS_LENGTH} characters`);
  const strange = text.findIndex((byte) => byte < 0x20 || byte > 0x7e);
  if (strange !== -1) throw malformed(at + 1 + strange, 'a progress text is printable ASCII');
  const words = new TextDecoder('latin1').decode(text).trim();
  return {
    layer: 'message',
    kind: 'progress',
    name: 'Progress',
    fields: { text: words },
    checksum: null,
    parts: [],
  };
}

function isLonePacket([first]: Uint8Array): boolean {
  return first === ACK || first === NAK || first === SOH;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function refused(code: string, message: string, offset: number): AppError {
  return new AppError(code, message, { context: { offset } });
}
