import type { AttemptView } from '../../src/payment/payments.ts';
import type { Answer, Facts, Outcome, Shown, Standing } from '../judge/facts.ts';
import type { Place } from './place.ts';

/** A basket as the shop knows it. */
export interface Sold {
  readonly id: string;
  readonly reference: string;
  readonly amountMinor: number;
  readonly invoice: string | null;
  /** It was rung up in a process run whose books were put back. */
  isForgotten: boolean;
  /** Staff have compared it with the terminal afterwards. */
  wasCompared: boolean;
  /** They have found it paid, and do not ring it up again. */
  isKnownPaid: boolean;
  /** The till where it is on no list any more, and may be rung up again; null: staff have done so. */
  lostAt: string | null;
  takenOffline: boolean;
  wasAskedTwice: boolean;
  /** Where it was rung up, and when last. */
  readonly rungAt: Map<string, number>;
}

/** A payment as it was heard of, in whatever process run. */
interface Heard {
  readonly basket: Sold;
  readonly type: Shown['type'];
  readonly place: Place;
  readonly till: string;
  /** How many transactions of its kind and amount the terminals of its place had approved when it was sent; null: it was not. */
  before: number | null;
  isForgotten: boolean;
}

/** Writes down for the judge what happened, and decides nothing. */
export class Records {
  readonly #baskets = new Map<number, Sold>();
  readonly #ofPayment = new Map<string, Sold>();
  readonly #heard = new Map<string, Heard>();
  readonly #standing = new Map<string, number>();
  readonly #ledger: Standing[] = [];
  readonly #shown: Shown[] = [];
  readonly #answers: Answer[] = [];
  readonly #asked = new Set<string>();

  get baskets(): number {
    return this.#baskets.size;
  }

  /** Payments that were ever made, the forgotten ones with them. */
  get payments(): number {
    return this.#heard.size;
  }

  begin(amountMinor: number, invoice: string | null): Sold {
    const id = `basket-${this.#baskets.size}`;
    const more = {
      isForgotten: false,
      wasCompared: false,
      isKnownPaid: false,
      lostAt: null,
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

  /** A change of a payment was heard of at a till. */
  heard({ attempt }: AttemptView, basket: Sold, till: string, place: Place, at: number): void {
    const { id, type, state } = attempt;
    basket.rungAt.set(till, at);
    const heard = this.#heard.get(id) ?? {
      basket,
      type,
      place,
      till,
      before: null,
      isForgotten: false,
    };
    if (heard.before === null && state.name === 'dispatched') heard.before = linesOf(heard).length;
    this.#heard.set(id, heard);
  }

  /** What began at this till since the copy is not in its books any more. @param known how many payments had ever been made then */
  forgotten(till: string, known: number): void {
    for (const heard of [...this.#heard.values()].slice(known)) {
      if (heard.till !== till) continue;
      heard.isForgotten = true;
      heard.basket.isForgotten = true;
      heard.basket.lostAt = till;
    }
  }

  /** The newest basket that is on no list of this till any more, and that staff do not know as paid. */
  lostBasket(till: string): Sold | undefined {
    return [...this.#baskets.values()].findLast(({ lostAt, isKnownPaid }) => lostAt === till && !isKnownPaid);
  }

  /** Sales of a counter that its books have lost, each once; what staff know as paid they do not look up again. */
  toCompare(
    till: string,
    deviceId: string | null,
  ): readonly { readonly payment: string; readonly basket: Sold }[] {
    const found = [...this.#heard].filter(
      ([, one]) =>
        one.isForgotten && one.type === 'sale' && one.till === till && one.place.device.id === deviceId,
    );
    for (const [, one] of found) one.isForgotten = false;
    return found
      .filter(([, { basket }]) => !basket.isKnownPaid)
      .map(([payment, { basket }]) => ({ payment, basket }));
  }

  /** The terminals of its place have approved this very payment, and have not taken it back. */
  isTaken(payment: string): boolean {
    const heard = this.#heard.get(payment);
    if (!heard) return false;
    if (heard.before === null) return this.#standsCharged(heard);
    const { before } = heard;
    const line = linesOf(heard)[before];
    // The newest one that was sent before the line was written is the one that it belongs to.
    const sent = [...this.#heard].filter(([, one]) => one.before === before && isAlike(one, heard));
    return line !== undefined && !line.reversed && sent.at(-1)?.[0] === payment;
  }

  #standsCharged({ basket, type }: Heard): boolean {
    const stands = (this.#standing.get(basket.id) ?? 0) >= basket.amountMinor;
    return type === 'sale' ? stands : !stands;
  }

  shown(one: Shown): void {
    this.#shown.push(one);
  }

  answered(answer: Answer): void {
    this.#answers.push(answer);
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
      ({ id, amountMinor, isForgotten, wasCompared, takenOffline, wasAskedTwice }) => ({
        id,
        amountMinor,
        wasForgotten: isForgotten,
        wasCompared,
        takenOffline,
        wasAskedTwice,
      }),
    );
    const end = { payments, personTasks: this.#asked.size };
    return { baskets, ledger: this.#ledger, shown: this.#shown, answers: this.#answers, end };
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

/** What the terminals of its place have approved of its kind and amount. */
function linesOf({ place, type, basket }: Heard) {
  return place.ledger.filter(
    ({ kind, amountMinor, result }) =>
      kind === type && amountMinor === basket.amountMinor && result === 'approved',
  );
}

function isAlike(one: Heard, other: Heard): boolean {
  return one.basket === other.basket && one.place === other.place && one.type === other.type;
}
