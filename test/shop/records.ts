import type { AttemptView } from '../../src/payment/payments.ts';
import type { Answer, Facts, Outcome, Standing, Word } from '../judge/facts.ts';

/** A basket as the shop knows it. */
export interface Sold {
  readonly id: string;
  readonly reference: string;
  readonly amountMinor: number;
  readonly invoice: string | null;
  /** It was rung up in a life of the books that was put back: staff have compared, and do not ring it up again. */
  isForgotten: boolean;
  takenOffline: boolean;
  wasAskedTwice: boolean;
  /** Where it was rung up, and when last. */
  readonly rungAt: Map<string, number>;
}

/** Writes down for the judge what happened, and decides nothing. */
export class Records {
  readonly #baskets = new Map<number, Sold>();
  readonly #ofPayment = new Map<string, Sold>();
  readonly #standing = new Map<string, number>();
  readonly #ledger: Standing[] = [];
  readonly #words: Word[] = [];
  readonly #answers: Answer[] = [];
  readonly #asked = new Set<string>();

  get baskets(): number {
    return this.#baskets.size;
  }

  begin(amountMinor: number, invoice: string | null): Sold {
    const id = `basket-${this.#baskets.size}`;
    const more = {
      isForgotten: false,
      takenOffline: false,
      wasAskedTwice: false,
      rungAt: new Map<string, number>(),
    };
    const basket = { id, reference: `B-${this.#baskets.size}`, amountMinor, invoice, ...more };
    this.#baskets.set(amountMinor, basket);
    return basket;
  }

  sent(basket: Sold | undefined, payment: string): void {
    if (basket) this.#ofPayment.set(payment, basket);
  }

  of(payment: string): Sold | undefined {
    return this.#ofPayment.get(payment);
  }

  ofAmount(amountMinor: number): Sold | undefined {
    return this.#baskets.get(amountMinor);
  }

  rung(basket: Sold, till: string, at: number): void {
    basket.rungAt.set(till, at);
  }

  /** What was rung up since the copy is not in the books any more. */
  forgotten(till: string, copiedAt: number): void {
    for (const basket of this.#baskets.values())
      if ((basket.rungAt.get(till) ?? -1) >= copiedAt) basket.isForgotten = true;
  }

  told(word: Word): void {
    this.#words.push(word);
  }

  answered(answer: Answer): void {
    this.#answers.push(answer);
  }

  isByPerson(payment: string): boolean {
    return this.#answers.some((one) => one.payment === payment);
  }

  asked(ids: readonly string[]): void {
    for (const id of ids) this.#asked.add(id);
  }

  /** Notes what has changed on the ledgers since the last look. */
  look(at: number, standing: ReadonlyMap<number, number>): void {
    for (const { id, amountMinor } of this.#baskets.values()) {
      const minor = standing.get(amountMinor) ?? 0;
      if (minor === (this.#standing.get(id) ?? 0)) continue;
      this.#standing.set(id, minor);
      this.#ledger.push({ at, basket: id, minor });
    }
  }

  facts(views: readonly AttemptView[]): Facts {
    const payments = views.flatMap((view) => this.#outcome(view));
    const baskets = [...this.#baskets.values()].map(
      ({ id, amountMinor, isForgotten, takenOffline, wasAskedTwice }) => ({
        id,
        amountMinor,
        wasForgotten: isForgotten,
        takenOffline,
        wasAskedTwice,
      }),
    );
    const end = { payments, personTasks: this.#asked.size };
    return { baskets, ledger: this.#ledger, words: this.#words, answers: this.#answers, end };
  }

  #outcome({ attempt, charged, correctedBy, tasks }: AttemptView): readonly Outcome[] {
    const basket = this.#ofPayment.get(attempt.id) ?? this.#baskets.get(attempt.amount.minor);
    if (!basket) return [];
    const { id: payment, type, state, needsPerson, corrects } = attempt;
    const isOpen = state.name === 'in_doubt';
    const hasOwner = needsPerson || tasks.length > 0;
    const isCorrected = correctedBy !== null || corrects !== null;
    return [{ payment, basket: basket.id, type, charged, isOpen, hasOwner, isCorrected }];
  }
}
