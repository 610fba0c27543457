import { toHex } from '../../../src/driver-kit/hex.ts';
import type { TerminalWord, TillWord } from '../words.ts';

/** Who wrote a step. */
export type Party = 'till' | 'terminal';

/** One write of one side: the unit in which faults strike. */
export interface Step {
  /** Counts from 0 at the beginning of the dialogue. */
  readonly index: number;
  readonly from: Party;
  readonly bytes: Uint8Array;
  readonly words: readonly (TillWord | TerminalWord)[];
}

/** What becomes of a step on its way. */
export type Handling =
  | { readonly do: 'pass' }
  /** Never arrives. */
  | { readonly do: 'lose' }
  /** These arrive instead, each in a read of its own. */
  | { readonly do: 'replace'; readonly pieces: readonly Uint8Array[] }
  | { readonly do: 'delay'; readonly ms: number }
  /** So many bytes arrive, then the line ends; `isNoticed`: the writer learns that its write failed. */
  | { readonly do: 'cut'; readonly after: number; readonly isNoticed: boolean };

export const PASS: Handling = { do: 'pass' };
export const LOSE: Handling = { do: 'lose' };

/** How the bytes of both sides are cut into reads. */
export type Pieces =
  | 'whole'
  | 'bytes'
  /** Whatever is said within a moment comes in one read. */
  | 'glued'
  /** The last byte of a write comes with the next one. */
  | 'ragged'
  /** Byte by byte, one every millisecond, as at 9600 baud. */
  | 'paced';

/** A step in the words of a report. */
export function describeStep({ index, from, bytes, words }: Step): string {
  const way = from === 'till' ? 'till → terminal' : 'terminal → till';
  return `step ${index} (${way}, ${describeBytes(words, bytes)})`;
}

/** The words of the packets that ended with these bytes, and the first of the bytes. */
export function describeBytes(words: Step['words'], bytes: Uint8Array, most = 12): string {
  const hex = toHex(bytes.subarray(0, most)) + (bytes.length > most ? '…' : '');
  return `${words.join(' + ') || 'part of a packet'}, ${hex}`;
}
