import type { Answer } from './facts.ts';
import type { Word } from './words.ts';

/** What wrong answers of persons explain of one basket: only what follows from them, after they were given, of the very payment. */
export class Misled {
  readonly #answers: readonly Answer[];
  readonly #words: readonly Word[];

  constructor(answers: readonly Answer[], words: readonly Word[]) {
    this.#answers = answers;
    this.#words = words;
  }

  /** The wrong answer that was the newest one of this payment at that moment; null: none, or a true one. */
  wrongAt(payment: string, at: number): Answer | null {
    const newest = this.#answers.findLast((one) => one.payment === payment && one.at <= at);
    return newest && !newest.isTrue ? newest : null;
  }

  /** How many sales had begun by then only because a wrong answer had taken away what stood against them. */
  salesBegunBy(at: number): number {
    const began = new Map<string, number>();
    for (const { type, payment, at: since } of this.#words)
      if (type === 'sale' && !began.has(payment)) began.set(payment, since);
    return [...began].filter(([payment, when]) => when <= at && this.#follows(payment, when)).length;
  }

  /** A sale that began then follows from a wrong answer where nothing else that tilld had told stood against it. */
  #follows(sale: string, at: number): boolean {
    const cleared = this.#payments().filter((payment) => {
      const answer = payment === sale ? null : this.wrongAt(payment, at);
      return answer !== null && clears(answer);
    });
    return cleared.length > 0 && this.#standsAgainst(sale, cleared, at) <= 0;
  }

  /** By the newest words, and by true answers that came after them: what was charged or may have been, less what was given back. */
  #standsAgainst(sale: string, cleared: readonly string[], at: number): number {
    const newest = new Map<string, Word>();
    for (const word of this.#words) if (word.at <= at) newest.set(word.payment, word);
    let standing = 0;
    for (const word of newest.values()) {
      const { payment, type } = word;
      if (payment === sale || cleared.includes(payment)) continue;
      const charged = this.#answeredSince(word, at) ?? word.charged;
      if (type === 'sale' && charged !== 'no') standing += 1;
      if (type !== 'sale' && charged === 'yes') standing -= 1;
    }
    return standing;
  }

  /** Of books that are lost no later word comes: there a person's true answer is what is known. */
  #answeredSince({ payment, at: since }: Word, at: number): Answer['stated'] | null {
    const isNewer = (one: Answer) => one.payment === payment && one.isTrue && one.at >= since && one.at <= at;
    return this.#answers.findLast(isNewer)?.stated ?? null;
  }

  #payments(): readonly string[] {
    return [...new Set(this.#answers.map(({ payment }) => payment))];
  }
}

/** "Not charged" of a sale, or "given back" of a refund, lets a till ring the basket up again. */
function clears({ type, stated }: Answer): boolean {
  return type === 'sale' ? stated === 'no' : stated === 'yes';
}
