import type { Reader, TerminalPacket, TerminalWord, TillPacket, TillWord } from '../words.ts';

const TILL: Readonly<Record<string, TillWord>> = {
  Payment: 'money',
  Reversal: 'money',
  Reconciliation: 'close',
};

/** A connection carries one request. */
export function nexoTillReader(): Reader<TillPacket> {
  return whole((category) => ({
    word: category === undefined ? 'unreadable' : (TILL[category] ?? 'question'),
  }));
}

/** Nothing answers a response. */
export function nexoTerminalReader(): Reader<TerminalPacket> {
  return whole((category) => ({ word: terminalWord(category), asks: false }));
}

function terminalWord(category: string | undefined): TerminalWord {
  if (category === undefined) return 'unreadable';
  return TILL[category] === undefined ? 'other' : 'result';
}

/** Names what a connection carried once its body is whole: by the end of the JSON, whose braces are counted. */
function whole<Packet>(packetOf: (category: string | undefined) => Packet): Reader<Packet> {
  let text = '';
  let isReported = false;
  return {
    read: (bytes) => {
      text += Buffer.from(bytes).toString('latin1');
      if (isReported || !isWhole(text)) return [];
      isReported = true;
      return [packetOf(/"MessageCategory":"(\w+)"/.exec(text)?.[1])];
    },
  };
}

function isWhole(text: string): boolean {
  const from = text.indexOf('{');
  if (from === -1) return false;
  let [depth, isText] = [0, false];
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (isText && character === '\\') at += 1;
    else if (character === '"') isText = !isText;
    else if (!isText && character === '{') depth += 1;
    else if (!isText && character === '}' && --depth === 0) return true;
  }
  return false;
}
