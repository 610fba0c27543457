import type { TerminalPacket, TerminalWord, TillPacket, TillWord } from '../words.ts';

export type ObserverCall = 'accepted' | 'beforeAcknowledge' | 'beforeEnd';

/** What happened on the stage, in its order. */
export type Happening =
  /** The driver handed bytes to the line; `packets` are those that ended with them. `at`: virtual ms. */
  | { readonly kind: 'wrote'; readonly at: number; readonly packets: readonly TillPacket[] }
  /** Bytes of the terminal came to the driver. */
  | { readonly kind: 'heard'; readonly at: number; readonly packets: readonly TerminalPacket[] }
  | { readonly kind: 'observer'; readonly call: ObserverCall; readonly answer: boolean | 'threw' }
  /** The driver wrote to a line that it had closed itself, although nobody asked it for anything. */
  | { readonly kind: 'stray' };

/** Everything that the driver wrote in these happenings, word by word. */
export function tillWords(happenings: readonly Happening[]): readonly TillWord[] {
  return happenings.flatMap((one) => (one.kind === 'wrote' ? one.packets.map(({ word }) => word) : []));
}

/** Everything that came to the driver. */
export function terminalWords(happenings: readonly Happening[]): readonly TerminalWord[] {
  return happenings.flatMap((one) => (one.kind === 'heard' ? one.packets.map(({ word }) => word) : []));
}
