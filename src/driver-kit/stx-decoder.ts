import { AppError } from '../base/errors.ts';
import { malformed } from './byte-reader.ts';
import type { LrcRule } from './checksum.ts';
import type { DecodedPart } from './define.ts';
import { readStxPacket, type StxFraming } from './stx-framing.ts';

/** Longest recording that is decoded at once. */
const MAX_BYTES = 1024 * 1024;
/** The controls of every dialect. */
const ACK_AND_NAK: Readonly<Record<number, string>> = { 6: 'ACK', 21: 'NAK' };

/** The meaning of a family's packets. */
export interface StxMeaning {
  readonly framing: StxFraming;
  /** One message without its frame, as layer `message`; `base`: offset of its first byte. @throws DECODE_* */
  message(data: Uint8Array, base: number): DecodedPart;
  /** Names of controls besides ACK and NAK. */
  readonly controls?: Readonly<Record<number, string>>;
  /** Further fields of every control. */
  readonly controlFields?: Readonly<Record<string, unknown>>;
  /** A text between two marks, as layer `message`; `at`: offset of its first mark. @throws DECODE_* */
  notice?(text: Uint8Array, at: number): DecodedPart;
  /** Name of a check, for devices that differ in it; default `lrc`. */
  modeOf?(check: LrcRule): string;
  /** Further fields of a frame besides its message's. */
  framed?(data: Uint8Array, length: number): Readonly<Record<string, unknown>>;
  /** Whether bytes of an unknown layer begin with a message and not with a packet; default: never. */
  beginsMessage?(bytes: Uint8Array): boolean;
}

interface Packet {
  readonly part: DecodedPart;
  readonly end: number;
}

/**
 * Decodes recorded bytes of a line with `02 data 03 LRC`. `frame`: one packet, its check verified; `message`: one message without its frame, or a
 * lone control or notice; `stream`: any sequence of packets; undefined: detected.
 * @throws DECODE_INCOMPLETE, DECODE_CHECKSUM, DECODE_TRAILING_BYTES, DECODE_MALFORMED, each with its offset
 */
export function decodeStx(
  bytes: Uint8Array,
  layer: DecodedPart['layer'] | undefined,
  meaning: StxMeaning,
): DecodedPart {
  if (bytes.length === 0) throw refused('DECODE_INCOMPLETE', 'there are no bytes', 0);
  if (bytes.length > MAX_BYTES) throw malformed(MAX_BYTES, `more than ${MAX_BYTES} bytes`);
  switch (layer) {
    case 'apdu':
      throw malformed(0, 'this protocol has no APDUs: try frame, message or stream');
    case 'message':
      return isLone(bytes, meaning) ? onlyPacket(bytes, meaning) : meaning.message(bytes, 0);
    case 'frame':
      return onlyPacket(bytes, meaning);
    case 'stream':
      return stream(bytes, meaning);
    default:
      return found(bytes, meaning);
  }
}

function found(bytes: Uint8Array, meaning: StxMeaning): DecodedPart {
  if (meaning.beginsMessage?.(bytes)) return meaning.message(bytes, 0);
  const { part, end } = packetAt(bytes, 0, meaning);
  return end === bytes.length ? part : stream(bytes, meaning);
}

function onlyPacket(bytes: Uint8Array, meaning: StxMeaning): DecodedPart {
  const { part, end } = packetAt(bytes, 0, meaning);
  if (end === bytes.length) return part;
  throw refused('DECODE_TRAILING_BYTES', `${bytes.length - end} bytes follow`, end);
}

function stream(bytes: Uint8Array, meaning: StxMeaning): DecodedPart {
  const parts: DecodedPart[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { part, end } = packetAt(bytes, at, meaning);
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

function packetAt(bytes: Uint8Array, at: number, meaning: StxMeaning): Packet {
  const { packet, end } = readStxPacket(bytes, at, meaning.framing);
  switch (packet.kind) {
    case 'control':
      return { part: control(packet.byte, packet.check, meaning), end };
    case 'notice':
      if (!meaning.notice) throw malformed(at, 'this protocol has no notices');
      return { part: meaning.notice(packet.text, at), end };
    default: {
      const { fields, ...message } = meaning.message(packet.data, at + 1);
      const more = meaning.framed?.(packet.data, end - at) ?? {};
      const checksum = checked(packet.check, meaning);
      return { part: { ...message, layer: 'frame', fields: { ...fields, ...more }, checksum }, end };
    }
  }
}

function control(byte: number, check: LrcRule | undefined, meaning: StxMeaning): DecodedPart {
  const name = nameOf(byte, meaning) ?? 'unknown';
  return {
    layer: 'message',
    kind: 'control',
    name,
    fields: { control: name, ...meaning.controlFields },
    checksum: check ? checked(check, meaning) : null,
    parts: [],
  };
}

function checked(check: LrcRule, { modeOf }: StxMeaning) {
  return { mode: modeOf?.(check) ?? 'lrc', ok: true };
}

function isLone([first]: Uint8Array, meaning: StxMeaning): boolean {
  if (first === undefined) return false;
  return nameOf(first, meaning) !== undefined || first === meaning.framing.notice?.start;
}

function nameOf(byte: number, { controls }: StxMeaning): string | undefined {
  return ACK_AND_NAK[byte] ?? controls?.[byte];
}

function refused(code: string, message: string, offset: number): AppError {
  return new AppError(code, message, { context: { offset } });
}
