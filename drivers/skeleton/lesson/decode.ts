import {
  AppError,
  type DecodedPart,
  type Decoder,
  malformed,
  maskCardNumbers,
  readStxPacket,
} from '../../../src/driver-kit/terminal.ts';
import { FRAMING } from './framing.ts';

/** Letter → who says it and what it is. */
const NAMES: Readonly<Record<string, readonly [kind: string, name: string, fields: readonly string[]]>> = {
  Q: ['question', 'Who', ['serial', 'terminal_id', 'state']],
  S: ['command', 'Sale', ['amount_minor', 'currency']],
  L: ['question', 'Last transaction', []],
  B: ['answer', 'Busy', []],
  R: ['message', 'Result', ['code', 'number', 'amount_minor', 'auth_code', 'card', 'back']],
  E: ['message', 'End', ['code']],
  T: ['answer', 'Last transaction', ['code', 'number', 'amount_minor', 'auth_code', 'card', 'back']],
  N: ['answer', 'Nothing kept', []],
};
const CHECKED = { mode: 'lrc', ok: true };
/** Longest recording that is decoded at once. */
const MAX_BYTES = 1024 * 1024;

/** `frame`: one framed message; `message`: its text, or a lone 06 or 15; `stream`: any sequence of frames, 06 and 15. */
export const decode: Decoder = (bytes, layer) => {
  if (bytes.length === 0) throw refused('DECODE_INCOMPLETE', 'there are no bytes', 0);
  if (bytes.length > MAX_BYTES) throw malformed(MAX_BYTES, `more than ${MAX_BYTES} bytes`);
  if (layer === 'apdu') throw malformed(0, 'this protocol has no APDUs: try frame, message or stream');
  if (layer === 'message') return isControl(bytes) ? controlPart(bytes[0]) : textPart(bytes, 'message', 0);
  if (layer === 'stream') return streamPart(bytes);
  const { part, end } = packetPart(bytes, 0);
  if (end === bytes.length) return part;
  if (layer === 'frame') throw refused('DECODE_TRAILING_BYTES', `${bytes.length - end} bytes follow`, end);
  return streamPart(bytes);
};

function streamPart(bytes: Uint8Array): DecodedPart {
  const parts: DecodedPart[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { part, end } = packetPart(bytes, at);
    parts.push(part);
    at = end;
  }
  return {
    layer: 'stream',
    kind: 'line',
    name: `${parts.length} packets`,
    fields: {},
    checksum: CHECKED,
    parts,
  };
}

function packetPart(bytes: Uint8Array, at: number): { readonly part: DecodedPart; readonly end: number } {
  const { packet, end } = readStxPacket(bytes, at, FRAMING);
  if (packet.kind === 'control') return { part: controlPart(packet.byte), end };
  if (packet.kind === 'notice') throw malformed(at, 'this protocol has no notices');
  return { part: { ...textPart(packet.data, 'frame', at + 1), checksum: CHECKED }, end };
}

function textPart(data: Uint8Array, layer: DecodedPart['layer'], base: number): DecodedPart {
  const strange = data.findIndex((byte) => byte < 0x20 || byte > 0x7e);
  if (strange !== -1) throw malformed(base + strange, 'a message is printable ASCII');
  const [letter = '', ...values] = new TextDecoder().decode(data).split('|');
  const found = NAMES[letter];
  if (!found) throw malformed(base, 'no message begins so');
  const [kind, name, names] = found;
  if (values.length > names.length) throw malformed(base + data.length, 'more fields than there should be');
  const fields = Object.fromEntries(
    values.map((value, index) => [names[index] ?? '', maskCardNumbers(value)]),
  );
  return { layer, kind, name, fields, checksum: null, parts: [] };
}

function controlPart(byte: number | undefined): DecodedPart {
  const name = byte === 0x06 ? 'ACK' : 'NAK';
  return { layer: 'message', kind: 'control', name, fields: { control: name }, checksum: null, parts: [] };
}

function isControl(bytes: Uint8Array): boolean {
  return bytes.length === 1 && (bytes[0] === 0x06 || bytes[0] === 0x15);
}

function refused(code: string, message: string, offset: number): AppError {
  return new AppError(code, message, { context: { offset } });
}
