import type { Reader, TerminalPacket, TerminalWord, TillPacket, TillWord } from '../words.ts';

const [STX, ETX, EOT, ENQ, ACK, NAK] = [0x02, 0x03, 0x04, 0x05, 0x06, 0x15];
/** V3, tag CD → what it means to the suite; debit, credit and cancellation are money. */
const ACTIONS: Readonly<Record<string, TillWord>> = {
  '0': 'money',
  '1': 'money',
  '2': 'money',
  B: 'close',
  I: 'question',
  T: 'question',
};

/** On a cable a raw 06 answers a result, so to the suite it is the acknowledgement; ENQ asks, EOT says that it was all. */
export function cableTillReader(): Reader<TillPacket> {
  return cutter((packet) => {
    switch (packet) {
      case ENQ:
        return { word: 'question' };
      case ACK:
        return { word: 'acknowledgement' };
      case NAK:
        return { word: 'line_nak' };
      case EOT:
        return { word: 'line_ack' };
      default:
        return { word: typeof packet === 'string' ? tillWord(packet) : 'unreadable' };
    }
  });
}

export function cableTerminalReader(): Reader<TerminalPacket> {
  return cutter((packet) => {
    switch (packet) {
      case ENQ:
        return { word: 'other', asks: true };
      case ACK:
        return { word: 'line_ack', asks: false };
      case NAK:
        return { word: 'line_nak', asks: false };
      case EOT:
        return { word: 'end', asks: false };
      default:
        return typeof packet === 'string'
          ? { word: terminalWord(packet), asks: true }
          : { word: 'unreadable', asks: false };
    }
  });
}

/** A connection carries one request, in one write. */
export function networkTillReader(): Reader<TillPacket> {
  return whole((text) => (tagIn(text, 'CD') === undefined ? undefined : { word: tillWord(text) }));
}

/** An answer is there once its result is; nobody acknowledges it. */
export function networkTerminalReader(): Reader<TerminalPacket> {
  return whole((text) =>
    tagIn(text, 'AE') === undefined ? undefined : { word: terminalWord(text), asks: false },
  );
}

function tillWord(text: string): TillWord {
  if (/^\d{10}[012].\d/.test(text) && text.length === 34) return 'money';
  return ACTIONS[tagIn(text, 'CD') ?? ''] ?? 'unreadable';
}

function terminalWord(text: string): TerminalWord {
  if (/^\d/.test(text)) return text.length === 25 || text.length === 80 ? 'result' : 'unreadable';
  const action = tagIn(text, 'CD');
  return action === undefined || ACTIONS[action] === 'money' ? 'result' : 'other';
}

/** The value of a tag of V3; undefined when it is not there, or not all of it. */
function tagIn(text: string, wanted: string): string | undefined {
  for (let at = 0; at + 5 <= text.length; ) {
    const [tag, length] = [text.slice(at, at + 2), Number(text.slice(at + 2, at + 5))];
    const value = text.slice(at + 5, at + 5 + length);
    if (tag === wanted && value.length === length) return value;
    at += 5 + (Number.isNaN(length) ? text.length : length);
  }
  return undefined;
}

/** Says what a connection carried, once it can be told. */
function whole<Packet>(packetOf: (text: string) => Packet | undefined): Reader<Packet> {
  let text = '';
  let isReported = false;
  return {
    read: (bytes) => {
      text += Buffer.from(bytes).toString('latin1');
      const packet = isReported ? undefined : packetOf(text);
      isReported ||= packet !== undefined;
      return packet === undefined ? [] : [packet];
    },
  };
}

/** Cuts `02 … 03 LRC` and single bytes out of a line; written once more on purpose. A text, a byte, or null where the check is wrong. */
function cutter<Packet>(packetOf: (packet: string | number | null) => Packet): Reader<Packet> {
  const buffered: number[] = [];
  return {
    read: (bytes) => {
      buffered.push(...bytes);
      const packets: Packet[] = [];
      for (let size = sizeOf(buffered); size > 0; size = sizeOf(buffered))
        packets.push(packetOf(packetIn(buffered.splice(0, size))));
      return packets;
    },
  };
}

function sizeOf(buffered: readonly number[]): number {
  if (buffered[0] !== STX) return Math.min(1, buffered.length);
  const end = buffered.indexOf(ETX);
  return end === -1 || buffered.length < end + 2 ? 0 : end + 2;
}

function packetIn(bytes: readonly number[]): string | number | null {
  const [first] = bytes;
  if (bytes.length === 1) return first ?? null;
  const body = bytes.slice(1, -1);
  const fits = body.reduce((check, byte) => check ^ byte, 0) === bytes.at(-1);
  return fits ? String.fromCharCode(...body.slice(0, -1)) : null;
}
