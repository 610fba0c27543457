import type { Basket, Facts, Word } from './facts.ts';

export type Harm = 'double_charge' | 'false_not_charged' | 'lost_outcome' | 'orphan_doubt';

export interface Finding {
  readonly harm: Harm;
  readonly basket: string;
  readonly what: string;
}

export interface Verdict {
  readonly findings: readonly Finding[];
  /** Wrong answers of persons that the books contradict at the end, or that did no harm. */
  readonly containedAnswers: number;
  /** Wrong answers of persons after which a customer paid twice, or for nothing, and the books do not say so. */
  readonly uncontainedAnswers: number;
  /** Two tills without a line took one invoice: the one residual risk. */
  readonly offlineTwice: number;
}

/** A terminal that takes an approval back does so within this time; a word is held against what stands then. Ms. */
const SETTLES_MS = 600_000;

/** Decides by the ledgers of the terminals and by what people were told, and by nothing else. */
export function judge(facts: Facts): Verdict {
  const cases = facts.baskets.map((basket) => new Case(basket, facts));
  return {
    findings: cases.flatMap((one) => one.findings()),
    containedAnswers: count(cases, (one) => one.contained),
    uncontainedAnswers: count(cases, (one) => one.uncontained),
    offlineTwice: count(cases, (one) => (one.isOfflineTwice ? 1 : 0)),
  };
}

/** Everything that is known of one customer's basket. */
class Case {
  readonly contained: number;
  readonly uncontained: number;
  readonly #basket: Basket;
  readonly #facts: Facts;

  constructor(basket: Basket, facts: Facts) {
    this.#basket = basket;
    this.#facts = facts;
    const wrong = facts.answers.filter(({ basket: id, isTrue }) => id === basket.id && !isTrue).length;
    const isContained = !this.#isWrongAtTheEnd();
    this.contained = isContained ? wrong : 0;
    this.uncontained = isContained ? 0 : wrong;
  }

  get isOfflineTwice(): boolean {
    const { takenOffline, wasAskedTwice, wasForgotten, amountMinor } = this.#basket;
    return takenOffline && (wasAskedTwice || wasForgotten) && this.#most() >= 2 * amountMinor;
  }

  findings(): readonly Finding[] {
    // What a person said wrongly is the person's; whether the books have caught it is counted by itself.
    const isMisled = this.contained + this.uncontained > 0;
    return [
      ...(isMisled || this.isOfflineTwice ? [] : this.#double()),
      ...(isMisled ? [] : this.#falseWords()),
      ...this.#lost(),
      ...this.#orphans(),
    ];
  }

  #double(): readonly Finding[] {
    const { id, amountMinor } = this.#basket;
    const twice = this.#ledger().find(({ minor }) => minor >= 2 * amountMinor);
    return twice ? [this.#finding('double_charge', `${id} stood charged ${twice.minor} at ${twice.at}`)] : [];
  }

  /** "Not charged", told of a payment whose money stands, and stands still when a terminal has settled. */
  #falseWords(): readonly Finding[] {
    const words = this.#words().filter(({ type }) => type === 'sale');
    const isFalse = (word: Word) =>
      word.charged === 'no' &&
      !word.byPerson &&
      this.#unexplainedAt(word.at, words) > 0 &&
      this.#unexplainedAt(word.at + SETTLES_MS, words) > 0;
    const told = words.find(isFalse);
    return told ? [this.#finding('false_not_charged', `${told.payment} at ${told.at}: ${told.text}`)] : [];
  }

  /** How many charges stand at that moment of which nobody was told yes, and of which no payment may still tell. */
  #unexplainedAt(at: number, words: readonly Word[]): number {
    const { amountMinor } = this.#basket;
    const standing = this.#ledger().findLast((one) => one.at <= at)?.minor ?? 0;
    const newest = new Map<string, Word['charged']>();
    for (const word of words) if (word.at <= at) newest.set(word.payment, word.charged);
    const explained = [...newest.values()].filter((charged) => charged !== 'no').length;
    return Math.floor(standing / amountMinor) - explained;
  }

  #lost(): readonly Finding[] {
    const { id, amountMinor, wasForgotten } = this.#basket;
    const standing = this.#ledger().at(-1)?.minor ?? 0;
    if (standing < amountMinor || wasForgotten) return [];
    const isKnown = this.#outcomes().some(({ type, charged }) => type === 'sale' && charged !== 'no');
    return isKnown || this.uncontained > 0
      ? []
      : [this.#finding('lost_outcome', `${id} stands charged ${standing}, and the books say no`)];
  }

  #orphans(): readonly Finding[] {
    return this.#outcomes()
      .filter(({ isOpen, hasOwner }) => isOpen && !hasOwner)
      .map(({ payment }) => this.#finding('orphan_doubt', `${payment} is open, and nobody has it`));
  }

  /** The books say at the end what a person said wrongly, and nothing beside it says otherwise. */
  #isWrongAtTheEnd(): boolean {
    const standing = this.#ledger().at(-1)?.minor ?? 0;
    const isCharged = standing >= this.#basket.amountMinor;
    const sales = this.#outcomes().filter(({ type }) => type === 'sale');
    return (
      isCharged !== sales.some(({ charged }) => charged === 'yes') &&
      !sales.some(({ charged }) => charged === 'unknown')
    );
  }

  #most(): number {
    return Math.max(0, ...this.#ledger().map(({ minor }) => minor));
  }

  #ledger() {
    return this.#facts.ledger.filter(({ basket }) => basket === this.#basket.id);
  }

  #words() {
    return this.#facts.words.filter(({ basket }) => basket === this.#basket.id);
  }

  #outcomes() {
    return this.#facts.end.payments.filter(({ basket }) => basket === this.#basket.id);
  }

  #finding(harm: Harm, what: string): Finding {
    return { harm, basket: this.#basket.id, what };
  }
}

function count(cases: readonly Case[], of: (one: Case) => number): number {
  return cases.reduce((sum, one) => sum + of(one), 0);
}
