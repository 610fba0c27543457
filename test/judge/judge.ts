import type { Answer, Basket, Facts, Outcome, Shown } from './facts.ts';
import { Misled } from './misled.ts';
import { hear, type Word } from './words.ts';

export type Harm = 'double_charge' | 'false_not_charged' | 'lost_outcome' | 'orphan_doubt' | 'unclear_text';

export interface Finding {
  readonly harm: Harm;
  readonly basket: string;
  readonly what: string;
}

export interface Verdict {
  readonly findings: readonly Finding[];
  /** Wrong answers of persons that the books do not repeat at the end. */
  readonly containedAnswers: number;
  /** Wrong answers of persons that the books repeat at the end, or, of a payment that they have lost, after which a customer has paid twice. */
  readonly uncontainedAnswers: number;
  /** Two tills without a line took one invoice: the one residual risk. */
  readonly offlineTwice: number;
}

/** A terminal that takes an approval back does so within this time; a word is held against what stands then. Ms. */
const SETTLES_MS = 600_000;

/** Decides by the ledgers of the terminals and by what people were shown, and by nothing else. */
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
  readonly #words: readonly Word[];
  readonly #unclear: readonly Shown[];
  readonly #misled: Misled;

  constructor(basket: Basket, facts: Facts) {
    this.#basket = basket;
    this.#facts = facts;
    const { words, unclear } = hear(facts.shown.filter((one) => one.basket === basket.id));
    this.#words = words;
    this.#unclear = unclear;
    const answers = facts.answers.filter((one) => one.basket === basket.id);
    this.#misled = new Misled(answers, words);
    const wrong = answers.filter(({ isTrue }) => !isTrue);
    this.uncontained = wrong.filter((one) => this.#standsAtTheEnd(one)).length;
    this.contained = wrong.length - this.uncontained;
  }

  get isOfflineTwice(): boolean {
    const { takenOffline, wasAskedTwice, wasForgotten, amountMinor } = this.#basket;
    const isGivenBack = (this.#ledger().at(-1)?.minor ?? 0) < 2 * amountMinor;
    return takenOffline && (wasAskedTwice || wasForgotten || isGivenBack) && this.#most() >= 2 * amountMinor;
  }

  findings(): readonly Finding[] {
    return [
      ...(this.isOfflineTwice ? [] : this.#double()),
      ...this.#falseWords(),
      ...this.#lost(),
      ...this.#orphans(),
      ...this.#unclearTexts(),
    ];
  }

  /** More charges at once than one, and more than wrong answers had let begin by then. */
  #double(): readonly Finding[] {
    const { id, amountMinor } = this.#basket;
    const twice = this.#ledger().find(
      ({ at, minor }) => Math.floor(minor / amountMinor) - 1 > this.#misled.salesBegunBy(at),
    );
    return twice && twice.minor >= 2 * amountMinor
      ? [this.#finding('double_charge', `${id} stood charged ${twice.minor} at ${twice.at}`)]
      : [];
  }

  /** "Not charged", shown of a payment whose money stands, and stands still when a terminal has settled. */
  #falseWords(): readonly Finding[] {
    const words = this.#words.filter(({ type }) => type === 'sale');
    const isFalse = (word: Word) =>
      word.charged === 'no' &&
      this.#misled.wrongAt(word.payment, word.at)?.stated !== 'no' &&
      this.#unexplainedAt(word.at, words, word.at) > 0 &&
      this.#unexplainedAt(word.at + SETTLES_MS, words, word.at) > 0;
    const wrong = words.find(isFalse);
    return wrong
      ? [
          this.#finding(
            'false_not_charged',
            `${wrong.payment} at ${wrong.at}, ${wrong.surface} in ${wrong.language}: ${wrong.text}`,
          ),
        ]
      : [];
  }

  /**
   * How many charges stand at that moment of which nobody was told yes, and of which no payment may still tell.
   * @param answeredBy what persons have answered later excuses nothing
   */
  #unexplainedAt(at: number, words: readonly Word[], answeredBy: number): number {
    const { amountMinor } = this.#basket;
    const standing = this.#ledger().findLast((one) => one.at <= at)?.minor ?? 0;
    const newest = new Map<string, Word['charged']>();
    for (const word of words) if (word.at <= at) newest.set(word.payment, word.charged);
    const explains = ([payment, charged]: readonly [string, Word['charged']]) =>
      this.#explains(payment, charged, answeredBy);
    const explained = [...newest].filter(explains).length;
    return Math.floor(standing / amountMinor) - explained;
  }

  /** A person who says "no" of a charge takes it on himself; one who says "yes" of none explains no other. */
  #explains(payment: string, charged: Word['charged'], at: number): boolean {
    const wrong = this.#misled.wrongAt(payment, at)?.stated;
    return wrong === 'no' || (charged !== 'no' && wrong !== 'yes');
  }

  #lost(): readonly Finding[] {
    const { id, amountMinor, wasForgotten, wasCompared } = this.#basket;
    const standing = this.#ledger().at(-1)?.minor ?? 0;
    if (standing < amountMinor || (wasForgotten && wasCompared)) return [];
    const sales = this.#outcomes().filter(({ type }) => type === 'sale');
    const isStatedByPerson = ({ payment }: Outcome) =>
      this.#misled.wrongAt(payment, Number.POSITIVE_INFINITY)?.stated === 'no';
    return sales.some((sale) => sale.charged !== 'no' || isStatedByPerson(sale))
      ? []
      : [this.#finding('lost_outcome', `${id} stands charged ${standing}, and the books say no`)];
  }

  #orphans(): readonly Finding[] {
    return this.#outcomes()
      .filter(({ isOpen, hasOwner }) => isOpen && !hasOwner)
      .map(({ payment }) => this.#finding('orphan_doubt', `${payment} is open, and nobody has it`));
  }

  /** The first text of each surface that cannot be gone by. */
  #unclearTexts(): readonly Finding[] {
    const bySurface = new Map(
      this.#unclear.toReversed().map((one) => [`${one.surface} ${one.language}`, one]),
    );
    return [...bySurface.values()].map(({ payment, at, surface, language, text }) =>
      this.#finding('unclear_text', `${payment} at ${at}, ${surface} in ${language}: ${text}`),
    );
  }

  /** The books say at the end what a person said wrongly of that payment; of one that they do not have, the basket stands charged twice. */
  #standsAtTheEnd({ payment, stated }: Answer): boolean {
    const outcome = this.#outcomes().find((one) => one.payment === payment);
    if (outcome) return outcome.charged === stated;
    return (this.#ledger().at(-1)?.minor ?? 0) >= 2 * this.#basket.amountMinor;
  }

  #most(): number {
    return Math.max(0, ...this.#ledger().map(({ minor }) => minor));
  }

  #ledger() {
    return this.#facts.ledger.filter(({ basket }) => basket === this.#basket.id);
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
