import {
  AppError,
  type DecodedPart,
  type Decoder,
  malformed,
  maskCardNumbers,
  readStxPacket,
} from '../../../src/driver-kit/terminal.ts';
import { FRAMING } from './framing.ts';
import { ANSWERS, type MessageShape, REQUESTS } from './message-fields.ts';

const CHECKED = { mode: 'lrc', ok: true };
/** Longest recording that is decoded at once. */
const MAX_BYTES = 1024 * 1024;
/** More than any message has. */
const MAX_FIELDS = 64;
/** The maker's libraries read the totals as text and all other answers as numbers. */
const TOTALS = '0710';

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
  const values = new TextDecoder().decode(data).split('|');
  const [functionCode = ''] = values;
  if (!/^\d{4}$/.test(functionCode)) throw malformed(base, 'a message begins with four digits');
  if (values.length > MAX_FIELDS) throw malformed(base + data.length, `more than ${MAX_FIELDS} fields`);
  const shape = shapeOf(functionCode, values);
  check(shape, values, base);
  const fields = {
    ...namedFields(shape, values),
    function_code: functionCode === TOTALS ? functionCode : Number(functionCode),
    ...successOf(functionCode, shape, values),
    fields: values.map(maskCardNumbers),
  };
  return { layer, kind: shape.kind, name: shape.name, fields, checksum: null, parts: [] };
}

/** The list is asked for with the function code that the last sale is told with: `0260|1|`. */
function shapeOf(functionCode: string, values: readonly string[]): MessageShape {
  const request = REQUESTS[functionCode];
  const answer = ANSWERS[functionCode];
  if (request && answer) return /^\d{2}$/.test(values[1] ?? '') ? answer : request;
  return (
    request ??
    answer ?? { kind: 'question', name: `Function ${functionCode}`, fields: ['function_code'], least: 1 }
  );
}

/** @throws DECODE_MALFORMED */
function check({ fields, least, kind }: MessageShape, values: readonly string[], base: number): void {
  if (values.length < least) throw malformed(base + lengthOf(values), 'the message has too few fields');
  const isRequest = kind === 'command' || kind === 'question';
  fields.forEach((name, index) => {
    const value = values[index];
    const pattern = name === 'response_code' ? /^\d{2}$/ : name === 'amount' ? amountShape(isRequest) : null;
    if (value === undefined || pattern === null || pattern.test(value)) return;
    throw malformed(base + lengthOf(values.slice(0, index)) + 1, `${name} is not as it should be`);
  });
}

/** A till asks for an amount; a terminal may tell none, and tells a voided one with a minus. */
function amountShape(isRequest: boolean): RegExp {
  return isRequest ? /^\d{1,9}$/ : /^ *(-?\d{1,12})? *$/;
}

function lengthOf(values: readonly string[]): number {
  return Math.max(0, values.join('|').length);
}

function namedFields({ fields }: MessageShape, values: readonly string[]): Readonly<Record<string, string>> {
  const named = fields.flatMap((name, index): [string, string][] => {
    const value = values[index];
    const isEmptyVoucher = name === 'voucher' && (value ?? '') === '';
    return value === undefined || name === '' || isEmptyVoucher ? [] : [[name, maskCardNumbers(value)]];
  });
  return Object.fromEntries(named);
}

function successOf(functionCode: string, { kind }: MessageShape, values: readonly string[]) {
  return kind === 'answer' && functionCode !== TOTALS ? { success: values[1] === '00' } : {};
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
