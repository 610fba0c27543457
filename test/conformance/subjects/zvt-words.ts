import type { Reader, TerminalPacket, TerminalWord, TillPacket, TillWord } from '../words.ts';

const [ETX, ACK, DLE, NAK] = [0x03, 0x06, 0x10, 0x15];
/** Authorisation, pre-authorisation and its ends, refund, reversal, tip: whatever moves or binds money. */
const MONEY: ReadonlySet<number> = new Set([0x01, 0x22, 0x23, 0x24, 0x25, 0x31, 0x30, 0x0c]);
/** Diagnosis, initialisation, reprint, reset: they print or change what the terminal keeps. */
const PAPER: ReadonlySet<number> = new Set([0x70, 0x93, 0x12, 0x18]);

/** Packets of a ZVT line, told apart by their control field only. */
export function zvtTillReader(wire: 'serial' | 'tcp'): Reader<TillPacket> {
  let printsItself = false;
  return readerOf(wire, (packet) => {
    if (isRegistration(packet)) printsItself = ((packet[6] ?? 0) & TILL_PRINTS) !== 0;
    return { word: tillWord(packet, printsItself) };
  });
}

export function zvtTerminalReader(wire: 'serial' | 'tcp'): Reader<TerminalPacket> {
  return readerOf(wire, (packet) => {
    const word = terminalWord(packet);
    return { word, asks: ASKS.has(word) };
  });
}

type Cut = readonly number[] | 'ack' | 'nak' | 'unreadable';

/** Progress, result, print and end each get one answer of the till. */
const ASKS: ReadonlySet<TerminalWord> = new Set(['progress', 'result', 'print', 'end', 'other']);

/** Bit of the config byte: the till prints the receipts of payments. */
const TILL_PRINTS = 0x02;

/** `06 00 length password(3) config …` */
function isRegistration(packet: Cut): packet is readonly number[] {
  return typeof packet !== 'string' && packet[0] === 0x06 && packet[1] === 0x00;
}

/** `printsItself`: what the terminal would print comes to the till, which throws it away. */
function tillWord(packet: Cut, printsItself: boolean): TillWord {
  if (packet === 'ack') return 'line_ack';
  if (packet === 'nak') return 'line_nak';
  if (packet === 'unreadable') return 'unreadable';
  const [kind = 0, instruction = 0] = packet;
  if (kind === 0x80 || kind === 0x84) return 'acknowledgement';
  if (kind !== 0x06) return 'question';
  if (MONEY.has(instruction)) return 'money';
  if (instruction === 0x50) return 'close';
  if (instruction === 0xb0) return 'abort';
  const prints = PAPER.has(instruction) || (instruction === 0x20 && !printsItself && !forbidsPaper(packet));
  return prints ? 'paper' : 'question';
}

/** `06 20 05 <pw> 03 xx`: bit 02 of the service byte says "do not print". */
function forbidsPaper(packet: readonly number[]): boolean {
  return packet[6] === 0x03 && ((packet[7] ?? 0) & 0x02) !== 0;
}

const REPORTED: Readonly<Record<number, TerminalWord>> = {
  1039: 'result',
  1279: 'progress',
  1551: 'end',
  1566: 'end',
  1745: 'print',
  1747: 'print',
};

function terminalWord(packet: Cut): TerminalWord {
  if (packet === 'ack') return 'line_ack';
  if (packet === 'nak') return 'line_nak';
  if (packet === 'unreadable') return 'unreadable';
  const [kind = 0, instruction = 0] = packet;
  if (kind === 0x80) return 'accepted';
  if (kind === 0x84) return instruction === 0 ? 'accepted' : 'refused';
  return REPORTED[(kind << 8) | instruction] ?? 'other';
}

function readerOf<Packet>(wire: 'serial' | 'tcp', packetOf: (cut: Cut) => Packet): Reader<Packet> {
  let buffered: readonly number[] = [];
  const cutFirst = wire === 'tcp' ? bare : framed;
  return {
    read: (bytes) => {
      buffered = buffered.length === 0 ? [...bytes] : [...buffered, ...bytes];
      const packets: Packet[] = [];
      for (let first = cutFirst(buffered); first; first = cutFirst(buffered)) {
        buffered = first.size === buffered.length ? [] : buffered.slice(first.size);
        packets.push(packetOf(first.cut));
      }
      return packets;
    },
  };
}

interface First {
  readonly cut: Cut;
  readonly size: number;
}

/** TCP: control (2), length (1, or FF low high), data. */
function bare(buffered: readonly number[]): First | undefined {
  const [, , length, low = 0, high = 0] = buffered;
  if (length === undefined || (length === 0xff && buffered.length < 5)) return undefined;
  const size = length === 0xff ? 5 + low + high * 256 : 3 + length;
  return buffered.length < size ? undefined : { cut: buffered.slice(0, size), size };
}

/** Serial: `10 02 | every 10 twice | 10 03 | CRC CRC`; outside of it single ACK and NAK. */
function framed(buffered: readonly number[]): First | undefined {
  const [first, second] = buffered;
  if (first === undefined) return undefined;
  if (first === ACK) return { cut: 'ack', size: 1 };
  if (first === NAK) return { cut: 'nak', size: 1 };
  if (first !== DLE) return { cut: 'unreadable', size: 1 };
  if (second === undefined) return undefined;
  return second === 0x02 ? body(buffered) : { cut: 'unreadable', size: 1 };
}

function body(buffered: readonly number[]): First | undefined {
  const apdu: number[] = [];
  for (let at = 2; at < buffered.length; at += 1) {
    const byte = buffered[at] ?? 0;
    if (byte !== DLE) {
      apdu.push(byte);
      continue;
    }
    at += 1;
    const mark = buffered[at];
    if (mark === undefined) return undefined;
    if (mark === DLE) apdu.push(DLE);
    else if (mark !== ETX) return { cut: 'unreadable', size: at - 1 };
    else return closed(buffered, apdu, at + 1);
  }
  return undefined;
}

function closed(buffered: readonly number[], apdu: readonly number[], at: number): First | undefined {
  const [low, high] = [buffered[at], buffered[at + 1]];
  if (low === undefined || high === undefined) return undefined;
  const intact = crcOf([...apdu, ETX]) === low + high * 256;
  return { cut: intact ? apdu : 'unreadable', size: at + 2 };
}

/** CRC-16/KERMIT, written once more on purpose. */
function crcOf(bytes: readonly number[]): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc % 2 === 1 ? (crc >>> 1) ^ 0x8408 : crc >>> 1;
  }
  return crc;
}
