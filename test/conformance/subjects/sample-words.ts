import type { Reader, TerminalPacket, TerminalWord, TillPacket, TillWord } from '../words.ts';

const [STX, ETX, ACK, NAK] = [0x02, 0x03, 0x06, 0x15];

/** Letter → what it means to the suite. */
const TILL: Readonly<Record<string, TillWord>> = { S: 'money', Q: 'question', L: 'question' };
const TERMINAL: Readonly<Record<string, TerminalWord>> = {
  Q: 'other',
  T: 'other',
  N: 'other',
  B: 'refused',
  R: 'result',
  E: 'end',
};

/** A raw 06 answers a result, so to the suite it is the acknowledgement. */
export function sampleTillReader(): Reader<TillPacket> {
  return readerOf((letter) => {
    if (letter === 'ack') return { word: 'acknowledgement' };
    return { word: letter === 'nak' ? 'line_nak' : (TILL[letter] ?? 'unreadable') };
  });
}

export function sampleTerminalReader(): Reader<TerminalPacket> {
  return readerOf((letter) => {
    if (letter === 'ack' || letter === 'nak') return { word: `line_${letter}`, asks: false };
    const word = TERMINAL[letter] ?? 'unreadable';
    return { word, asks: word !== 'unreadable' };
  });
}

/** Cuts `02 … 03 LRC` and single 06, 15 out of a line; written once more on purpose. */
function readerOf<Packet>(packetOf: (letter: string) => Packet): Reader<Packet> {
  let buffered: number[] = [];
  return {
    read: (bytes) => {
      buffered.push(...bytes);
      const packets: Packet[] = [];
      for (let next = first(buffered); next; next = first(buffered)) {
        buffered = buffered.slice(next.size);
        packets.push(packetOf(next.letter));
      }
      return packets;
    },
  };
}

function first(buffered: readonly number[]): { readonly letter: string; readonly size: number } | undefined {
  const [mark] = buffered;
  if (mark === undefined) return undefined;
  if (mark === ACK || mark === NAK) return { letter: mark === ACK ? 'ack' : 'nak', size: 1 };
  if (mark !== STX) return { letter: 'noise', size: 1 };
  const end = buffered.indexOf(ETX);
  if (end === -1 || buffered.length < end + 2) return undefined;
  const body = buffered.slice(1, end + 1);
  const fits = body.reduce((check, byte) => check ^ byte, 0) === buffered[end + 1];
  return { letter: fits ? String.fromCharCode(buffered[1] ?? 0) : 'damaged', size: end + 2 };
}
