import type { Reader, TerminalPacket, TerminalWord, TillPacket, TillWord } from '../../words.ts';

/** Letter → what it means to the suite. */
const TILL: Readonly<Record<string, TillWord>> = {
  S: 'money',
  Q: 'question',
  L: 'question',
  A: 'acknowledgement',
};
const TERMINAL: Readonly<Record<string, TerminalWord>> = {
  A: 'line_ack',
  Q: 'other',
  T: 'other',
  N: 'other',
  B: 'refused',
  R: 'result',
  E: 'end',
};

export function sampleTillReader(): Reader<TillPacket> {
  return readerOf((letter) => ({ word: TILL[letter] ?? 'unreadable' }));
}

/** The till answers every line but an `A`. */
export function sampleTerminalReader(): Reader<TerminalPacket> {
  return readerOf((letter) => {
    const word = TERMINAL[letter] ?? 'unreadable';
    return { word, asks: word !== 'unreadable' && word !== 'line_ack' };
  });
}

/** Cuts lines out of a stream; written once more on purpose. */
function readerOf<Packet>(packetOf: (letter: string) => Packet): Reader<Packet> {
  let buffered = '';
  return {
    read: (bytes) => {
      buffered += String.fromCharCode(...bytes);
      const lines = buffered.split('\r\n');
      buffered = lines.pop() ?? '';
      return lines.map((line) => packetOf(/^([A-Z])(\||$)/.exec(line)?.[1] ?? ''));
    },
  };
}
