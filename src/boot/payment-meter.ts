import type { Sample } from '../api/metrics/families.ts';
import type { PaymentEvent } from '../payment/payments.ts';

/** Upper bounds in s: a contactless sale takes 3, a PIN and a slow line 30, a customer who hesitates 120. */
const BOUNDS_S = [1, 2, 5, 10, 20, 30, 60, 120, 300] as const;
const ENDED = /^terminal_(?<type>payment|refund|void)\.(?<outcome>succeeded|declined|cancelled|error)$/;
const TYPES = ['payment', 'refund', 'void'] as const;
const OUTCOMES = ['succeeded', 'declined', 'cancelled', 'error'] as const;

/** Counts the payments that ended since the start, and how long the terminal took. */
export class PaymentMeter {
  readonly #counts = new Map<string, number>();
  readonly #buckets: number[] = BOUNDS_S.map(() => 0);
  #sum = 0;
  #count = 0;

  /** Takes a committed change. */
  readonly event = ({ type, subject }: Pick<PaymentEvent, 'type' | 'subject'>): void => {
    const ended = ENDED.exec(type)?.groups;
    if (!ended || subject.kind !== 'payment') return;
    const key = `${ended['type']} ${ended['outcome']}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    const { dispatchedAt, completedAt } = subject.view.attempt;
    if (dispatchedAt !== null && completedAt !== null) this.#took((completedAt - dispatchedAt) / 1000);
  };

  samples(): readonly Sample[] {
    const name = 'tilld_payment_seconds';
    const buckets = BOUNDS_S.map((bound, index) => ({ le: String(bound), value: this.#buckets[index] ?? 0 }));
    return [
      ...TYPES.flatMap((type) =>
        OUTCOMES.map((outcome): Sample => {
          const value = this.#counts.get(`${type} ${outcome}`) ?? 0;
          return { name: 'tilld_payments_total', labels: { type, outcome }, value };
        }),
      ),
      ...[...buckets, { le: '+Inf', value: this.#count }].map(
        ({ le, value }): Sample => ({ name, suffix: '_bucket', labels: { le }, value }),
      ),
      { name, suffix: '_sum', value: this.#sum },
      { name, suffix: '_count', value: this.#count },
    ];
  }

  /** The wall clock may have been set back meanwhile. */
  #took(seconds: number): void {
    const took = Math.max(0, seconds);
    this.#sum += took;
    this.#count += 1;
    for (const [index, bound] of BOUNDS_S.entries())
      if (took <= bound) this.#buckets[index] = (this.#buckets[index] ?? 0) + 1;
  }
}
