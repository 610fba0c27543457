import type { Reader, TerminalPacket, TerminalWord, TillPacket, TillWord } from '../words.ts';

const [SOH, STX, ETX, EOT, ACK, NAK] = [0x01, 0x02, 0x03, 0x04, 0x06, 0x15];
/** Where the message code stands: eight digits and a 0 go before it. */
const CODE_AT = 9;
/** A progress packet: 01, 20 characters, 04. */
const PROGRESS_SIZE = 22;

const TILL: Readonly<Record<string, TillWord>> = {
  P: 'money',
  X: 'money',
  S: 'money',
  p: 'money',
  i: 'money',
  c: 'money',
  C: 'close',
  R: 'paper',
  s: 'question',
  G: 'question',
  T: 'question',
  E: 'question',
};
const TERMINAL: Readonly<Record<string, TerminalWord>> = {
  E: 'result',
  V: 'result',
  C: 'result',
  S: 'print',
  s: 'other',
  T: 'other',
};

/** A till's packets; its ACK answers a result, so to the suite it is the acknowledgement. */
export function ecr17TillReader(): Reader<TillPacket> {
  let asked = '';
  const reader = readerOf((cut) => {
    if (cut === 'ack') return { word: 'acknowledgement' as const };
    if (cut === 'nak') return { word: 'line_nak' as const };
    const word = TILL[cut] ?? 'unreadable';
    if (word !== 'unreadable') asked = cut;
    return { word };
  });
  return { ...reader, asked: () => asked };
}

/** A terminal's packets. The answer to G is a result of the past, byte for byte: no result of what runs. */
export function ecr17TerminalReader(till?: Reader<TillPacket>): Reader<TerminalPacket> {
  return readerOf((cut) => {
    if (cut === 'ack' || cut === 'nak') return { word: `line_${cut}`, asks: false };
    if (cut === 'progress') return { word: 'progress', asks: false };
    const word = TERMINAL[cut] ?? 'unreadable';
    const isPast = word === 'result' && till?.asked?.() === 'G';
    return { word: isPast ? 'other' : word, asks: word !== 'unreadable' };
  });
}

/** Cuts packets out of a line, whatever their check: a letter, or what it is; written once more on purpose. */
function readerOf<Packet>(packetOf: (cut: string) => Packet): Reader<Packet> {
  let buffered: number[] = [];
  return {
    read: (bytes) => {
      buffered.push(...bytes);
      const packets: Packet[] = [];
      for (let next = first(buffered); next; next = first(buffered)) {
        buffered = buffered.slice(next.size);
        packets.push(packetOf(next.cut));
      }
      return packets;
    },
  };
}

function first(buffered: readonly number[]): { readonly cut: string; readonly size: number } | undefined {
  const [mark] = buffered;
  if (mark === undefined) return undefined;
  if (mark === SOH) return progress(buffered);
  if (mark === ACK || mark === NAK) return control(buffered, mark === ACK ? 'ack' : 'nak');
  if (mark !== STX) return { cut: 'noise', size: 1 };
  const end = buffered.indexOf(ETX);
  if (end === -1 || buffered.length < end + 2) return undefined;
  const again = buffered.lastIndexOf(STX, end);
  if (again > 0) return { cut: 'damaged', size: again };
  const isSound = fits(buffered.slice(1, end), buffered[end + 1]);
  return { cut: isSound ? String.fromCharCode(buffered[1 + CODE_AT] ?? 0) : 'damaged', size: end + 2 };
}

function control(buffered: readonly number[], cut: string) {
  const [mark = 0, etx, check] = buffered;
  if (etx === undefined || (etx === ETX && check === undefined)) return undefined;
  if (etx !== ETX) return { cut: 'noise', size: 1 };
  return { cut: fits([mark], check) ? cut : 'damaged', size: 3 };
}

function progress(buffered: readonly number[]) {
  if (buffered.length < PROGRESS_SIZE) return buffered.includes(STX) ? { cut: 'noise', size: 1 } : undefined;
  return buffered[PROGRESS_SIZE - 1] === EOT
    ? { cut: 'progress', size: PROGRESS_SIZE }
    : { cut: 'noise', size: 1 };
}

/** 7F, the data and 03: how the virtual terminal of the suite computes it. */
function fits(data: readonly number[], check: number | undefined): boolean {
  return data.reduce((sum, byte) => sum ^ byte, 0x7f ^ ETX) === check;
}
