import {
  AppError,
  type DecodedPart,
  type Decoder,
  hasCode,
  toHex,
} from '../../../src/driver-kit/terminal.ts';
import { apduLength, isShortPrintLine, parseApdu } from './apdu.ts';
import { fieldsOfApdu } from './decode-fields.ts';
import { isKnownClass, messageOf } from './message-names.ts';
import { ACK, NAK, readFrame, wireOffset } from './serial-framing.ts';

/** Longest recording that is decoded. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Decodes recorded ZVT bytes.
 * `frame`: one serial frame; `apdu` and `message`: one APDU (`message` also a lone ACK or NAK); `stream`: frames, ACK and NAK of a
 * serial line, or APDUs one after the other as on TCP; undefined: found out.
 */
export const decode: Decoder = (bytes, layer, context) => {
  if (bytes.length === 0) throw refused('DECODE_INCOMPLETE', 'there are no bytes', 0);
  if (bytes.length > MAX_BYTES) throw refused('DECODE_MALFORMED', `more than ${MAX_BYTES} bytes`, MAX_BYTES);
  const request = requestOf(context);
  switch (layer) {
    case 'frame':
      return oneFrame(bytes, request);
    case 'apdu':
      return apduPart(bytes, 'apdu', request);
    case 'message':
      return bytes.length === 1 && isControl(bytes[0])
        ? controlPart(bytes[0])
        : apduPart(bytes, 'message', request);
    case 'stream':
      return streamPart(bytes, request);
    default:
      return foundOut(bytes, request);
  }
};

function foundOut(bytes: Uint8Array, request: Uint8Array | undefined): DecodedPart {
  if (bytes.length === 1 && isControl(bytes[0])) return controlPart(bytes[0]);
  if (looksSerial(bytes)) return endsAsFrame(bytes) ? oneFrame(bytes, request) : streamPart(bytes, request);
  const length = apduLength(bytes);
  if (length === undefined || length >= bytes.length || !isKnownClass(bytes[0] ?? 0))
    return apduPart(bytes, 'apdu', request);
  if (isNamed(bytes.subarray(length))) return streamPart(bytes, request);
  return apduPart(bytes, 'apdu', request);
}

/** Whether the bytes after an APDU begin another known APDU; else they are trailing garbage. */
function isNamed(bytes: Uint8Array): boolean {
  return bytes.length >= 3 && messageOf(toHex(bytes.subarray(0, 2))).kind !== 'vendor';
}

function oneFrame(bytes: Uint8Array, request: Uint8Array | undefined): DecodedPart {
  const { part, end } = framePart(bytes, 0, request);
  if (end < bytes.length)
    throw refused('DECODE_TRAILING_BYTES', `${bytes.length - end} bytes follow the frame`, end);
  return part;
}

function framePart(
  bytes: Uint8Array,
  at: number,
  request: Uint8Array | undefined,
): { part: DecodedPart; end: number } {
  const { apdu, end } = readFrame(bytes, at);
  try {
    const part = apduPart(apdu, 'frame', request);
    return { part: { ...part, checksum: { mode: 'crc16-kermit', ok: true } }, end };
  } catch (error) {
    throw moved(error, (offset) => wireOffset(bytes, at, offset));
  }
}

function apduPart(
  bytes: Uint8Array,
  layer: DecodedPart['layer'],
  request: Uint8Array | undefined,
): DecodedPart {
  if (layer !== 'apdu') parseApdu(bytes);
  const fields = fieldsOfApdu(bytes, request);
  const { kind, name } = messageOf(toHex(bytes.subarray(0, 2)));
  return { layer, kind, name, fields, checksum: null, parts: [] };
}

function controlPart(byte: number | undefined): DecodedPart {
  const name = byte === ACK ? 'ACK' : 'NAK';
  return { layer: 'message', kind: 'control', name, fields: { control: name }, checksum: null, parts: [] };
}

function streamPart(bytes: Uint8Array, request: Uint8Array | undefined): DecodedPart {
  const serial = looksSerial(bytes);
  const parts = serial ? serialParts(bytes, request) : tcpParts(bytes, request);
  const checksum = parts.some((part) => part.checksum) ? { mode: 'crc16-kermit', ok: true } : null;
  return {
    layer: 'stream',
    kind: serial ? 'serial' : 'tcp',
    name: `${parts.length} packets`,
    fields: {},
    checksum,
    parts,
  };
}

/** Tracks requests through the stream, so that a completion is decoded for its command. */
class Requests {
  #current: Uint8Array | undefined;

  constructor(first: Uint8Array | undefined) {
    this.#current = first;
  }

  note(apdu: Uint8Array): Uint8Array | undefined {
    const { kind } = messageOf(toHex(apdu.subarray(0, 2)));
    if (kind === 'command' && toHex(apdu.subarray(0, 2)) !== '06B0') this.#current = apdu;
    return this.#current;
  }
}

function serialParts(bytes: Uint8Array, request: Uint8Array | undefined): DecodedPart[] {
  const requests = new Requests(request);
  const parts: DecodedPart[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (isControl(bytes[at])) {
      parts.push(controlPart(bytes[at]));
      at += 1;
    } else {
      const { apdu } = readFrame(bytes, at);
      const { part, end } = framePart(bytes, at, requests.note(apdu));
      parts.push(part);
      at = end;
    }
  }
  return parts;
}

function tcpParts(bytes: Uint8Array, request: Uint8Array | undefined): DecodedPart[] {
  const requests = new Requests(request);
  const parts: DecodedPart[] = [];
  let at = 0;
  while (at < bytes.length) {
    const start = at;
    if (!isKnownClass(bytes[at] ?? 0)) throw refused('DECODE_MALFORMED', 'no ZVT packet begins here', at);
    const length = apduLength(bytes, at);
    if (length === undefined || at + length > bytes.length) {
      throw refused('DECODE_INCOMPLETE', 'the last APDU of the stream is cut short', bytes.length);
    }
    const apdu = bytes.subarray(at, at + length);
    try {
      parts.push(apduPart(apdu, 'apdu', requests.note(apdu)));
    } catch (error) {
      throw moved(error, (offset) => start + offset);
    }
    at += length;
  }
  return parts;
}

/** Begins with a frame, or with ACK or NAK followed by a frame or another ACK or NAK. */
function looksSerial(bytes: Uint8Array): boolean {
  const first = bytes.findIndex((byte) => !isControl(byte));
  if (first === -1) return true;
  return bytes[first] === 0x10 && bytes[first + 1] === 0x02;
}

function endsAsFrame(bytes: Uint8Array): boolean {
  if (isControl(bytes[0])) return false;
  try {
    return readFrame(bytes, 0).end === bytes.length;
  } catch {
    return true;
  }
}

function isControl(byte: number | undefined): boolean {
  return byte === ACK || byte === NAK;
}

function requestOf(context: Uint8Array | undefined): Uint8Array | undefined {
  if (context === undefined || context.length === 0) return undefined;
  const apdu = looksSerial(context) ? readFrame(context, 0).apdu : context;
  if (!isShortPrintLine(apdu)) parseApdu(apdu);
  return apdu;
}

function moved(error: unknown, offsetOf: (offset: number) => number): unknown {
  const codes = ['DECODE_CHECKSUM', 'DECODE_MALFORMED', 'DECODE_INCOMPLETE', 'DECODE_TRAILING_BYTES'];
  for (const code of codes) {
    if (!hasCode(error, code)) continue;
    const { offset } = error.context;
    return refused(code, error.message, offsetOf(typeof offset === 'number' ? offset : 0));
  }
  return error;
}

function refused(code: string, message: string, offset: number): AppError {
  return new AppError(code, message, { context: { offset } });
}
