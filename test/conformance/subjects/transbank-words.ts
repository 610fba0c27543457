import type { Reader, TerminalPacket, TerminalWord, TillPacket, TillWord } from '../words.ts';

const [STX, ETX, ACK, NAK] = [0x02, 0x03, 0x06, 0x15];

/** Function codes that move money; that print or change what the terminal keeps; the end of day. */
const MONEY: ReadonlySet<string> = new Set(['0200', '0270', '1200']);
const PAPER: ReadonlySet<string> = new Set(['0250', '0280', '0300', '0700', '0800']);
const CLOSE = '0500';

const REPORTED: Readonly<Record<string, TerminalWord>> = {
  '0210': 'result',
  '0271': 'result',
  '1210': 'result',
  '0900': 'progress',
};

/** A raw 06 answers a result, so to the suite it is the acknowledgement. */
export function transbankTillReader(): Reader<TillPacket> {
  return readerOf((text) => ({ word: tillWord(text) }));
}

export function transbankTerminalReader(): Reader<TerminalPacket> {
  return readerOf((text) => {
    if (text === 'ack' || text === 'nak') return { word: `line_${text}`, asks: false };
    if (text === undefined) return { word: 'unreadable', asks: false };
    return { word: REPORTED[text.slice(0, 4)] ?? 'other', asks: true };
  });
}

function tillWord(text: string | undefined): TillWord {
  if (text === 'ack') return 'acknowledgement';
  if (text === 'nak') return 'line_nak';
  if (text === undefined) return 'unreadable';
  const code = text.slice(0, 4);
  if (MONEY.has(code)) return 'money';
  if (code === CLOSE) return 'close';
  // With 0 the terminal prints its list, with 1 it tells it.
  const prints = PAPER.has(code) || /^02[69]0\|0/.test(text);
  return prints ? 'paper' : 'question';
}

/** Cuts `02 … 03 LRC` and single 06, 15 out of a line; written once more on purpose. Undefined: damaged, or noise. */
function readerOf<Packet>(packetOf: (text: string | undefined) => Packet): Reader<Packet> {
  let buffered: number[] = [];
  return {
    read: (bytes) => {
      buffered.push(...bytes);
      const packets: Packet[] = [];
      for (let next = first(buffered); next; next = first(buffered)) {
        buffered = buffered.slice(next.size);
        packets.push(packetOf(next.text));
      }
      return packets;
    },
  };
}

interface First {
  readonly text: string | undefined;
  readonly size: number;
}

function first(buffered: readonly number[]): First | undefined {
  const [mark] = buffered;
  if (mark === undefined) return undefined;
  if (mark === ACK || mark === NAK) return { text: mark === ACK ? 'ack' : 'nak', size: 1 };
  if (mark !== STX) return { text: undefined, size: 1 };
  const end = buffered.indexOf(ETX);
  if (end === -1 || buffered.length < end + 2) return undefined;
  const body = buffered.slice(1, end + 1);
  const fits = body.reduce((check, byte) => check ^ byte, 0) === buffered[end + 1];
  return { text: fits ? String.fromCharCode(...body.slice(0, -1)) : undefined, size: end + 2 };
}
