import type { Shown } from './facts.ts';
import { type Claim, read } from './reader.ts';

/** What was shown of a payment, as a reader understands it. */
export interface Word extends Shown {
  readonly charged: Claim;
}

export interface Heard {
  readonly words: readonly Word[];
  /** Texts that say nothing of the money, or two things, or hand goods over for money of which nothing is known. */
  readonly unclear: readonly Shown[];
}

/** Reads every text; what says nothing clear of the money is put aside. */
export function hear(shown: readonly Shown[]): Heard {
  const words: Word[] = [];
  const unclear: Shown[] = [];
  for (const one of shown) {
    const word = wordOf(one, one.type) ?? (one.type === 'sale' ? null : wordOf(one, 'sale'));
    if (word) words.push(word);
    else unclear.push(one);
  }
  return { words, unclear };
}

/** Of a refund or void a text may tell what became of its sale: then it is a word about a sale. */
function wordOf(shown: Shown, type: Shown['type']): Word | null {
  const { moved, isToHandOver } = read(shown.text, shown.language, type);
  const [charged] = moved;
  if (charged === undefined || moved.length > 1 || (isToHandOver && charged !== 'yes')) return null;
  return { ...shown, type, charged };
}
