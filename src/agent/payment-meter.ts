import type { Metrics } from '../api/metrics/metrics.ts';
import type { PaymentEvent } from '../payment/payments.ts';

const ENDED = /^terminal_(?<type>payment|refund|void)\.(?<outcome>succeeded|declined|cancelled|error)$/;
const TYPES = ['payment', 'refund', 'void'] as const;
const OUTCOMES = ['succeeded', 'declined', 'cancelled', 'error'] as const;

/** Counts the payments that ended since the start, and how long the terminal took. */
export class PaymentMeter {
  readonly #metrics: Pick<Metrics, 'payments' | 'paymentSeconds'>;

  constructor(metrics: Pick<Metrics, 'payments' | 'paymentSeconds'>) {
    this.#metrics = metrics;
    for (const type of TYPES) for (const outcome of OUTCOMES) metrics.payments.inc({ type, outcome }, 0);
  }

  /** Takes a committed change. */
  readonly event = ({ type, subject }: Pick<PaymentEvent, 'type' | 'subject'>): void => {
    const ended = ENDED.exec(type)?.groups;
    if (!ended || subject.kind !== 'payment') return;
    this.#metrics.payments.inc(ended);
    const { dispatchedAt, completedAt } = subject.view.attempt;
    if (dispatchedAt === null || completedAt === null) return;
    // The wall clock may have been set back meanwhile.
    this.#metrics.paymentSeconds.observe(Math.max(0, completedAt - dispatchedAt) / 1000);
  };
}
